// The log of the line one is on, under its headings; what is still to come is grey.
import { make, setText, whenChanged, wordNodes } from "./dom.js";

export class Log {
  constructor(study) {
    this.study = study;
    this.note = make("span");
    this.list = make("ol", { class: "tk-log", tabindex: "-1" });
    const head = make("div", { class: "tk-ph" }, make("h3", {}, "Log"), this.note);
    this.element = make("section", { class: "tk-st-log", "aria-label": "Log" }, head, this.list);
    this.list.addEventListener("click", (event) => this.onClick(event));
    this.rows = [];
    this.shown = null;
    this.build = whenChanged(() => this.rebuild());
    this.mark = whenChanged(() => this.markChips());
  }

  onClick(event) {
    if (event.target.closest(".tk-chip")) return;
    const row = event.target.closest(".tk-ev");
    if (row) this.study.go(Number(row.dataset.frame));
  }

  update() {
    const { study } = this;
    setText(this.note, study.onMain ? "main line" : "a branch");
    this.build(study.lineKey);
    this.mark(`${study.lineKey} ${study.pinned}`);
    this.moveTo(study.position);
  }

  // Rows that are the same as before stay; only those after the first difference are made anew.
  rebuild() {
    const { line } = this.study;
    let same = 0;
    while (same < this.rows.length && same < line.length && this.rows[same].frame === line[same]) {
      same += 1;
    }
    for (const { nodes } of this.rows.splice(same)) nodes.forEach((node) => node.remove());
    if (this.shown >= same) this.shown = null;
    for (let index = same; index < line.length; index += 1) this.addRow(line[index], index);
  }

  addRow(frame, index) {
    const nodes = [];
    if (frame.heading && frame.heading !== this.rows[index - 1]?.frame.heading) {
      nodes.push(make("li", { class: "tk-log-h" }, frame.heading));
    }
    const { study } = this;
    const words = wordNodes(study.sentence(frame), study.meta.people);
    const chips = (frame.clauses || []).slice(0, 1).map((id) => study.chip(id));
    const row = make(
      "li", { class: "tk-ev tk-later", "data-frame": frame.id },
      make("span", { class: "tk-no" }, String(index + 1)),
      make(
        "div", {},
        make("button", { class: "tk-ev-t", type: "button" }, words), " ",
        make("span", { class: "tk-chips" }, chips),
      ),
    );
    nodes.push(row);
    this.list.append(...nodes);
    this.rows.push({ frame, row, nodes });
  }

  moveTo(position) {
    const before = this.shown ?? -1;
    if (before === position) return;
    this.rows[before]?.row.removeAttribute("aria-current");
    const [from, to] = [Math.min(before, position), Math.max(before, position)];
    for (let index = Math.max(0, from); index <= to; index += 1) {
      this.rows[index].row.classList.toggle("tk-later", index > position);
    }
    this.rows[position].row.setAttribute("aria-current", "step");
    this.shown = position;
    this.study.afterPaint(() => this.follow());
  }

  // Runs once all changes of a step are made, so that the layout is worked out a single time.
  follow() {
    const row = this.rows[this.shown]?.row;
    if (!row) return;
    const top = row.offsetTop - this.list.offsetTop;
    const bottom = top + row.offsetHeight;
    const { scrollTop, clientHeight } = this.list;
    if (top < scrollTop + 26) this.list.scrollTop = Math.max(0, top - clientHeight / 2);
    else if (bottom > scrollTop + clientHeight - 8) {
      this.list.scrollTop = bottom - clientHeight + 24;
    }
  }

  markChips() {
    for (const chip of this.list.querySelectorAll(".tk-chip")) this.study.markChip(chip);
  }
}
