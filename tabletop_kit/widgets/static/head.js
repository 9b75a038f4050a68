// The head: what is played, the turns as crumbs, and the tools.
import { iconButton, make, makeIcon, setAttribute, whenChanged } from "./dom.js";
import { KEY_WORDS } from "./keys.js";

const END = "End";
const NARROW = 940;

export class Head {
  constructor(study) {
    this.study = study;
    const { title, system } = study.meta;
    const words = make("div", { class: "tk-st-title" });
    words.append(make("b", {}, title), make("span", {}, system));
    this.crumbs = make("ol", { class: "tk-crumbs" });
    const nav = make("nav", { "aria-label": "Turns" }, this.crumbs);
    this.noteButton = iconButton("flag", "Note at this step (N)", () => study.notes.write());
    this.noteButton.hidden = !study.live;
    this.textButton = iconButton("list", "Board as text (T)", () => study.toggleText());
    this.motionButton = iconButton("motion", "Motion", () => study.toggleMotion());
    this.keysButton = iconButton("keyboard", "Keys (?)", () => this.showKeys());
    const tools = make("div", { class: "tk-st-tools", role: "toolbar", "aria-label": "View" });
    tools.append(this.noteButton, this.textButton, this.motionButton, this.keysButton);
    this.element = make("div", { class: "tk-st-head" }, words, nav, tools);
    this.near = 2;
    this.drawCrumbs = whenChanged(() => this.placeCrumbs());
    this.drawMotion = whenChanged((on) => this.motionButton.replaceChildren(
      makeIcon(on ? "motion" : "still"),
    ));
  }

  // So many turns before and after this one are named.
  measure() {
    this.near = this.study.root.clientWidth < NARROW ? 1 : 2;
  }

  update() {
    const { study } = this;
    const { line, position, frame } = study.walk;
    const place = `${line.key} ${line.headingOf(position)} ${frame.kind === "end"}`;
    this.drawCrumbs(`${place} ${this.near}`);
    this.drawMotion(String(study.motion), study.motion);
    setAttribute(this.textButton, "aria-pressed", String(study.text));
    setAttribute(this.motionButton, "aria-pressed", String(study.motion));
    setAttribute(this.motionButton, "title", study.motion ? "Motion on" : "Motion off");
  }

  // Those near this one; where others are left out, there is a mark that leads to them.
  placeCrumbs() {
    const { line, position, frame } = this.study.walk;
    const { starts } = line;
    const current = line.headingOf(position);
    const named = line.at(starts.at(-1))?.heading === END;
    const over = frame.kind === "end" && !named;
    const few = starts.length <= 3;
    const from = few ? 0 : Math.max(0, current - this.near);
    const to = few ? starts.length : Math.min(starts.length, current + this.near + 1);
    const items = starts.slice(from, to).map((start, index) => (
      this.crumb(line.at(start), from + index - current, over)
    ));
    if (from > 0) items.unshift(this.leftOut(0, from, from - 1));
    if (to < starts.length) items.push(this.leftOut(to, starts.length, to));
    const end = line.tip.kind === "end" ? line.tip : null;
    if (!starts.length) items.push(this.beginning(over));
    if (!named) items.push(this.endCrumb(end, over));
    this.crumbs.replaceChildren(...items);
  }

  // The headings of a stretch that has no room, and the nearest of them to go to.
  leftOut(from, to, nearest) {
    const { line } = this.study.walk;
    const [first, last] = [from, to - 1].map((at) => line.at(line.starts[at]).heading);
    const title = first === last ? first : `${first} to ${last}`;
    const onclick = () => this.study.walk.go(line.at(line.starts[nearest]).id);
    const about = { type: "button", class: "tk-left-out", title, "aria-label": title, onclick };
    return make("li", {}, make("button", about, "…"));
  }

  crumb(start, distance, over) {
    const here = distance === 0 && !over;
    const button = make("button", {
      type: "button",
      "aria-current": here ? "step" : null,
      onclick: () => this.study.walk.go(start.id),
    }, distance < 0 || (distance === 0 && over) ? makeIcon("check", 12) : null, start.heading);
    return make("li", {}, button);
  }

  // Where nothing has a name yet.
  beginning(over) {
    const { line } = this.study.walk;
    return this.crumb({ id: line.at(0).id, heading: "Begins here" }, 0, over);
  }

  endCrumb(end, over) {
    return make("li", {}, make("button", {
      type: "button",
      disabled: !end,
      "aria-current": over ? "step" : null,
      onclick: () => this.study.walk.go(end.id),
    }, END));
  }

  showKeys() {
    const key = (name) => (name === "…" ? "…" : make("span", { class: "tk-key" }, name));
    const useful = KEY_WORDS.filter(([, , when]) => !when || this.study.live);
    const rows = useful.map(([keys, words]) => [
      make("dt", {}, keys.map(key)), make("dd", {}, words),
    ]);
    const list = make("dl", {}, rows);
    this.study.popover.toggle(this.keysButton, "Keys", "tk-help", list);
  }
}
