// The drawing of a course: a step-line for each, its name at the right, a cursor at the step.
// All is drawn when there is more to draw or another room for it; a step only moves the cursor,
// and the veil over what comes after it. Lines of one side differ in their pattern, the sides in
// the shape that marks each change.
import { markPath, patternsOf, placesBeside, spread, ticksOf } from "./apart.js";
import { keepEach, languageOf, make, makeSvg, setAttribute, setText } from "./dom.js";
import { figure, isKnown } from "./trail.js";

const LEAST_HEIGHT = 172;
const ROW = 16;
const NOW = 20;
const TOP = NOW + 5;
const FOOT = 10;
const LEADER = 24;
const MARK = 12;
const HEAD = 16;
const COLUMN = 8;
const NARROW = 460;
const APART = 3;
const NEAR = 16;
const TIP_GAP = 10;
const TIP_ASIDE = 38;
const NOW_WORD = "now";
const LAST_WORD = "last";
const NUMBERS_APART = 11;
const HEADINGS_NEAR = 8;
const SHARE = 0.32;

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
    this.chosen = -1;
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
    this.tip = make("div", { class: "tk-co-tip", "aria-hidden": "true", hidden: true });
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
    this.height = Math.max(LEAST_HEIGHT, this.shown.length * ROW + HEAD + FOOT);
    this.ruler.begin();
    this.layOut();
    this.drawGrid();
    this.drawHeadings();
    this.patterns = patternsOf(this.shown);
    this.beside = placesBeside(trail.line.frames.map(({ id }) => (
      this.shown.map(({ key }) => trail.values.get(id)[key])
    )));
    const deepest = Math.max(1, ...this.beside.flat().map((place) => -place));
    this.apart = Math.min(APART, (FOOT - 2) / deepest);
    this.drawn = this.shown.map((line, index) => this.way(line, index));
    this.ways.replaceChildren(...this.drawn);
    this.drawLabels();
    this.choose(-1);
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
    const figures = (head) => Math.max(ruler.width(trail.longest), ruler.width(head)) + COLUMN;
    this.figures = figures(NOW_WORD);
    this.lasts = width < NARROW ? 0 : figures(LAST_WORD);
    const beside = MARK + this.figures + this.lasts + COLUMN;
    const column = Math.min(beside + Math.max(0, ...names), Math.max(96, width * SHARE));
    this.room = column - beside;
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

  // Where a line is drawn at a step: at its value's level, or beside another line's there.
  level(index, position) {
    const value = this.trail.valuesAt(position)[this.shown[index].key];
    return isKnown(value) ? this.down(value) - this.beside[position][index] * this.apart : null;
  }

  // From step to step on the level of the value; where it is not known there is no line.
  way({ side }, index) {
    const parts = [];
    const changes = [];
    let before = null;
    this.trail.line.frames.forEach((_, position) => {
      const now = this.level(index, position);
      if (now === before) return;
      const x = this.across(position);
      if (before !== null) parts.push(`H${x}`);
      if (now !== null) parts.push(`${before === null ? `M${x} ` : "V"}${now}`);
      if (now !== null) changes.push(this.mark(side, x, now, "tk-co-change", 2.5));
      before = now;
    });
    if (before !== null) parts.push(`H${this.right}`);
    const dashes = this.patterns[index];
    return makeSvg(
      "g", { class: `tk-co-line tk-co-${side}` },
      makeSvg("path", { class: "tk-co-way", d: parts.join(""), "stroke-dasharray": dashes }),
      changes,
    );
  }

  mark(side, x, y, name, r) {
    const place = `translate(${x} ${y})`;
    return makeSvg("path", { class: name, d: markPath(side, r), transform: place });
  }

  // ---- the names at the right

  get last() {
    return this.trail.line.length - 1;
  }

  // Where a line is seen last.
  endOf(index) {
    let position = this.last;
    while (position && this.level(index, position) === null) position -= 1;
    return this.level(index, position);
  }

  drawLabels() {
    const ends = this.shown.map((_, index) => this.endOf(index));
    const places = spread(ends, HEAD + ROW / 2, this.height - ROW / 2, ROW);
    this.values = [];
    this.named = this.shown.map((line, index) => this.label(line, index, ends[index], places[index]));
    this.labels.replaceChildren(...this.columns(places), ...this.named);
  }

  // The figures of the cursor's step stand on gold, as the cursor; those of the last step beside.
  columns(places) {
    if (!places.length) return [];
    const width = this.figures + 2;
    const x = this.width - this.lasts - width;
    const height = Math.max(...places) + ROW / 2;
    const head = (words, right) => makeSvg("text", {
      class: "tk-co-column", x: right, y: 11, "text-anchor": "end",
    }, words);
    return [
      makeSvg("rect", { class: "tk-co-ground", rx: 3, x, y: 0, width, height }),
      head(NOW_WORD, x + width - 4),
      this.lasts ? head(LAST_WORD, this.width - 2) : "",
    ];
  }

  label({ key, name, side }, index, end, y) {
    const from = this.right + LEADER;
    const shown = this.ruler.fitted(name, this.room);
    const figures = (words, x, className) => makeSvg("text", {
      class: className, x, y: y + 4, "text-anchor": "end",
    }, words);
    const value = figures("", this.width - this.lasts - 4, "tk-co-value");
    this.values.push(value);
    const last = this.trail.valuesAt(this.last)[key];
    return makeSvg(
      "g", { class: `tk-co-label tk-co-${side}` },
      shown === name ? null : makeSvg("title", {}, name),
      makeSvg("rect", {
        class: "tk-co-row", rx: 3, x: from - 1, y: y - ROW / 2, height: ROW,
        width: MARK + this.room + 2,
      }),
      makeSvg("path", {
        class: "tk-co-leader", d: `M${this.right} ${end}L${from - 2} ${y}`,
        "stroke-dasharray": this.patterns[index],
      }),
      this.mark(side, from + 4, y, "tk-co-mark", 3.5),
      makeSvg("text", {
        class: "tk-co-name", x: from + MARK, y: y + 4, lang: languageOf(name),
      }, shown),
      value,
      this.lasts ? figures(isKnown(last) ? figure(last) : "–", this.width - 2, "tk-co-last") : null,
    );
  }

  // ---- one line of them

  // The line that is nearest to a point, if one is near; a name counts for its line.
  nearest(x, y) {
    const isName = x > this.right + LEADER / 2;
    const aways = this.shown.map((_, index) => (
      isName ? Math.abs(this.rowOf(index) - y) : this.away(index, x, y)
    ));
    const least = Math.min(...aways);
    return least <= (isName ? ROW / 2 : NEAR) ? aways.indexOf(least) : -1;
  }

  // From a point to a line: to its level there, or to where it falls to that.
  away(index, x, y) {
    const position = this.positionAt(x);
    const now = this.level(index, position);
    if (now === null) return Infinity;
    const before = position ? this.level(index, position - 1) ?? now : now;
    const outside = Math.max(Math.min(now, before) - y, y - Math.max(now, before), 0);
    const fall = Math.hypot(x - this.across(position), outside);
    return Math.min(Math.abs(now - y), fall);
  }

  rowOf(index) {
    return Number(this.values[index].getAttribute("y")) - 4;
  }

  // The others are faded; -1 is none.
  choose(index) {
    this.chosen = index;
    setAttribute(this.svg, "class", index < 0 ? null : "tk-co-one");
    this.shown.forEach((_, number) => {
      this.drawn[number].classList.toggle("tk-co-on", number === index);
      this.named[number].classList.toggle("tk-co-on", number === index);
    });
    if (index >= 0) this.ways.append(this.drawn[index]);
    else this.tip.hidden = true;
  }

  // Names a line and its value at a step, beside it and within the chart.
  showTip(index, position) {
    const y = this.level(index, position);
    this.choose(y === null ? -1 : index);
    if (y === null) return;
    const { key, name } = this.shown[index];
    const value = figure(this.trail.valuesAt(position)[key]);
    const words = this.ruler.fitted(name, this.width / 2);
    const step = `step ${position + 1}`;
    this.tip.replaceChildren(
      make("b", { lang: languageOf(name) }, words), ` ${value}`, make("span", {}, step),
    );
    this.tip.hidden = false;
    this.placeTip(this.across(position), y, position === this.position);
  }

  // Above the point; at the cursor beside it, where no figures are covered.
  placeTip(x, y, isAtCursor) {
    const { offsetWidth: width, offsetHeight: height } = this.tip;
    const side = this.isLate(x) ? x - width - TIP_ASIDE : x + TIP_ASIDE;
    const wanted = isAtCursor ? [side, y - height / 2] : [x - width / 2, y - height - TIP_GAP];
    const left = Math.max(2, Math.min(this.width - width - 2, wanted[0]));
    const over = wanted[1] < 0 ? y + TIP_GAP : wanted[1];
    const top = Math.min(this.height - height, over);
    this.tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  isLate(x) {
    return x > (this.left + this.right) / 2;
  }

  // ---- a step

  step(position) {
    const values = this.trail.valuesAt(position);
    const x = this.across(position);
    this.position = position;
    setAttribute(this.cursor, "transform", `translate(${x} 0)`);
    setAttribute(this.veil, "x", x);
    setAttribute(this.veil, "width", Math.max(0, this.right + 1 - x));
    this.shown.forEach(({ key }, index) => {
      const value = values[key];
      const mark = this.marks.children[index];
      const y = this.level(index, position);
      setAttribute(mark, "visibility", isKnown(value) ? null : "hidden");
      if (isKnown(value)) setAttribute(mark, "transform", `translate(0 ${y})`);
      setText(this.values[index], isKnown(value) ? figure(value) : "–");
    });
    this.showNumbers(this.numbersAt(values, x));
  }

  // Beside the cursor each value once, as far as there is room.
  numbersAt(values, x) {
    const all = this.shown.map(({ key }) => values[key]).filter(isKnown);
    const shown = [];
    const isLate = this.isLate(x);
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
