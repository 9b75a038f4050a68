// The log of the line one is on, under its headings; what is still to come is grey.
import { make, setText, whenChanged, wordNodes } from "./dom.js";

const ROW_HEIGHT = 46;

export class Log {
  constructor(study) {
    this.study = study;
    this.note = make("span");
    this.list = make("div", { class: "tk-log", tabindex: "-1" });
    const head = make("div", { class: "tk-ph" }, make("h3", {}, "Log"), this.note);
    this.element = make("section", { class: "tk-st-log", "aria-label": "Log" }, head, this.list);
    this.list.addEventListener("click", (event) => this.onClick(event));
    this.rows = [];
    this.part = null;
    this.shown = null;
    this.build = whenChanged(() => this.rebuild());
  }

  onClick(event) {
    if (event.target.closest(".tk-chip")) return;
    const row = event.target.closest(".tk-ev");
    if (row) this.study.walk.go(Number(row.dataset.frame));
  }

  update() {
    const { line, position } = this.study.walk;
    setText(this.note, line.isMain ? "main line" : "a branch");
    this.build(line.key);
    this.moveTo(position);
  }

  // Rows that are the same as before stay; only those after the first difference are made anew.
  rebuild() {
    const { line } = this.study.walk;
    const same = this.sameAs(line);
    for (const { nodes } of this.rows.splice(same)) nodes.forEach((node) => node.remove());
    this.part = this.rows.at(-1)?.part ?? null;
    while (this.list.lastChild !== this.part) this.list.lastChild.remove();
    if (this.shown >= same) this.shown = same ? same - 1 : null;
    for (let index = same; index < line.length; index += 1) this.addRow(line.at(index), index);
  }

  // Two lines that share a step share all before it; the question they part at may read otherwise.
  sameAs(line) {
    if (this.remakings !== line.remakings) {
      this.remakings = line.remakings;
      return 0;
    }
    let same = Math.min(this.rows.length, line.length);
    while (same && this.rows[same - 1].frame !== line.at(same - 1)) same -= 1;
    const last = this.rows[same - 1];
    return last && last.words !== this.study.sentence(last.frame) ? same - 1 : same;
  }

  // A part for each heading, which is not laid out or painted while it is out of sight.
  beginPart() {
    this.part = this.list.appendChild(make("ol", { class: "tk-log-part" }));
  }

  addRow(frame, index) {
    const nodes = [];
    const { meta, story } = this.study;
    const begins = story.beginsAt(frame);
    if (begins || !this.part) this.beginPart();
    const { part } = this;
    if (begins) nodes.push(make("li", { class: "tk-log-h" }, frame.heading));
    const words = this.study.sentence(frame);
    const chips = (frame.clauses || []).slice(0, 1).map((id) => this.study.chip(id));
    const row = make(
      "li", { class: "tk-ev tk-later", "data-frame": frame.id },
      make("span", { class: "tk-no" }, String(index + 1)),
      make(
        "div", {},
        make("button", { class: "tk-ev-t", type: "button" }, wordNodes(words, meta.people)), " ",
        make("span", { class: "tk-chips" }, chips),
      ),
    );
    nodes.push(row);
    part.append(...nodes);
    part.style.containIntrinsicBlockSize = `auto ${part.childElementCount * ROW_HEIGHT}px`;
    this.rows.push({ frame, row, nodes, part, words });
  }

  moveTo(position) {
    const before = this.shown ?? -1;
    if (before === position && this.rows[position].row.ariaCurrent) return;
    this.rows[before]?.row.removeAttribute("aria-current");
    const [from, to] = [Math.min(before, position), Math.max(before, position)];
    for (let index = Math.max(0, from); index <= to; index += 1) {
      this.rows[index].row.classList.toggle("tk-later", index > position);
    }
    this.rows[position].row.setAttribute("aria-current", "step");
    this.shown = position;
    this.study.afterChanges(() => this.follow());
  }

  // Runs once all changes of a step are made, so that the layout is worked out a single time.
  follow() {
    const row = this.rows[this.shown]?.row;
    if (!row) return;
    const { scrollTop, clientHeight } = this.list;
    const place = row.getBoundingClientRect();
    const top = place.top - this.list.getBoundingClientRect().top + scrollTop;
    const bottom = top + place.height;
    if (top < scrollTop + 26) this.list.scrollTop = Math.max(0, top - clientHeight / 2);
    else if (bottom > scrollTop + clientHeight - 8) {
      this.list.scrollTop = bottom - clientHeight + 24;
    }
  }
}
