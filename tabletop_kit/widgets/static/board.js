// The board: the scene of the frame one is on, tokens to point at, and the same in words.
import { make } from "./dom.js";
import { Painter } from "./painter.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const MARGIN = 12;
const SCENE_MARGIN = 0.5;
const TIP_GAP = 6;

export class Board {
  constructor(study) {
    this.study = study;
    this.host = make("div", { class: "tk-board-host" });
    this.words = make("div", { class: "tk-astext", hidden: true });
    this.element = make("section", { class: "tk-st-board", "aria-label": "Board" });
    this.tip = make("div", { class: "tk-tip", "aria-hidden": "true", hidden: true });
    this.element.append(this.host, this.words, this.tip);
    const { width, height, stretch, alt, title } = study.meta;
    if (stretch) study.root.style.setProperty("--tk-board-least", `${height + MARGIN}px`);
    this.painter = new Painter(this.host, { width, height, stretch, alt: alt || title });
    this.shown = null;
    this.hovered = null;
    this.listen();
  }

  listen() {
    const { host } = this;
    host.addEventListener("click", (event) => this.pick(this.tokenOf(event)));
    host.addEventListener("keydown", (event) => this.onKey(event));
    host.addEventListener("pointerover", (event) => this.hover(this.tokenOf(event)));
    host.addEventListener("pointerleave", () => this.hover(null));
  }

  measure() {
    const fills = getComputedStyle(this.host).position === "absolute";
    const height = fills ? this.host.clientHeight : null;
    this.painter.fit(this.host.clientWidth || this.study.meta.width, height);
  }

  update() {
    const { study } = this;
    const { at } = study.walk;
    if (this.shown === at && this.asText === study.text) return;
    const added = this.painter.paint(study.story.sceneAt(at), study.motion && this.shown !== null);
    this.shown = at;
    if (added) this.makeReachable();
    if (this.asText !== study.text) this.swap(study.text);
    if (study.text) this.describe();
  }

  // ---- tokens can be reached: one of them by Tab, the others by the arrows

  tokens() {
    return [...this.painter.layers.tokens.querySelectorAll(".tk-token[data-id]")];
  }

  makeReachable() {
    const tokens = this.tokens();
    for (const token of tokens) {
      if (token.hasAttribute("tabindex")) continue;
      token.setAttribute("tabindex", "-1");
      token.setAttribute("role", "button");
    }
    if (!tokens.some((token) => token.getAttribute("tabindex") === "0")) {
      tokens[0]?.setAttribute("tabindex", "0");
    }
  }

  tokenOf(event) {
    return event.target.closest?.(".tk-token[data-id]")?.getAttribute("data-id") ?? null;
  }

  hover(id) {
    if (id === this.hovered) return;
    this.hovered = id;
    this.study.question.pointing.atToken(id);
  }

  pick(id) {
    const { question } = this.study;
    if (id) question.pointing.pick(id, question);
  }

  // A few words beside a token; none take them away.
  tell(id, words = "") {
    if (!words && this.tip.hidden) return;
    this.tip.textContent = words;
    this.tip.hidden = !words;
    if (words) this.placeTip(this.tokens().find((token) => token.getAttribute("data-id") === id));
  }

  placeTip(token) {
    const around = this.element.getBoundingClientRect();
    const { left, right, top, bottom } = token.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.tip;
    const middle = (left + right - width) / 2 - around.left;
    const below = bottom - around.top + TIP_GAP;
    const above = top - around.top - height - TIP_GAP;
    const fits = below + height < around.height;
    this.tip.style.left = `${Math.max(TIP_GAP, Math.min(around.width - width - TIP_GAP, middle))}px`;
    this.tip.style.top = `${fits ? below : above}px`;
  }

  onKey(event) {
    const id = this.tokenOf(event);
    if (!id || event.altKey || event.ctrlKey || event.metaKey) return;
    const direction = ARROWS[event.key];
    if (event.key === "Enter") this.pick(id);
    else if (direction) this.walkFrom(id, direction);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  walkFrom(id, [right, down]) {
    const [x, y] = this.painter.placeOf(id);
    let best = null;
    for (const token of this.tokens()) {
      const [left, top] = this.painter.placeOf(token.getAttribute("data-id"));
      const along = (left - x) * right + (top - y) * down;
      const across = Math.abs((left - x) * down) + Math.abs((top - y) * right);
      if (along < 4) continue;
      const cost = along + 2 * across;
      if (!best || cost < best.cost) best = { cost, token };
    }
    if (!best) return;
    for (const token of this.tokens()) token.setAttribute("tabindex", "-1");
    best.token.setAttribute("tabindex", "0");
    best.token.focus();
  }

  // Marks are { element id: state or [states] }, as an option carries them.
  mark(marks) {
    const lists = Object.entries(marks).map(([id, state]) => [id, [state].flat()]);
    this.painter.mark(new Map(lists));
  }

  // ---- in words: place by place, who stands there

  swap(text) {
    this.asText = text;
    this.host.hidden = Boolean(text);
    this.words.hidden = !text;
  }

  describe() {
    const groups = describeScene(this.painter.scene);
    const sections = groups.map(({ title, lines }) => {
      const items = (lines.length ? lines : ["nobody"]).map((line) => make("li", {}, line));
      return make("section", {}, make("h3", {}, title), make("ul", {}, items));
    });
    this.words.replaceChildren(make("div", { class: "tk-places" }, sections));
  }
}

// ---- which token is where: by its place, if it names one, else by where it is drawn

const scenePart = (value) => (Array.isArray(value) ? value[0] : value);

function holds(zone, x, y) {
  const { x: left, y: top, width, height, cx, cy, r } = zone.attributes;
  if (width !== undefined) {
    const [x0, y0, wide, high] = [left, top, width, height].map(scenePart);
    return x >= x0 - SCENE_MARGIN && x <= x0 + wide && y >= y0 - SCENE_MARGIN && y <= y0 + high;
  }
  if (r === undefined) return false;
  return Math.hypot(x - scenePart(cx), y - scenePart(cy)) <= scenePart(r);
}

function zonesOf(scene) {
  const zones = [];
  for (const [id, entry] of scene) {
    if (id.startsWith("zone-") && !id.includes(".") && entry.attributes.say) {
      zones.push({ id, title: entry.attributes.say, shapes: [entry], lines: [] });
    } else if (id.startsWith("zone-")) {
      zones.find((zone) => id.startsWith(`${zone.id}.`))?.shapes.push(entry);
    }
  }
  return zones;
}

function zoneOf(entry, zones) {
  const { place, at } = entry.attributes;
  if (place) return zones.find(({ id }) => id === place || id === `zone-${place}`);
  const [x, y] = at.map(scenePart);
  return zones.find(({ shapes }) => shapes.some((shape) => holds(shape, x, y)));
}

export function describeScene(scene) {
  const zones = zonesOf(scene);
  const elsewhere = { title: "On the board", lines: [] };
  const said = [];
  for (const [id, entry] of scene) {
    const { say } = entry.attributes;
    if (!say || id.startsWith("zone-") || id.startsWith("label-")) continue;
    if (!id.startsWith("token-")) said.push(say);
    else if (!id.includes(".")) (zoneOf(entry, zones) || elsewhere).lines.push(say);
  }
  const groups = zones.map(({ title, lines }) => ({ title, lines }));
  if (elsewhere.lines.length) groups.push(elsewhere);
  if (said.length) groups.push({ title: "Also", lines: said });
  return groups;
}
