// The line one is on: the steps from the first one to a tip of the tree. A step's place on it is
// its depth. Where it changes, only what is different is worked out again.

const cited = (frame) => {
  const clauses = [...(frame.clauses || []), frame.question?.clause];
  return [...new Set(clauses.filter(Boolean))];
};

export class Line {
  constructor(story) {
    this.story = story;
    this.clear();
  }

  clear() {
    this.frames = [];
    this.starts = [];
    this.cited = new Map();
    this.remakings = this.story.remakings;
  }

  get tip() {
    return this.frames.at(-1);
  }

  get length() {
    return this.frames.length;
  }

  // Changes whenever the line does.
  get key() {
    return `${this.remakings} ${this.tip?.id}`;
  }

  get isMain() {
    return this.story.isMain(this.tip);
  }

  at(position) {
    return position < 0 ? undefined : this.frames[position];
  }

  has(frame) {
    return this.frames[this.story.depthOf(frame.id)] === frame;
  }

  positionOf(id) {
    const frame = this.story.get(id);
    return frame && this.has(frame) ? this.story.depthOf(frame.id) : -1;
  }

  follow(tip) {
    const { story } = this;
    if (this.remakings !== story.remakings) this.clear();
    const ahead = [];
    let frame = story.get(tip);
    while (frame && !this.has(frame)) {
      ahead.push(frame);
      frame = story.parentOf(frame);
    }
    this.cutAfter(frame ? story.depthOf(frame.id) : -1);
    for (const next of ahead.reverse()) this.add(next);
  }

  add(frame) {
    const position = this.frames.length;
    if (position) this.story.visit(this.tip, frame);
    if (this.story.beginsAt(frame)) this.starts.push(position);
    for (const id of cited(frame)) {
      if (!this.cited.has(id)) this.cited.set(id, []);
      this.cited.get(id).push(position);
    }
    this.frames.push(frame);
  }

  cutAfter(position) {
    while (this.frames.length > position + 1) {
      for (const id of cited(this.frames.pop())) this.cited.get(id).pop();
    }
    while (this.starts.at(-1) > position) this.starts.pop();
  }

  // ---- the headings: turns, and whatever else has a name

  // Which of the headings a position is under; -1 before the first.
  headingOf(position) {
    let [low, high] = [0, this.starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= position) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  // From and up to which position the heading of a position reaches.
  reachOf(position) {
    const heading = this.headingOf(position);
    return [this.starts[heading] ?? 0, this.starts[heading + 1] ?? this.frames.length];
  }

  // Where the heading of a position begins, or the one before; forward, where the next one does.
  headingFrom(position, direction) {
    const [from, to] = this.reachOf(position);
    if (direction > 0) return Math.min(to, this.length - 1);
    return from < position ? from : this.reachOf(Math.max(0, from - 1))[0];
  }

  // ---- the rules: where each of them is cited

  citedBy(position) {
    return cited(this.frames[position]);
  }

  usesOf(clause) {
    return this.cited.get(clause) || [];
  }
}
