// The head: what is played, the turns as crumbs, and the tools.
import { iconButton, make, makeIcon, setAttribute, whenChanged } from "./dom.js";
import { KEY_WORDS } from "./keys.js";

const END = "End";

export class Head {
  constructor(study) {
    this.study = study;
    const { title, system } = study.meta;
    const words = make("div", { class: "tk-st-title" });
    words.append(make("b", {}, title), make("span", {}, system));
    this.crumbs = make("ol", { class: "tk-crumbs" });
    const nav = make("nav", { "aria-label": "Turns" }, this.crumbs);
    this.textButton = iconButton("list", "Board as text (T)", () => study.toggleText());
    this.motionButton = iconButton("motion", "Motion", () => study.toggleMotion());
    this.keysButton = iconButton("keyboard", "Keys (?)", () => this.showKeys());
    const tools = make("div", { class: "tk-st-tools", role: "toolbar", "aria-label": "View" });
    tools.append(this.textButton, this.motionButton, this.keysButton);
    this.element = make("header", { class: "tk-st-head" }, words, nav, tools);
    this.drawCrumbs = whenChanged(() => this.placeCrumbs());
    this.drawMotion = whenChanged((on) => this.motionButton.replaceChildren(
      makeIcon(on ? "motion" : "still"),
    ));
  }

  update() {
    const { study } = this;
    this.drawCrumbs(`${study.lineKey} ${study.frame.heading} ${study.frame.kind === "end"}`);
    this.drawMotion(String(study.motion), study.motion);
    setAttribute(this.textButton, "aria-pressed", String(study.text));
    setAttribute(this.motionButton, "aria-pressed", String(study.motion));
    setAttribute(this.motionButton, "title", study.motion ? "Motion on" : "Motion off");
  }

  placeCrumbs() {
    const { line, frame } = this.study;
    const starts = line.filter(
      (one, index) => one.heading && one.heading !== line[index - 1]?.heading,
    );
    const current = starts.findLastIndex((one) => one.heading === frame.heading);
    const named = starts.at(-1)?.heading === END;
    const over = frame.kind === "end" && !named;
    const few = starts.length <= 3;
    const items = starts.map((start, index) => this.crumb(start, index - current, over, few));
    const end = line.at(-1).kind === "end" ? line.at(-1) : null;
    if (!named) items.push(this.endCrumb(end, over));
    this.crumbs.replaceChildren(...items);
  }

  // Those far from here make room for the others: some always, some where it is narrow.
  crumb(start, distance, over, few) {
    const here = distance === 0 && !over;
    const away = few ? 0 : Math.abs(distance);
    const far = away > 2 ? "tk-far" : away > 1 ? "tk-aside" : null;
    const button = make("button", {
      type: "button",
      "aria-current": here ? "step" : null,
      onclick: () => this.study.go(start.id),
    }, distance < 0 || (distance === 0 && over) ? makeIcon("check", 12) : null, start.heading);
    return make("li", { class: far }, button);
  }

  endCrumb(end, over) {
    return make("li", {}, make("button", {
      type: "button",
      disabled: !end,
      "aria-current": over ? "step" : null,
      onclick: () => this.study.go(end.id),
    }, END));
  }

  showKeys() {
    const key = (name) => (name === "…" ? "…" : make("span", { class: "tk-key" }, name));
    const rows = KEY_WORDS.map(([keys, words]) => [
      make("dt", {}, keys.map(key)), make("dd", {}, words),
    ]);
    const list = make("dl", {}, rows);
    this.study.popover.toggle(this.keysButton, "Keys", "tk-help", list);
  }
}
