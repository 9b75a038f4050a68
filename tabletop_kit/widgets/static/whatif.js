// What if a die had fallen otherwise: its faces to choose from, and what is known to come of them.
import { make, wordNodes } from "./dom.js";
import { dieFace } from "./faces.js";

const FREE_WORDS = "The dice rolled stay as they are; another face opens a branch beside them.";

export class WhatIf {
  constructor(study) {
    this.study = study;
  }

  ask(button, roll, index) {
    const note = make("p", {}, FREE_WORDS);
    const { faces, sides } = roll.dice;
    const choices = Array.from({ length: sides }, (_, at) => at + 1);
    const face = (number) => {
      const wanted = faces.with(index, number);
      const tell = () => note.replaceChildren(...this.outcomeWords(roll, wanted));
      return make("button", {
        class: "tk-die",
        type: "button",
        "aria-label": String(number),
        "aria-current": number === faces[index] ? "true" : null,
        disabled: number === faces[index],
        onpointerenter: tell,
        onfocus: tell,
        onclick: () => this.throwInstead(roll, wanted),
      }, dieFace(number, sides, 34));
    };
    const row = make("div", { class: "tk-faces" }, choices.map(face));
    const label = "What if this die were";
    this.study.popover.toggle(button, label, "tk-whatif", [row, note], true);
  }

  played(roll, faces) {
    const same = (frame) => frame.dice?.faces && String(frame.dice.faces) === String(faces);
    return this.study.story.besides(roll).find(same);
  }

  // What came of these faces where they were tried before.
  outcomeWords(roll, faces) {
    let frame = this.played(roll, faces);
    if (!frame) return [FREE_WORDS];
    const { story, meta } = this.study;
    while (frame.kind === "roll" && story.childrenOf(frame.id)[0]) {
      frame = story.childrenOf(frame.id)[0];
    }
    return wordNodes(this.study.sentence(frame), meta.people);
  }

  throwInstead(roll, faces) {
    const { kernel, popover, walk } = this.study;
    popover.close();
    const known = this.played(roll, faces);
    if (known) walk.go(known.id);
    else kernel.throwInstead(roll, faces);
  }
}
