// Building and changing elements. Everything that is shown is set as text, never as markup.
import { iconParts } from "./icons.js";

const SVG_SPACE = "http://www.w3.org/2000/svg";
const absent = (value) => value === null || value === undefined || value === false;

export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (absent(value)) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => !absent(child)));
  return element;
}

export function makeSvg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG_SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (!absent(value)) element.setAttribute(name, value);
  }
  element.append(...children.flat(9).filter((child) => !absent(child)));
  return element;
}

export function setAttribute(element, name, value) {
  if (absent(value)) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

// Said again, it costs as much as said anew.
export function hide(element, hidden) {
  if (element.hidden !== Boolean(hidden)) element.hidden = hidden;
}

// The node of a text stays: a new one would cost more.
export function setText(element, text) {
  const { firstChild: node } = element;
  if (node && node === element.lastChild && node.nodeType === Node.TEXT_NODE) {
    if (node.data !== text) node.data = text;
  } else if (element.textContent !== text) element.textContent = text;
}

// Calls build only when the key differs from the last one; tells whether it did.
export function whenChanged(build) {
  let last;
  return (key, ...rest) => {
    if (key === last) return false;
    last = key;
    build(...rest);
    return true;
  };
}

// Shows a list with nodes that stay: makeOne(index) gives { element, show(item) }, once for each
// place; as many as there are items are in the parent, before the node `end`.
export function keepEach(parent, makeOne, end = null) {
  const all = [];
  let most = 0;
  return (items) => {
    items.forEach((item, index) => {
      all[index] ??= makeOne(index);
      if (index >= most) parent.insertBefore(all[index].element, end);
      all[index].show(item);
    });
    for (const { element } of all.slice(items.length, most)) element.remove();
    most = items.length;
  };
}

export function makeIcon(name, size = 16) {
  const paths = iconParts(name).map((part) => makeSvg("path", part));
  const frame = { width: size, height: size, viewBox: "0 0 16 16", focusable: "false" };
  return makeSvg("svg", { class: "tk-icon tk-i", "aria-hidden": "true", ...frame }, paths);
}

export function iconButton(icon, label, onclick, more = {}) {
  const properties = { class: "tk-btn", type: "button", title: label, "aria-label": label };
  return make("button", { ...properties, onclick, ...more }, makeIcon(icon));
}

// ---- words: a list of parts, each a string or the number of somebody

export function languageOf(text) {
  if (/[\uac00-\ud7af]/.test(text)) return "ko";
  return /[\u3040-\u30ff\u4e00-\u9fff]/.test(text) ? "ja" : null;
}

const asList = (parts) => (Array.isArray(parts) ? parts : absent(parts) ? [] : [parts]);

export const nameOf = (person, people) => people[person]?.name ?? `#${person}`;

export function plainWords(parts, people) {
  const words = (part) => (typeof part === "number" ? nameOf(part, people) : String(part));
  return asList(parts).map(words).join("");
}

function showPerson(span, number, people) {
  const person = people[number];
  const name = nameOf(number, people);
  setAttribute(span, "class", `tk-who tk-side-${person?.side || "c"}`);
  setAttribute(span, "lang", person?.lang || languageOf(name));
  setText(span, name);
}

export function personSpan(number, people) {
  const span = make("span");
  showPerson(span, number, people);
  return span;
}

// Whoever is asked: somebody, the game master, or a side by its name.
export function askerNode({ people, called }, who) {
  if (typeof who !== "number") return who === "gm" ? "Game master" : called?.[who] || String(who);
  const name = nameOf(who, people);
  return make("span", { lang: people[who]?.lang || languageOf(name) }, name);
}

// All that stands between two names is one text: a log has many thousands of them.
function inPieces(parts) {
  const pieces = [];
  for (const part of asList(parts)) {
    const isText = typeof part !== "number";
    if (isText && typeof pieces.at(-1) === "string") pieces.push(pieces.pop() + part);
    else pieces.push(isText ? String(part) : part);
  }
  return pieces.filter((piece) => piece !== "");
}

export function wordNodes(parts, people) {
  const node = (part) => (typeof part === "number" ? personSpan(part, people) : part);
  return inPieces(parts).map(node);
}

// Other words in an element that was filled with words: nodes that fit stay.
export function changeWords(element, parts, people) {
  const list = inPieces(parts);
  list.forEach((part, index) => {
    const node = element.childNodes[index];
    const isName = typeof part === "number";
    if (!node || isName !== (node.nodeType === Node.ELEMENT_NODE)) {
      const [fresh] = wordNodes([part], people);
      if (node) node.replaceWith(fresh);
      else element.append(fresh);
    } else if (isName) showPerson(node, part, people);
    else if (node.data !== part) node.data = part;
  });
  while (element.childNodes.length > list.length) element.lastChild.remove();
}

// ---- a token small enough for a line of text

function miniBody(side, radius) {
  const half = radius * 0.92;
  const className = "tk-tk-body";
  if (side === "b") {
    const size = { width: 2 * half, height: 2 * half, rx: 3 };
    return makeSvg("rect", { x: -half, y: -half, ...size, class: className });
  }
  if (side === "a") return makeSvg("circle", { r: radius, class: className });
  const far = radius * 1.1;
  return makeSvg("path", { d: `M0 ${-far}L${far} 0L0 ${far}L${-far} 0Z`, class: className });
}

// Letters that would be wider than the token are set closer; sizes are guessed, never measured.
const LETTER_WIDTHS = { W: 1.1, M: 1, m: 1.05, w: 0.92 };

function narrowed(letters, height, room) {
  const wide = [...letters].reduce((sum, one) => sum + (LETTER_WIDTHS[one] ?? 0.75), 0);
  if (wide * height <= room) return {};
  return { textLength: Math.round(room), lengthAdjust: "spacingAndGlyphs" };
}

function miniLetters(person, size, radius, toppled) {
  const letters = person.monogram || person.name;
  const wide = /[\u3000-\uffff]/.test(letters);
  const shown = wide || size > 24 ? letters : [...letters][0];
  const height = Math.max(11, radius) * (wide ? 1.1 : 1);
  const place = { y: height * 0.355, "font-size": height, "text-anchor": "middle" };
  const turn = toppled ? "rotate(90)" : null;
  const close = wide ? {} : narrowed(shown, height, 2 * radius - 4);
  return makeSvg("text", { ...place, ...close, class: "tk-t tk-mono", transform: turn }, shown);
}

export function miniToken(person, size = 26, states = []) {
  const radius = size / 2 - 3;
  const side = person?.side || "c";
  const classes = ["tk-token", `tk-side-${side}`, ...states.map((state) => `tk-s-${state}`)];
  const box = `${-size / 2} ${-size / 2} ${size} ${size}`;
  const frame = { class: "tk-mini tk-i", width: size, height: size, viewBox: box };
  const letters = miniLetters(person || { name: "?" }, size, radius, states.includes("down"));
  const token = makeSvg("g", { class: classes.join(" ") }, miniBody(side, radius), letters);
  return makeSvg("svg", { ...frame, "aria-hidden": "true" }, token);
}
