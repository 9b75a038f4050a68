// What the chart tells of: the steps of the line one is on, and the values at each of them.
import { Line } from "./line.js";
import { Story } from "./story.js";

// As it is read: two decimals at most, and a minus.
export const figure = (value) => String(Math.round(value * 100) / 100).replace("-", "\u2212");

export const isKnown = (value) => value !== null && value !== undefined;

export class Trail {
  constructor(rows) {
    this.story = new Story([]);
    this.line = new Line(this.story);
    this.values = new Map();
    this.taken = 0;
    this.frame = null;
    this.least = 0;
    this.most = 0;
    this.longest = "0";
    this.takeIn(rows);
  }

  get position() {
    return this.line.positionOf(this.frame.id);
  }

  // Changes whenever another line, or more of it, is to be drawn.
  get key() {
    return `${this.line.key} ${this.taken}`;
  }

  // A row without values has those of the row it follows.
  takeIn(rows) {
    const fresh = this.story.extend(rows.slice(this.taken));
    for (const { id, parent, values } of fresh) {
      this.values.set(id, values || this.values.get(parent) || {});
      if (values) this.measure(Object.values(values).filter(isKnown));
    }
    this.taken += fresh.length;
    if (!this.frame && this.story.first) this.frame = this.story.first;
    if (this.frame && fresh.length) this.goOn();
  }

  measure(values) {
    for (const value of values) {
      this.least = Math.min(this.least, value);
      this.most = Math.max(this.most, value);
      if (figure(value).length > this.longest.length) this.longest = figure(value);
    }
  }

  // The line goes on as far as it leads.
  goOn() {
    this.frame = this.story.get(this.frame.id);
    const tip = this.line.tip || this.frame;
    this.line.follow(this.newestFrom(tip.id));
    if (this.position < 0) this.line.follow(this.newestFrom(this.frame.id));
  }

  // Tells whether there is such a step.
  go(id) {
    const frame = this.story.get(id);
    if (!frame) return false;
    this.frame = frame;
    if (this.position < 0) this.line.follow(this.newestFrom(frame.id));
    return true;
  }

  newestFrom(id) {
    let tip = this.story.get(id);
    for (let next = tip; next; next = this.story.childrenOf(tip.id).at(-1)) tip = next;
    return tip.id;
  }

  valuesAt(position) {
    return this.values.get(this.line.at(position)?.id) || {};
  }

  headingAt(position) {
    return this.line.at(position).heading;
  }
}
