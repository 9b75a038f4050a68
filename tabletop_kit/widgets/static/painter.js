// Draws elements as SVG and, from one scene to the next, touches only those that changed.
// An element is { tag, attributes, text }. A length is a number, or a pair [p, o]: k * p + f * o.
import PATTERNS from "../../data/patterns.json";
import { iconParts } from "./icons.js";
import { makeSvg, setAttribute, setText } from "./dom.js";

export const LAYERS = ["ground", "over", "marks", "tokens", "front", "labels"];
const DOWNWARD = new Set(["y", "y1", "y2", "cy", "height", "dy", "ry"]);
const PLACED = new Set(["class", "in", "at", "d", "say", "icon", "size", "place"]);
const WALK = { duration: 260, easing: "cubic-bezier(.2, .7, .2, 1)" };
const LEAST = 0.92;
const LINKS = /\btk-link-(attack|measure)\b/;
const COUNTER = Symbol.for("tabletop_kit.painters");

// Which numbers of a path command run downward: every second one, but for H, V and A.
function isDownward(command, place) {
  if (command === "V") return true;
  if (command === "A") return place % 7 === 1 || place % 7 === 6;
  return command !== "H" && place % 2 === 1;
}

const isPair = (value) => Array.isArray(value);
const rounded = (value) => Math.round(value * 100) / 100;
const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

// Textures, by the names that elements use in fill="url(#name)".
function textures(prefix) {
  const each = Object.entries(PATTERNS).map(([name, tile]) => {
    const { size, rotate, d } = tile;
    const frame = { id: prefix + name, width: size, height: size, patternUnits: "userSpaceOnUse" };
    const turn = { patternTransform: rotate ? `rotate(${rotate})` : null };
    return makeSvg("pattern", { ...frame, ...turn }, makeSvg("path", { d, class: tile.class }));
  });
  return makeSvg("defs", {}, each);
}

export class Painter {
  constructor(host, scale) {
    globalThis[COUNTER] = (globalThis[COUNTER] || 0) + 1;
    this.prefix = `tk${globalThis[COUNTER]}-`;
    this.scale = scale;
    this.drawn = new Map();
    this.marks = new Map();
    this.scene = new Map();
    this.layers = Object.fromEntries(
      LAYERS.map((name) => [name, makeSvg("g", { class: `tk-l-${name}` })]),
    );
    const about = { class: "tk-scene tk-i", role: "group", "aria-label": scale.alt };
    this.svg = makeSvg("svg", about, textures(this.prefix), Object.values(this.layers));
    host.append(this.svg);
  }

  // The size the host gives: a width, and a height where it has one of its own. Where that is
  // narrower than the scene bears, the whole picture is drawn smaller.
  fit(given, height = null) {
    const { width: across, height: down, stretch } = this.scale;
    const width = Math.max(given, across * LEAST);
    const shrink = given / width;
    let kx = width / across;
    if (!stretch && height) kx = Math.min(kx, height / down);
    const tall = height ? height / shrink / down : Math.min(kx, 1.05);
    const ky = stretch ? Math.max(1, tall) : kx;
    const size = { width: Math.floor(across * kx), height: Math.ceil(down * ky) };
    this.svg.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
    for (const name in size) this.svg.setAttribute(name, Math.floor(size[name] * shrink));
    const k = this.k;
    if (k && k.x === kx && k.y === ky) return;
    this.k = { x: kx, y: ky, f: clamp(0.6 + 0.4 * kx, 1, 1.3) };
    for (const record of this.drawn.values()) this.drawAll(record);
  }

  length(value, factor) {
    return isPair(value) ? rounded(value[0] * factor + value[1] * this.k.f) : value;
  }

  point([x, y]) {
    return [this.length(x, this.k.x), this.length(y, this.k.y)];
  }

  // ---- from one scene to the next

  paint(scene, walk = false) {
    const added = this.reconcile(scene, walk);
    const gone = [...this.drawn].filter(([id]) => !scene.has(id));
    for (const [id, record] of gone) {
      record.node.remove();
      this.drawn.delete(id);
    }
    if (added) this.putInOrder(scene);
    if (added || gone.length) this.noteLinks(scene);
    this.scene = scene;
    return added;
  }

  // Names that lines run under have a ground of their own.
  noteLinks(scene) {
    const isLink = ({ attributes }) => LINKS.test(attributes.class);
    this.svg.classList.toggle("tk-linked", [...scene.values()].some(isLink));
  }

  reconcile(scene, walk) {
    let added = false;
    for (const [id, entry] of scene) {
      const record = this.drawn.get(id);
      if (record && record.entry === entry) continue;
      if (record && record.entry.tag === entry.tag) {
        added ||= record.entry.attributes.in !== entry.attributes.in;
        this.change(record, entry, walk);
      } else {
        record?.node.remove();
        this.create(id, entry);
        added = true;
      }
    }
    return added;
  }

