// What just happened: the dice on the table, the sentence, and the sum in words over numbers.
import { make, makeIcon, miniToken, plainWords, whenChanged, wordNodes } from "./dom.js";
import { dieFace } from "./faces.js";

const MOST_DICE = 6;
const FREE_WORDS = "The dice rolled stay as they are; another face opens a branch beside them.";

const askMark = () => make("span", { class: "tk-q", "aria-hidden": "true" }, "?");
const isNewPart = (frame) => ["choice", "ask", "wait", "start", "end"].includes(frame.kind);

export class Now {
  constructor(study) {
    this.study = study;
    this.element = make("section", { class: "tk-st-now", "aria-label": "What just happened" });
    this.draw = whenChanged(() => this.redraw());
  }

  update() {
    this.told = this.toldFrame();
    this.draw(`${this.told.id} ${this.study.story.answerTo(this.told)?.id}`);
  }

  // While a question is open, the sum that led to it stays on the table.
  toldFrame() {
    const { line, position, frame } = this.study.walk;
    const open = frame.kind === "ask" && !this.study.story.answerTo(frame);
    if (!open || position === 0) return frame;
    for (let index = position - 1; index >= 0 && !isNewPart(line.at(index)); index -= 1) {
      if (line.at(index).sum) return line.at(index);
    }
    return line.at(position - 1);
  }

  // The throws that belong to what is told: back to the last decision.
  rollsBefore(frame) {
    const { line } = this.study.walk;
    if (isNewPart(frame)) return frame.dice ? [frame] : [];
    const rolls = [];
    let index = line.positionOf(frame.id);
    for (; index >= 0 && !isNewPart(line.at(index)) && rolls.length < 3; index -= 1) {
      const one = line.at(index);
      if (one.dice) rolls.unshift(one);
      else if (one.sum && one !== frame && rolls.length) break;
    }
    return rolls;
  }

  redraw() {
    const { study, told } = this;
    const rolls = this.rollsBefore(told);
    const left = rolls.length ? this.dice(rolls) : this.glyph(told);
    const words = make("p", {}, this.words(told));
    const said = make("div", { class: "tk-said" }, words, told.sum ? this.sum(told.sum) : null);
    const chips = (told.clauses || []).slice(0, 3).map((id) => study.chip(id));
    this.element.replaceChildren(left, said, make("div", { class: "tk-chips" }, chips));
  }

  words(frame) {
    return wordNodes(this.study.sentence(frame), this.study.meta.people);
  }

  glyph(frame) {
    const { people } = this.study.meta;
    const who = frame.people?.[0] ?? (frame.say || []).find((part) => typeof part === "number");
    const inside = people[who] ? miniToken(people[who], 38) : makeIcon("clock", 18);
    return make("div", { class: "tk-glyph" }, inside);
  }

  // ---- the sum

  sum({ parts, total }) {
    const shown = (number) => (number === null || number === undefined ? "?" : String(number));
    const block = (number, words, className) => make(
      "span", { class: className }, make("b", {}, shown(number)), make("i", {}, words),
    );
    const nodes = parts.flatMap(([sign, number, words], index) => {
      const plain = sign === "-" ? "−" : sign;
      const lead = plain && (index || plain !== "+") ? make("u", {}, plain) : null;
      return [lead, block(number, words)];
    });
    if (total) nodes.push(make("u", {}, "="), block(total[0], total[1], "tk-eq"));
    return make("div", { class: "tk-sum" }, nodes);
  }

  // ---- the dice

  dice(rolls) {
    const named = rolls.length > 1;
    return make("div", { class: "tk-dice" }, rolls.map((roll) => this.throwOf(roll, named)));
  }

  throwOf(roll, named) {
    const { faces, sides, dice, why } = roll.dice;
    const count = roll.dice.count ?? (Number.parseInt(dice, 10) || 1);
    const shown = faces || Array(count).fill(null);
    const buttons = shown.slice(0, MOST_DICE).map((face, index) => this.die(roll, face, index));
    const more = shown.length - MOST_DICE;
    if (more > 0) buttons.push(make("small", {}, `+${more}`));
    const extreme = faces && faces.length > 1 && faces.every((face) => face === faces[0]);
    const best = extreme && faces[0] === sides ? " tk-crit" : "";
    const worst = extreme && faces[0] === 1 ? " tk-fumble" : "";
    const group = make("div", { class: "tk-dgroup" }, buttons);
    const label = named && why ? make("small", {}, plainWords(why, this.study.meta.people)) : null;
    return make("div", { class: `tk-dcol${best}${worst}` }, group, label);
  }

  die(roll, face, index) {
    const { sides, faces } = roll.dice;
    const free = faces !== null && this.study.live && sides <= 12;
    const label = face === null ? "a hidden die" : `die shows ${face}`;
    return make("button", {
      class: "tk-die",
      type: "button",
      disabled: !free,
      title: free ? "What if this were another face?" : null,
      "aria-label": free ? `${label}, what if it were another?` : label,
      onclick: (event) => this.whatIf(event.currentTarget, roll, index),
    }, dieFace(face, sides), free ? askMark() : null);
  }

  whatIf(button, roll, index) {
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
    const { story } = this.study;
    while (frame.kind === "roll" && story.childrenOf(frame.id)[0]) {
      frame = story.childrenOf(frame.id)[0];
    }
    return this.words(frame);
  }

  throwInstead(roll, faces) {
    const { kernel, popover, walk } = this.study;
    popover.close();
    const known = this.played(roll, faces);
    if (known) walk.go(known.id);
    else kernel.throwInstead(roll, faces);
  }
}
