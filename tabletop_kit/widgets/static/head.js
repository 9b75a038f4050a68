// The head: what is played, the turns as crumbs, and the tools.
import { iconButton, make, makeIcon, setAttribute, whenChanged } from "./dom.js";
import { KEY_WORDS } from "./keys.js";

const END = "End";
const NEAR = 2;

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
    this.drawCrumbs = whenChanged(() => this.placeCrumbs());
    this.drawMotion = whenChanged((on) => this.motionButton.replaceChildren(
      makeIcon(on ? "motion" : "still"),
    ));
  }

  update() {
    const { study } = this;
    const { line, position, frame } = study.walk;
    this.drawCrumbs(`${line.key} ${line.headingOf(position)} ${frame.kind === "end"}`);
    this.drawMotion(String(study.motion), study.motion);
    setAttribute(this.textButton, "aria-pressed", String(study.text));
    setAttribute(this.motionButton, "aria-pressed", String(study.motion));
    setAttribute(this.motionButton, "title", study.motion ? "Motion on" : "Motion off");
  }

  // Those near this one; some of them only where there is room.
  placeCrumbs() {
    const { line, position, frame } = this.study.walk;
    const { starts } = line;
    const current = line.headingOf(position);
    const named = line.at(starts.at(-1))?.heading === END;
    const over = frame.kind === "end" && !named;
    const few = starts.length <= 3;
    const from = few ? 0 : Math.max(0, current - NEAR);
    const shown = few ? starts : starts.slice(from, current + NEAR + 1);
    const items = shown.map((start, index) => {
      const distance = from + index - current;
      return this.crumb(line.at(start), distance, over, !few && Math.abs(distance) > 1);
    });
    const end = line.tip.kind === "end" ? line.tip : null;
    if (!named) items.push(this.endCrumb(end, over));
    this.crumbs.replaceChildren(...items);
  }

  crumb(start, distance, over, aside) {
    const here = distance === 0 && !over;
    const button = make("button", {
      type: "button",
      "aria-current": here ? "step" : null,
      onclick: () => this.study.walk.go(start.id),
    }, distance < 0 || (distance === 0 && over) ? makeIcon("check", 12) : null, start.heading);
    return make("li", { class: aside ? "tk-aside" : null }, button);
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
