// The decisions of a turn, shown where nobody is asked.
import { make, makeIcon, miniToken, setAttribute, whenChanged, wordNodes } from "./dom.js";

const MOST_AHEAD = 6;

export class Agenda {
  constructor(study) {
    this.study = study;
    this.element = make("div", { class: "tk-agenda" });
    this.rows = [];
    this.draw = whenChanged((list, title) => this.redraw(list, title));
  }

  update() {
    const { list, title } = this.decisions();
    const ids = list.map(({ one }) => `${one.id} ${this.study.story.answerTo(one)?.id}`);
    this.draw(`${title} ${ids.join()}`, list, title);
    const { position } = this.study.walk;
    for (const { index, button } of this.rows) {
      button.classList.toggle("tk-later", index > position);
      setAttribute(button, "aria-current", index === position ? "step" : null);
    }
  }

  // Those of this turn, else the next ones; where all is over, the last ones.
  decisions() {
    const { line, position } = this.study.walk;
    const [from, to] = line.reachOf(position);
    const here = this.between(from, to);
    if (here.length) return { list: here, title: "The decisions of this turn" };
    const ahead = this.between(position + 1, line.length, MOST_AHEAD);
    if (ahead.length) return { list: ahead, title: "The next decisions" };
    return { list: this.between(0, position).slice(-MOST_AHEAD), title: "The last decisions" };
  }

  between(from, to, most = Infinity) {
    const { line } = this.study.walk;
    const found = [];
    for (let index = from; index < to && found.length < most; index += 1) {
      const one = line.at(index);
      if (one.question || one.kind === "choice") found.push({ one, index });
    }
    return found;
  }

  redraw(list, title) {
    this.rows = list.map(({ one, index }) => ({ index, button: this.row(one, index) }));
    const head = make("div", { class: "tk-og-h" }, make("b", {}, list.length ? title : ""));
    this.element.replaceChildren(head, ...this.rows.map(({ button }) => button));
  }

  row(frame, index) {
    const { story, meta, walk } = this.study;
    const who = frame.question?.who ?? frame.say.find((part) => typeof part === "number");
    const token = meta.people[who] ? miniToken(meta.people[who], 24) : makeIcon("ask");
    const open = frame.question && !story.answerTo(frame);
    const note = open ? make("small", {}, "open question") : null;
    const words = wordNodes(this.study.sentence(frame), meta.people);
    return make("button", {
      class: "tk-opt", type: "button", onclick: () => walk.go(frame.id),
    },
    make("span", { class: "tk-no" }, String(index + 1)),
    token,
    make("span", { class: "tk-olabel" }, words, note));
  }
}
