// The rail: a node for every step as far as there is room, a lane for every branch.
import { makeSvg, setAttribute, whenChanged } from "./dom.js";
import { Lanes, RAIL_Y } from "./lanes.js";

const LEAST_APART = 5;
const HEADINGS_APART = 8;
const NAMES_END = 18;
const FLAG = "M0 -8V-17L8 -14L0 -11";
const DECISIONS = new Set(["ask", "choice"]);

// dot: told; square: dice; diamond: a decision
function nodePath(kind, scale) {
  if (kind === "roll") {
    const half = 4.5 * scale;
    return `M${-half} ${-half}H${half}V${half}H${-half}Z`;
  }
  if (DECISIONS.has(kind)) {
    const half = 6 * scale;
    return `M0 ${-half}L${half} 0L0 ${half}L${-half} 0Z`;
  }
  const r = 3 * scale;
  return `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

const flagAt = ([x, y]) => (
  makeSvg("path", { class: "tk-rail-flag", transform: `translate(${x} ${y})`, d: FLAG })
);

export class Rail {
  constructor(study) {
    this.study = study;
    this.lanes = new Lanes(study);
    this.links = makeSvg("g");
    this.nodes = makeSvg("g");
    this.headings = makeSvg("g");
    this.names = makeSvg("g");
    this.flags = makeSvg("g");
    this.drawFlags = whenChanged((places) => this.flags.replaceChildren(...places.map(flagAt)));
    this.way = makeSvg("path", { class: "tk-rail-line tk-on" });
    this.here = makeSvg("path", { class: "tk-rail-node tk-here" });
    this.focus = makeSvg("rect", { class: "tk-rail-focus", x: 1, y: 1, rx: 3 });
    const layers = [
      this.links, this.way, this.nodes, this.headings, this.names, this.flags, this.here,
      this.focus,
    ];
    this.svg = makeSvg("svg", { "aria-hidden": "true" }, layers);
  }

  update(width) {
    const { lanes, study } = this;
    const { story } = study;
    if (lanes.width !== width || lanes.remakings !== story.remakings) {
      lanes.layOut(width);
      this.redraw();
      this.fit();
    } else if (lanes.taken < story.listed.length) {
      const grown = lanes.grow();
      if (grown) grown.forEach((branch) => this.extend(branch));
      else this.redraw();
      this.fit();
    }
    const noted = study.notes.steps().map((frame) => lanes.placeOf(frame));
    this.drawFlags(noted.join(), noted);
    this.light(study.walk.frame);
    this.nameTheLine(study.walk.line.tip);
  }

  // ---- drawing

  redraw() {
    const { lanes } = this;
    for (const group of [this.links, this.nodes, this.headings, this.names]) {
      group.replaceChildren();
    }
    this.drawn = new Map();
    this.parts = new Map();
    this.starts = [];
    this.named = null;
    this.lit = null;
    this.lineBranches = [];
    lanes.branches.forEach((branch) => this.extend(branch));
  }

  // A branch as far as it is not drawn yet.
  extend(branch) {
    const part = this.parts.get(branch) || this.begin(branch);
    for (; part.shown < branch.frames.length; part.shown += 1) {
      const frame = branch.frames[part.shown];
      this.addNode(frame, part);
      if (branch === this.lanes.branches[0] && this.study.story.beginsAt(frame)) {
        this.addHeading(frame);
      }
    }
    part.link.setAttribute("d", this.wayThrough(branch, this.lanes.endOf(branch)));
    part.name?.setAttribute("x", this.lanes.endOf(branch) + 11);
  }

  fit() {
    const { width, height, used } = this.lanes;
    setAttribute(this.svg, "width", width);
    setAttribute(this.svg, "height", height);
    setAttribute(this.svg, "viewBox", `0 0 ${width} ${height}`);
    setAttribute(this.focus, "width", width - 2);
    setAttribute(this.focus, "height", used - 2);
  }

  begin(branch) {
    const link = this.links.appendChild(makeSvg("path", { class: "tk-rail-line" }));
    const part = { link, shown: 0, last: -Infinity, name: null };
    if (branch.name) {
      const place = { y: this.lanes.downOf(branch) + 4, class: "tk-rail-b" };
      part.name = this.names.appendChild(makeSvg("text", place, branch.name));
    }
    this.parts.set(branch, part);
    return part;
  }

  // From the step a branch begins at, along its lane.
  wayThrough(branch, end) {
    const { lanes } = this;
    const y = lanes.downOf(branch);
    const x = lanes.across(branch.depth);
    if (!branch.up) return `M${x} ${y}H${end}`;
    const [x0, y0] = lanes.placeOf(branch.up);
    const bend = y0 === y ? `H${x}` : `C${x0 + 4} ${y0 + (y - y0) * 0.9} ${x0 + 2} ${y} ${x} ${y}`;
    return `M${x0} ${y0}${bend}H${end}`;
  }

  // Where it is narrow, decisions come first, then dice.
  addNode(frame, part) {
    const { gap } = this.lanes;
    const [x, y] = this.lanes.placeOf(frame);
    if (gap < 9 && !DECISIONS.has(frame.kind) && frame.kind !== "roll") return;
    if (gap < LEAST_APART && frame.kind === "roll") return;
    if (x - part.last < LEAST_APART) return;
    part.last = x;
    const d = nodePath(frame.kind, Math.max(0.6, Math.min(1, gap / 11)));
    const about = { transform: `translate(${x} ${y})`, class: "tk-rail-node", d };
    this.drawn.set(frame.id, this.nodes.appendChild(makeSvg("path", about)));
  }

  // A line where each turn begins; its name where it fits before the next one. Of what is
  // counted within a stretch, the stretch alone is named.
  addHeading(frame) {
    const first = frame === this.study.story.first;
    const x = first ? 2 : this.lanes.placeOf(frame)[0] - this.lanes.gap / 2;
    const isWithin = frame.heading.includes(", ");
    const before = this.starts.at(-1);
    if (before && x - before.x < (isWithin ? HEADINGS_APART : 1)) return;
    const top = isWithin ? NAMES_END : 4;
    const line = { d: `M${x} ${top}V${RAIL_Y + 66}`, class: "tk-rail-turn" };
    this.headings.append(makeSvg("path", line));
    this.starts.push({ x });
    if (!isWithin) this.nameHeading(frame.heading, x);
  }

  nameHeading(words, x) {
    const before = this.named;
    const wide = words.length * 6 + 10;
    if (before && before.x + before.wide > x) before.text.remove();
    else before?.text.setAttribute("x", before.x + 5);
    const left = Math.min(x + 5, this.lanes.width - wide + 4);
    const text = makeSvg("text", { x: left, y: 13, class: "tk-rail-t" }, words);
    this.headings.append(text);
    this.named = { x, wide, text };
  }

  // ---- the way to the step one is on

  light(frame) {
    const { story } = this.study;
    const depth = (one) => (one ? story.depthOf(one.id) : -1);
    let [old, now] = [this.lit, frame];
    while (old !== now && (old || now)) {
      if (depth(old) >= depth(now)) {
        this.drawn.get(old.id)?.classList.remove("tk-on");
        old = story.parentOf(old) ?? null;
      } else {
        this.drawn.get(now.id)?.classList.add("tk-on");
        now = story.parentOf(now) ?? null;
      }
    }
    this.lit = frame;
    const [x, y] = this.lanes.placeOf(frame);
    setAttribute(this.way, "d", this.wayTo(frame));
    setAttribute(this.here, "d", nodePath(frame.kind, 1.35));
    setAttribute(this.here, "transform", `translate(${x} ${y})`);
  }

  wayTo(frame) {
    const ways = [];
    for (let last = frame; last;) {
      const branch = this.lanes.branchOf.get(last.id);
      ways.push(this.wayThrough(branch, this.lanes.placeOf(last)[0]));
      last = branch.up;
    }
    return ways.join("");
  }

  nameTheLine(tip) {
    const branches = [];
    for (let last = tip; last; last = branches.at(-1).up) {
      branches.push(this.lanes.branchOf.get(last.id));
    }
    const name = (branch, on) => this.parts.get(branch).name?.classList.toggle("tk-on", on);
    this.lineBranches.forEach((branch) => name(branch, false));
    branches.forEach((branch) => name(branch, branch.frames.at(-1) === tip));
    this.lineBranches = branches;
  }
}
