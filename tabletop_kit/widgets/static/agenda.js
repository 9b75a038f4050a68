// The decisions of a turn, shown where nobody is asked.
import { make, makeIcon, miniToken, setAttribute, whenChanged, wordNodes } from "./dom.js";

const MOST_AHEAD = 6;

export class Agenda {
  constructor(study) {
    this.study = study;
    this.element = make("div", { class: "tk-agenda" });
    this.rows = [];
    this.draw = whenChanged((list, own) => this.redraw(list, own));
  }

  update(frame) {
    const { list, own } = this.decisions(frame);
    this.draw(`${own} ${list.map(({ one }) => one.id).join()}`, list, own);
    const { position } = this.study;
    for (const { index, button } of this.rows) {
      button.classList.toggle("tk-later", index > position);
      setAttribute(button, "aria-current", index === position ? "step" : null);
    }
  }

  // Those of this turn, else the next ones.
  decisions(frame) {
    const { line, position } = this.study;
    const all = line.map((one, index) => ({ one, index })).filter(({ one, index }) => {
      const open = one.question && index === line.length - 1;
      return open || one.kind === "choice";
    });
    const here = all.filter(({ one }) => one.heading === frame.heading);
    if (here.length) return { list: here, own: true };
    const ahead = all.filter(({ index }) => index > position).slice(0, MOST_AHEAD);
    return { list: ahead, own: false };
  }

  redraw(list, own) {
    this.rows = list.map(({ one, index }) => ({ index, button: this.row(one, index) }));
    const title = own ? "The decisions of this turn" : "The next decisions";
    const head = make("div", { class: "tk-og-h" }, make("b", {}, list.length ? title : ""));
    this.element.replaceChildren(head, ...this.rows.map(({ button }) => button));
  }

  row(frame, index) {
    const { people } = this.study.meta;
    const who = frame.question?.who ?? frame.say.find((part) => typeof part === "number");
    const token = people[who] ? miniToken(people[who], 24) : makeIcon("ask");
    const open = frame.question ? make("small", {}, "open question") : null;
    const words = make("span", { class: "tk-olabel" }, wordNodes(frame.say, people), open);
    return make("button", {
      class: "tk-opt",
      type: "button",
      onclick: () => this.study.go(frame.id),
    }, make("span", { class: "tk-no" }, String(index + 1)), token, words);
  }
}
