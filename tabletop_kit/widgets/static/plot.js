// The drawing of a course: a step-line for each, its name at the right, a cursor at the step.
// All is drawn when there is more to draw or another room for it; a step only moves the cursor,
// and the veil over what comes after it.
import { keepEach, languageOf, make, makeSvg, setAttribute, setText } from "./dom.js";
import { figure, isKnown } from "./trail.js";

const LEAST_HEIGHT = 126;
const ROW = 16;
const NOW = 20;
const TOP = NOW + 5;
const FOOT = 8;
const LEADER = 14;
const MARK = 12;
const NUMBERS_APART = 11;
const HEADINGS_NEAR = 8;
const MOST_TICKS = 5;
const SHARE = 0.32;

// round: side a; square: side b; diamond: nobody's
function markPath(side, r = 3.5) {
  if (side === "a") return `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  if (side === "b") return `M${-r} ${-r}H${r}V${r}H${-r}Z`;
  return `M0 ${-r - 1}L${r + 1} 0L0 ${r + 1}L${-r - 1} 0Z`;
}

// Places as near to the wanted ones as they can be, in order and each a row apart.
export function spread(wanted, from, to, apart) {
  const order = wanted.map((y, index) => ({ y, index })).sort((one, other) => one.y - other.y);
  let least = from;
  for (const one of order) {
    one.y = Math.max(one.y, least);
    least = one.y + apart;
  }
  let most = to;
  for (const one of order.reverse()) {
    one.y = Math.min(one.y, most);
    most = one.y - apart;
  }
  const places = [];
  for (const { y, index } of order) places[index] = y;
  return places;
}

// Round numbers, a few of them.
export function ticksOf(least, most) {
  const rough = (most - least || 1) / MOST_TICKS;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * ten).find((one) => one >= rough);
  const ticks = [];
  for (let n = Math.ceil(least / step); n * step <= most; n += 1) ticks.push(n * step);
  return ticks;
}

class Ruler {
  constructor(element) {
    this.context = make("canvas").getContext("2d");
    this.element = element;
  }

  begin() {
    const { fontFamily } = getComputedStyle(this.element);
    this.context.font = `600 11px ${fontFamily}`;
  }

  width(words) {
    return this.context.measureText(words).width;
  }

  // The words, or as much of them as there is room for.
  fitted(words, room) {
    if (this.width(words) <= room) return words;
    const signs = [...words];
    while (signs.length > 1 && this.width(`${signs.join("")}…`) > room) signs.pop();
    return `${signs.join("").trimEnd()}…`;
  }
}

export class Plot {
  constructor(trail) {
    this.trail = trail;
    this.width = 0;
    this.grid = makeSvg("g");
    this.headings = makeSvg("g");
    this.ways = makeSvg("g");
    this.veil = makeSvg("rect", { class: "tk-co-veil", y: 0 });
    this.labels = makeSvg("g");
    this.numbers = makeSvg("g");
    this.marks = makeSvg("g");
    this.cursor = makeSvg(
      "g", { class: "tk-co-cursor" },
      makeSvg("path", { class: "tk-co-now", d: "" }),
      makeSvg("path", { class: "tk-co-top", d: `M-5 ${NOW - 7}H5L0 ${NOW}Z` }),
      this.marks, this.numbers,
    );
    this.svg = makeSvg(
      "svg", { "aria-hidden": "true" },
      this.grid, this.ways, this.veil, this.headings, this.labels, this.cursor,
    );
    this.ruler = new Ruler(this.svg);
    this.showNumbers = keepEach(this.numbers, () => this.makeNumber());
  }

  // ---- all of it

  draw(lines, width) {
    const { trail } = this;
    this.width = width;
    this.shown = lines.filter(({ key }) => trail.line.frames.some(({ id }) => (
      isKnown(trail.values.get(id)[key])
    )));
    this.height = Math.max(LEAST_HEIGHT, this.shown.length * ROW + 4);
    this.ruler.begin();
    this.layOut();
    this.drawGrid();
    this.drawHeadings();
    this.ways.replaceChildren(...this.shown.map((line) => this.way(line)));
    this.drawLabels();
    this.marks.replaceChildren(...this.shown.map(({ side }) => (
      makeSvg("path", { class: `tk-co-mark tk-co-${side}`, d: markPath(side, 4) })
    )));
    setAttribute(this.cursor.firstChild, "d", `M0 ${NOW}V${this.foot}`);
    for (const name of ["width", "height"]) setAttribute(this.svg, name, this[name]);
    setAttribute(this.svg, "viewBox", `0 0 ${this.width} ${this.height}`);
    setAttribute(this.veil, "height", this.height);
  }

  layOut() {
    const { ruler, trail, width } = this;
    const names = this.shown.map(({ name }) => ruler.width(name));
    this.figures = ruler.width(trail.longest) + 6;
    const wanted = MARK + Math.max(0, ...names) + this.figures;
    const column = Math.min(wanted + 6, Math.max(96, width * SHARE));
    this.room = column - MARK - this.figures - 6;
    this.ticks = ticksOf(trail.least, trail.most);
    this.left = Math.max(...this.ticks.map((one) => ruler.width(figure(one)))) + 10;
    this.right = width - column - LEADER;
    this.foot = this.height - FOOT;
    this.gap = (this.right - this.left) / Math.max(1, trail.line.length - 1);
  }

  across(position) {
    return this.left + position * this.gap;
  }

  down(value) {
    const { least, most } = this.trail;
    return this.foot - ((value - least) / (most - least || 1)) * (this.foot - TOP);
  }

  positionAt(x) {
    const most = this.trail.line.length - 1;
    return Math.max(0, Math.min(most, Math.round((x - this.left) / this.gap)));
  }

  drawGrid() {
    const lines = this.ticks.map((one) => (
      makeSvg("path", { class: "tk-co-grid", d: `M${this.left} ${this.down(one)}H${this.right}` })
    ));
    const words = this.ticks.map((one) => makeSvg("text", {
      class: "tk-co-tick", x: this.left - 6, y: this.down(one) + 4, "text-anchor": "end",
    }, figure(one)));
    this.grid.replaceChildren(...lines, ...words);
  }

  // A line where each turn begins; its name where it fits before the next one.
  drawHeadings() {
    const { line } = this.trail;
    const all = [];
    let free = -Infinity;
    let last = -Infinity;
    line.starts.forEach((position, index) => {
      const x = position ? this.across(position) - this.gap / 2 : this.left;
      if (x - last < HEADINGS_NEAR) return;
      last = x;
      all.push(makeSvg("path", { class: "tk-co-turn", d: `M${x} 2V${this.foot}` }));
      const words = line.at(position).heading;
      const end = x + 5 + this.ruler.width(words);
      const next = line.starts[index + 1];
      const most = next === undefined ? this.right + LEADER : this.across(next) - this.gap / 2;
      if (x < free || end > most) return;
      free = end;
      all.push(makeSvg("text", { class: "tk-co-turn-t", x: x + 5, y: 11 }, words));
    });
    this.headings.replaceChildren(...all);
  }

  // From step to step on the level of the value; where it is not known there is no line.
  way({ key, side }) {
    const { trail } = this;
    const parts = [];
    let before = null;
    trail.line.frames.forEach(({ id }, position) => {
      const value = trail.values.get(id)[key];
      const now = isKnown(value) ? value : null;
      if (now === before) return;
      const x = this.across(position);
      if (before !== null) parts.push(`H${x}`);
      if (now !== null) parts.push(`${before === null ? `M${x} ` : "V"}${this.down(now)}`);
      before = now;
    });
    if (before !== null) parts.push(`H${this.right}`);
    return makeSvg("path", { class: `tk-co-way tk-co-${side}`, d: parts.join("") });
  }

  // ---- the names at the right

  lastValue(key) {
    const { line, values } = this.trail;
    const known = line.frames.findLast(({ id }) => isKnown(values.get(id)[key]));
    return values.get(known.id)[key];
  }

  drawLabels() {
    const ends = this.shown.map(({ key }) => this.down(this.lastValue(key)));
    const places = spread(ends, ROW / 2, this.height - ROW / 2, ROW);
    this.values = [];
    const labels = this.shown.map((line, index) => (
      this.label(line, ends[index], places[index])
    ));
    this.labels.replaceChildren(this.ground(places), ...labels);
  }

  // Gold, as the cursor: the figures on it are those of its step.
  ground(places) {
    const width = this.figures + 2;
    const top = Math.min(...places) - ROW / 2;
    const height = Math.max(...places) - top + ROW / 2;
    const place = { x: this.width - width, y: top, width, height };
    return places.length ? makeSvg("rect", { class: "tk-co-ground", rx: 3, ...place }) : "";
  }

  label({ name, side }, end, y) {
    const from = this.right + LEADER;
    const shown = this.ruler.fitted(name, this.room);
    const value = makeSvg("text", {
      class: "tk-co-value", x: this.width - 4, y: y + 4, "text-anchor": "end",
    });
    this.values.push(value);
    return makeSvg(
      "g", { class: `tk-co-label tk-co-${side}` },
      shown === name ? null : makeSvg("title", {}, name),
      makeSvg("path", { class: "tk-co-leader", d: `M${this.right + 2} ${end}L${from - 2} ${y}` }),
      makeSvg("path", {
        class: "tk-co-mark", d: markPath(side), transform: `translate(${from + 4} ${y})`,
      }),
      makeSvg("text", {
        class: "tk-co-name", x: from + MARK, y: y + 4, lang: languageOf(name),
      }, shown),
      value,
    );
  }

  // ---- a step

  step(position) {
    const values = this.trail.valuesAt(position);
    const x = this.across(position);
    setAttribute(this.cursor, "transform", `translate(${x} 0)`);
    setAttribute(this.veil, "x", x);
    setAttribute(this.veil, "width", Math.max(0, this.right + 1 - x));
    this.shown.forEach(({ key }, index) => {
      const value = values[key];
      const mark = this.marks.children[index];
      setAttribute(mark, "visibility", isKnown(value) ? null : "hidden");
      if (isKnown(value)) setAttribute(mark, "transform", `translate(0 ${this.down(value)})`);
      setText(this.values[index], isKnown(value) ? figure(value) : "–");
    });
    this.showNumbers(this.numbersAt(values, x));
  }

  // Beside the cursor each value once, as far as there is room.
  numbersAt(values, x) {
    const all = this.shown.map(({ key }) => values[key]).filter(isKnown);
    const shown = [];
    const isLate = x > (this.left + this.right) / 2;
    for (const value of [...new Set(all)].sort((one, other) => other - one)) {
      const y = this.down(value);
      if (shown.length && y - shown.at(-1).y < NUMBERS_APART) continue;
      shown.push({ y, words: figure(value), isLate });
    }
    return shown;
  }

  makeNumber() {
    const element = makeSvg("text", { class: "tk-co-number" });
    const show = ({ y, words, isLate }) => {
      setAttribute(element, "x", isLate ? -9 : 9);
      setAttribute(element, "y", y + 4);
      setAttribute(element, "text-anchor", isLate ? "end" : null);
      setText(element, words);
    };
    return { element, show };
  }
}