  create(id, entry) {
    const node = makeSvg(entry.tag);
    if (!id.includes(".")) node.setAttribute("data-id", id);
    const record = { id, node, entry };
    this.drawn.set(id, record);
    this.drawAll(record);
  }

  change(record, entry, walk) {
    const before = record.entry;
    record.entry = entry;
    for (const name in { ...before.attributes, ...entry.attributes }) {
      if (before.attributes[name] !== entry.attributes[name]) this.draw(record, name);
    }
    if (before.text !== entry.text) this.drawText(record);
    if (walk && before.attributes.at && entry.attributes.at) this.walk(record, before);
  }

  walk({ node, entry }, before) {
    const from = this.point(before.attributes.at);
    const to = this.point(entry.attributes.at);
    if (from[0] === to[0] && from[1] === to[1]) return;
    const steps = [from, to].map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
    node.animate(steps, WALK);
  }

  home(entry) {
    const parent = entry.attributes.in;
    return this.layers[parent] || this.drawn.get(parent)?.node || this.layers.marks;
  }

  // New nodes go where the scene has them: before the next one of the same group.
  putInOrder(scene) {
    const following = new Map();
    for (const [id, entry] of [...scene].reverse()) {
      const { node } = this.drawn.get(id);
      const home = this.home(entry);
      const next = following.get(home) ?? null;
      if (node.parentNode !== home || node.nextSibling !== next) home.insertBefore(node, next);
      following.set(home, node);
    }
  }

  // ---- one element

  drawAll(record) {
    for (const name in record.entry.attributes) this.draw(record, name);
    this.drawText(record);
  }

  draw(record, name) {
    const { node, entry } = record;
    const value = entry.attributes[name];
    if (name === "class") this.drawClass(record);
    else if (name === "say") this.drawWords(record);
    else if (name === "icon" || name === "size") this.drawIcon(record);
    else if (name === "at") setAttribute(node, "transform", this.translation(value));
    else if (name === "d") setAttribute(node, "d", this.pathOf(value));
    else if (!PLACED.has(name)) setAttribute(node, name, this.plainValue(entry, name, value));
  }

  plainValue(entry, name, value) {
    if (isPair(value)) {
      const down = DOWNWARD.has(name) && !(name === "ry" && entry.tag === "rect");
      return this.length(value, down ? this.k.y : this.k.x);
    }
    if (typeof value === "string" && value.startsWith("url(#")) {
      return value.replace("url(#", `url(#${this.prefix}`);
    }
    return value;
  }

  translation(at) {
    if (!at) return null;
    const [x, y] = this.point(at);
    return `translate(${x} ${y})`;
  }

  pathOf(parts) {
    if (!Array.isArray(parts)) return parts;
    let command = "M";
    let place = 0;
    const words = parts.map((part) => {
      if (typeof part === "string") {
        command = part;
        place = 0;
        return part;
      }
      const factor = isDownward(command.toUpperCase(), place) ? this.k.y : this.k.x;
      place += 1;
      return this.length(part, factor);
    });
    return words.join(" ");
  }

  drawClass({ id, node, entry }) {
    const states = this.marks.get(id) || [];
    const classes = [entry.attributes.class || "", ...states.map((state) => `tk-s-${state}`)];
    setAttribute(node, "class", classes.join(" ").trim());
  }

  drawWords(record) {
    const { node, entry } = record;
    const words = entry.attributes.say;
    setAttribute(node, "aria-label", words);
    if (entry.tag === "text") return;
    record.title ??= node.insertBefore(makeSvg("title"), node.firstChild);
    setText(record.title, words || "");
  }

  drawText({ node, entry }) {
    if (entry.tag === "text") setText(node, entry.text ?? "");
  }

  drawIcon(record) {
    const { icon, size } = record.entry.attributes;
    record.glyph?.remove();
    if (!icon) return;
    const wide = this.length(size ?? [0, 16], this.k.x);
    const place = { transform: `translate(${-wide / 2} ${-wide / 2}) scale(${wide / 16})` };
    const paths = iconParts(icon).map((part) => makeSvg("path", part));
    record.glyph = makeSvg("g", { class: "tk-i", "aria-hidden": "true", ...place }, paths);
    record.node.append(record.glyph);
  }

  // ---- states the page adds for a moment: { element id: [state] }

  mark(marks) {
    const before = this.marks;
    this.marks = marks;
    for (const id of new Set([...before.keys(), ...marks.keys()])) {
      if (String(before.get(id)) === String(marks.get(id))) continue;
      const record = this.drawn.get(id);
      if (record) this.drawClass(record);
    }
  }

  nodeOf(id) {
    return this.drawn.get(id)?.node;
  }

  placeOf(id) {
    const at = this.drawn.get(id)?.entry.attributes.at;
    return at ? this.point(at) : null;
  }
}
