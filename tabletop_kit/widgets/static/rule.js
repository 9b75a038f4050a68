// The rule of the step, or the one that is pinned: its words, its numbers here, where it was used.
// Where this panel is out of sight, a rule one asks for is shown beside the hand.
import { clauseWords } from "./clausewords.js";
import { iconButton, make, makeIcon, setAttribute, setText, whenChanged } from "./dom.js";

const MOST_USES = 24;
// Pixels; of a panel that shows less than this nothing can be read.
const LEAST_SEEN = 120;

export class Rule {
  constructor(study) {
    this.study = study;
    this.note = make("span");
    this.free = iconButton("close", "Follow the step again", () => study.pin(null));
    const head = make("div", { class: "tk-ph" }, makeIcon("book", 15), make("h3", {}, "Rule"));
    head.append(this.note, this.free);
    this.body = make("div", { class: "tk-cl", tabindex: "-1" });
    const about = { class: "tk-st-clause", "aria-label": "Rule text" };
    this.element = make("section", about, head, this.body);
    this.scrolled = 0;
    this.body.addEventListener("scroll", () => { this.scrolled = this.body.scrollTop; });
    this.draw = whenChanged(() => this.redraw());
  }

  update() {
    const { study } = this;
    const { line, at } = study.walk;
    this.id = study.pinned || this.lastCited();
    setText(this.note, study.pinned ? "pinned" : "of this step");
    this.free.hidden = !study.pinned;
    const sum = this.sumHere();
    this.draw(`${this.id} ${line.usesOf(this.id).length} ${line.key} ${sum ? at : ""}`);
    this.markUses();
  }

  // A step without a clause keeps the text of the one before it.
  lastCited() {
    const { line, position } = this.study.walk;
    for (let index = position; index >= 0; index -= 1) {
      const [first] = line.citedBy(index);
      if (first) return first;
    }
    return null;
  }

  isInSight() {
    const { top, bottom } = this.element.getBoundingClientRect();
    return top < window.innerHeight - LEAST_SEEN && bottom > LEAST_SEEN;
  }

  showBeside(chip, id) {
    const { study } = this;
    const clause = study.meta.clauses[id];
    if (!clause) return;
    const about = { class: "tk-btn tk-btn-line", type: "button", onclick: () => this.keep(id) };
    const more = make("button", about, makeIcon("book", 14), "where it was used");
    study.popover.toggle(chip, clause.title, "tk-pop-clause", [...clauseWords(id, clause), more]);
  }

  keep(id) {
    this.study.popover.close();
    this.study.pin(id);
    this.element.scrollIntoView({ block: "nearest" });
  }

  sumHere() {
    const { frame, line, position } = this.study.walk;
    return frame.sum && line.citedBy(position).includes(this.id) ? frame.sum : null;
  }

  redraw() {
    this.uses = [];
    const clause = this.study.meta.clauses[this.id];
    if (!clause) {
      const words = this.id ? `The words of ${this.id} are not at hand.` : "No rule is cited here.";
      this.body.replaceChildren(make("p", {}, words));
      return;
    }
    this.body.replaceChildren(
      make("h4", {}, clause.title),
      ...clauseWords(this.id, clause),
      ...[this.numbers(), this.usesRow()].filter(Boolean),
    );
    if (this.scrolled) this.study.afterChanges(() => { this.body.scrollTop = 0; });
  }

  numbers() {
    const sum = this.sumHere();
    if (!sum) return null;
    const shown = (number) => number ?? "?";
    const parts = sum.parts.map(([sign, number], index) => {
      const lead = sign === "-" ? "−" : sign;
      return `${lead && (index || lead !== "+") ? ` ${lead} ` : ""}${shown(number)}`;
    });
    const total = sum.total ? [
      " = ", make("b", { class: "tk-strong" }, String(shown(sum.total[0]))), ` ${sum.total[1]}`,
    ] : [];
    return make("div", { class: "tk-cl-now" }, "Here: ", parts.join(""), total);
  }

  usesRow() {
    const { line, position } = this.study.walk;
    const all = line.usesOf(this.id);
    if (!all.length) return null;
    const near = all.findIndex((index) => index >= position);
    const from = Math.max(0, Math.min(near - MOST_USES / 2, all.length - MOST_USES));
    const shown = all.slice(from, from + MOST_USES);
    this.uses = shown.map((index) => {
      const button = make("button", {
        type: "button", onclick: () => this.study.walk.go(line.at(index).id),
      }, String(index + 1));
      return { index, button };
    });
    const rest = all.length - shown.length;
    const more = rest ? ` and ${rest} more` : "";
    const buttons = this.uses.map(({ button }) => button);
    return make("div", { class: "tk-cl-uses" }, "In this battle: step", buttons, more);
  }

  markUses() {
    const { position } = this.study.walk;
    for (const { index, button } of this.uses) {
      setAttribute(button, "aria-current", index === position ? "step" : null);
    }
  }
}
