// Whose turns went by between an answer and the next question, and a way to watch them.
import { iconButton, make, makeIcon, personSpan, plainWords } from "./dom.js";

const MOST_NAMED = 4;

export class Passed {
  constructor(study) {
    this.study = study;
    this.from = null;
    this.to = null;
  }

  // New steps came after an answer was given at one; another one is shown now.
  note(from, to) {
    this.from = from;
    this.to = to;
  }

  forget() {
    this.from = null;
    this.study.update();
  }

  get key() {
    return `${this.from} ${this.to}`;
  }

  // The first step of every turn in between: neither of whoever acted at the answer nor of
  // whoever acts now.
  turnsBefore(frame) {
    const { story, walk } = this.study;
    const start = story.get(this.from);
    if (!start || frame.id !== this.to) return [];
    const place = walk.line.positionOf(start.id);
    if (place < 0) return [];
    const turns = [];
    let last = story.factsAt(start.id).active;
    for (const step of walk.line.frames.slice(place + 1, walk.position + 1)) {
      const { active } = story.factsAt(step.id);
      if (active !== last && typeof active === "number") turns.push({ who: active, step });
      last = active;
    }
    return turns.at(-1)?.who === last ? turns.slice(0, -1) : turns;
  }

  // A list for a sentence: numbers are people.
  words(turns) {
    const named = turns.slice(0, MOST_NAMED);
    const more = turns.length - named.length;
    const count = turns.length === 1 ? "1 turn passed: " : `${turns.length} turns passed: `;
    const names = named.flatMap(({ who }, at) => (at ? [", ", who] : [who]));
    return [count, ...names, more ? ` and ${more} more.` : "."];
  }

  plainWordsFor(frame) {
    const turns = this.turnsBefore(frame);
    return turns.length ? `${plainWords(this.words(turns), this.study.meta.people)} ` : "";
  }

  nodeFor(frame) {
    const turns = this.turnsBefore(frame);
    if (!turns.length) return null;
    const { people } = this.study.meta;
    const words = this.words(turns).map((part) => (
      typeof part === "number" ? personSpan(part, people) : part
    ));
    const watch = make("button", {
      class: "tk-btn tk-btn-line", type: "button", onclick: () => this.watch(turns[0].step),
    }, makeIcon("play", 14), "Watch");
    const close = iconButton("close", "Close", () => this.forget());
    const about = { class: "tk-note tk-passed", role: "note" };
    return make("div", about, makeIcon("clock", 15), make("p", {}, words), watch, close);
  }

  watch(step) {
    const { walk } = this.study;
    walk.go(step.id);
    walk.playOn("end");
  }
}
