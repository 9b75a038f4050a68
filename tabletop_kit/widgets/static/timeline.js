// Time: the transport, and the rail with a node for every frame and a lane for every branch.
import { iconButton, make, makeIcon, makeSvg } from "./dom.js";
import { setAttribute, whenChanged, wordNodes } from "./dom.js";

const LANE_HEIGHT = 20;
const LEAST_LANES = 3;
const MOST_LANES = 6;
const FIRST_X = 10;
const RAIL_Y = 32;
const SPEEDS = [["0.5", "½ ×"], ["1", "1 ×"], ["2", "2 ×"], ["4", "4 ×"]];

// dot: told; square: dice; diamond: a decision
function nodePath(kind, scale) {
  if (kind === "roll") {
    const half = 4.5 * scale;
    return `M${-half} ${-half}H${half}V${half}H${-half}Z`;
  }
  if (kind === "ask" || kind === "choice") {
    const half = 6 * scale;
    return `M0 ${-half}L${half} 0L0 ${half}L${-half} 0Z`;
  }
  const r = 3 * scale;
  return `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

export class Timeline {
  constructor(study) {
    this.study = study;
    this.width = 640;
    this.rail = make("div", {
      class: "tk-rail", tabindex: "0", role: "slider", "aria-label": "Step", "aria-valuemin": "1",
    });
    this.element = make("section", { class: "tk-st-time", "aria-label": "Timeline" });
    this.element.append(this.makeTransport(), this.rail);
    this.dragging = false;
    this.lit = new Set();
    this.drawRail = whenChanged(() => this.redrawRail());
    this.drawPlay = whenChanged((playing) => this.play.replaceChildren(
      makeIcon(playing ? "pause" : "play"),
    ));
    this.listen();
  }

  measure() {
    this.width = Math.max(300, this.rail.clientWidth || 640);
  }

  // ---- the transport

  makeTransport() {
    const { study } = this;
    this.toFirst = iconButton("first", "First step (Home)", () => study.goToEnd(-1));
    this.back = iconButton("prev", "Back (left arrow)", () => study.step(-1));
    this.play = iconButton("play", "Play (space)", () => study.togglePlay(), {
      class: "tk-btn tk-btn-play",
    });
    this.forward = iconButton("next", "Forward (right arrow)", () => study.step(1));
    this.toLast = iconButton("last", "Last step (End)", () => study.goToEnd(1));
    const worded = (icon, word, title, until) => make("button", {
      class: "tk-btn", type: "button", title, onclick: () => study.togglePlay(until),
    }, makeIcon(icon), word);
    this.turn = worded("toTurn", "turn", "Play to the end of this turn", "turn");
    this.end = worded("toEnd", "end", "Play to the end", "end");
    const options = SPEEDS.map(([value, words]) => (
      make("option", { value, selected: value === "1" }, words)
    ));
    const setSpeed = (event) => study.setSpeed(Number(event.target.value));
    this.speed = make("select", { "aria-label": "Speed", onchange: setSpeed }, options);
    this.mainLine = make("button", {
      class: "tk-btn", type: "button", title: "Back to the main line",
      onclick: () => study.backToMain(),
    }, makeIcon("undo", 14), "main line");
    this.number = make("b");
    this.most = document.createTextNode("");
    const count = make("span", { class: "tk-count" }, this.mainLine, " step ");
    count.append(this.number, this.most);
    return make(
      "div", { class: "tk-transport", role: "toolbar", "aria-label": "Play" },
      this.toFirst, this.back, this.play, this.forward, this.toLast,
      make("span", { class: "tk-sep" }), this.turn, this.end, this.speed, count,
    );
  }

  updateTransport() {
    const { position, line, playing, onMain } = this.study;
    const last = line.length - 1;
    // A button that has the focus stays: one that is disabled would lose it.
    const disable = (button, off) => setAttribute(button, "aria-disabled", off ? "true" : null);
    for (const button of [this.toFirst, this.back]) disable(button, position === 0);
    for (const button of [this.forward, this.toLast]) disable(button, position === last);
    this.drawPlay(String(Boolean(playing)), Boolean(playing));
    setAttribute(this.play, "aria-label", playing ? "Pause (space)" : "Play (space)");
    setAttribute(this.play, "title", playing ? "Pause (space)" : "Play (space)");
    this.mainLine.hidden = onMain;
    this.number.textContent = String(position + 1);
    this.most.data = ` of ${line.length}`;
  }

  // ---- the rail

  update() {
    this.updateTransport();
    const { study } = this;
    this.drawRail(`${study.version} ${this.width} ${study.lineKey}`);
    this.light();
    const { position, line } = study;
    setAttribute(this.rail, "aria-valuemax", line.length);
    setAttribute(this.rail, "aria-valuenow", position + 1);
    const words = `step ${position + 1} of ${line.length}: ${study.plainSentence(study.frame)}`;
    this.rail.setAttribute("aria-valuetext", words);
  }

  redrawRail() {
    const { story, line } = this.study;
    this.plan = planLanes(this.study, this.width);
    const { height } = this.plan;
    const onLine = new Set(line.map((frame) => frame.id));
    this.nodes = new Map();
    this.links = new Map();
    this.lit = new Set();
    const links = makeSvg("g");
    const nodes = makeSvg("g");
    const dense = this.plan.gap < 9;
    for (const frame of story.frames.values()) {
      const link = this.linkOf(frame);
      if (link) this.links.set(frame.id, links.appendChild(link));
      if (dense && !["ask", "choice", "roll"].includes(frame.kind)) continue;
      if (this.plan.gap < 5 && frame.kind === "roll") continue;
      const scale = Math.min(1, this.plan.gap / 11);
      this.nodes.set(frame.id, nodes.appendChild(this.nodeOf(frame, scale)));
    }
    this.here = makeSvg("path", { class: "tk-rail-node tk-here" });
    const size = { width: this.width, height, viewBox: `0 0 ${this.width} ${height}` };
    const labels = makeSvg("g", {}, this.headings(), this.branchNames(onLine));
    const svg = makeSvg("svg", { ...size, "aria-hidden": "true" }, links, nodes, labels, this.here);
    this.rail.replaceChildren(svg);
    this.rail.style.height = `${height}px`;
  }

  placeOf(frame) {
    return this.plan.places.get(frame.id);
  }

  linkOf(frame) {
    const parent = this.study.story.parentOf(frame);
    if (!parent) return null;
    const [x0, y0] = this.placeOf(parent);
    const [x1, y1] = this.placeOf(frame);
    const bend = `C${x0 + 4} ${y0 + (y1 - y0) * 0.9} ${x0 + 2} ${y1} ${x1} ${y1}`;
    const way = y0 === y1 ? `H${x1}` : bend;
    return makeSvg("path", { d: `M${x0} ${y0}${way}`, class: "tk-rail-line" });
  }

  nodeOf(frame, scale) {
    const [x, y] = this.placeOf(frame);
    const place = { transform: `translate(${x} ${y})`, class: "tk-rail-node" };
    return makeSvg("path", { ...place, d: nodePath(frame.kind, Math.max(0.6, scale)) });
  }

  // A line where each turn begins; its name where it fits before the next one.
  headings() {
    const { story } = this.study;
    const { gap, height, main } = this.plan;
    const begins = (frame, index) => frame.heading && frame.heading !== main[index - 1]?.heading;
    const starts = main.filter(begins).map((frame) => {
      const first = frame === story.first;
      return { name: frame.heading, x: first ? 2 : this.placeOf(frame)[0] - gap / 2 };
    });
    return starts.flatMap(({ name, x }, index) => {
      const line = makeSvg("path", { d: `M${x} 4V${height - 4}`, class: "tk-rail-turn" });
      const wide = name.length * 6 + 10;
      const next = starts[index + 1]?.x;
      if (next !== undefined && x + wide > next) return [line];
      const left = next === undefined ? Math.min(x + 5, this.width - wide + 10) : x + 5;
      return [line, makeSvg("text", { x: left, y: 13, class: "tk-rail-t" }, name)];
    });
  }

  branchNames(onLine) {
    return this.plan.branches.map(({ name, last, lane }) => {
      const [x] = this.placeOf(last);
      const className = `tk-rail-b${onLine.has(last.id) ? " tk-on" : ""}`;
      const place = { x: x + 11, y: RAIL_Y + lane * LANE_HEIGHT + 4 };
      return makeSvg("text", { ...place, class: className }, name);
    });
  }

  // The way up to the frame one is on is lit; only what differs from before is touched.
  light() {
    const { line, position, frame } = this.study;
    const lit = new Set();
    for (let index = 0; index <= position; index += 1) lit.add(line[index].id);
    for (const id of this.lit) if (!lit.has(id)) this.switchLight(id, false);
    for (const id of lit) if (!this.lit.has(id)) this.switchLight(id, true);
    this.lit = lit;
    const [x, y] = this.placeOf(frame);
    this.here.setAttribute("d", nodePath(frame.kind, 1.35));
    this.here.setAttribute("transform", `translate(${x} ${y})`);
  }

  switchLight(id, on) {
    this.nodes.get(id)?.classList.toggle("tk-on", on);
    this.links.get(id)?.classList.toggle("tk-on", on);
  }

  // ---- the pointer

  listen() {
    const { rail } = this;
    rail.addEventListener("pointerdown", (event) => this.startDrag(event));
    rail.addEventListener("pointermove", (event) => this.onMove(event));
    for (const type of ["pointerup", "pointercancel"]) {
      rail.addEventListener(type, () => { this.dragging = false; });
    }
    rail.addEventListener("pointerleave", () => this.hideTip());
  }

  startDrag(event) {
    this.box = this.rail.getBoundingClientRect();
    const frame = this.nearest(event);
    this.dragging = true;
    this.rail.setPointerCapture(event.pointerId);
    this.hideTip();
    this.study.go(frame.id);
  }

  onMove(event) {
    if (!this.dragging) this.box = this.rail.getBoundingClientRect();
    const frame = this.nearest(event);
    if (this.dragging) this.study.go(frame.id);
    else this.showTip(frame);
  }

  // While dragging one stays on the line one is on.
  nearest(event) {
    const x = event.clientX - this.box.left;
    const y = event.clientY - this.box.top;
    const frames = this.dragging ? this.study.line : this.study.story.frames.values();
    let best = null;
    for (const frame of frames) {
      const [left, top] = this.placeOf(frame);
      const distance = Math.abs(left - x) + Math.abs(top - y) * (this.dragging ? 0 : 1.4);
      if (!best || distance < best.distance) best = { distance, frame };
    }
    return best.frame;
  }

  showTip(frame) {
    if (this.tipFrame === frame) return;
    this.hideTip();
    const { people } = this.study.meta;
    const words = wordNodes(this.study.sentence(frame), people);
    this.tip = make("div", { class: "tk-rail-tip" }, words);
    this.tipFrame = frame;
    this.rail.append(this.tip);
    const left = this.placeOf(frame)[0] - this.tip.offsetWidth / 2;
    const most = this.width - this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(0, Math.min(most, left))}px`;
  }

  hideTip() {
    this.tip?.remove();
    this.tip = null;
    this.tipFrame = null;
  }
}

// ---- where everything on the rail goes: depth runs to the right, branches go into lanes below

// Every frame after the one above it, whatever the order in which they came.
function inDepth(story) {
  const depth = (frame) => story.depthOf(frame.id);
  return [...story.frames.values()].sort((one, other) => depth(one) - depth(other));
}

function branchesOf(story) {
  const branchOf = new Map();
  const branches = [];
  for (const frame of inDepth(story)) {
    let branch = story.isFirstChild(frame) ? branchOf.get(story.upOf(frame)) : null;
    if (!branch) {
      branch = { frames: [] };
      branches.push(branch);
    }
    branch.frames.push(frame);
    branchOf.set(frame.id, branch);
  }
  return { branches, branchOf };
}

function branchName(study, first) {
  if (first.kind === "roll" && first.dice?.faces) {
    const [beside] = study.story.besides(first);
    const other = beside?.dice?.faces || [];
    const changed = first.dice.faces.filter((face, index) => face !== other[index]);
    return `what if ${(changed.length ? changed : first.dice.faces).join(", ")}`;
  }
  if (first.kind === "ask") return "open question";
  const words = study.plainSentence(first).replace(/\.$/, "").replace(" chooses:", ":");
  return words.length > 20 ? `${words.slice(0, 19)}…` : words;
}

export function planLanes(study, width) {
  const { story } = study;
  const { branches, branchOf } = branchesOf(story);
  let deepest = 1;
  for (const id of story.frames.keys()) deepest = Math.max(deepest, story.depthOf(id));
  let gap = Math.min(44, (width - 2 * FIRST_X) / deepest);
  branches.slice(1).forEach((branch) => {
    branch.name = branchName(study, branch.frames[0]);
    branch.wide = branch.name.length * 6.2 + 16;
    const depth = story.depthOf(branch.frames.at(-1).id);
    gap = Math.min(gap, (width - FIRST_X - branch.wide) / depth);
  });
  const across = (id) => FIRST_X + story.depthOf(id) * gap;
  const ends = [];
  branches.forEach((branch, index) => {
    const [first] = branch.frames;
    branch.last = branch.frames.at(-1);
    branch.lane = 0;
    if (!index) return;
    const left = across(story.upOf(first));
    let lane = 1;
    while (lane < MOST_LANES && ends[lane] > left) lane += 1;
    branch.lane = lane;
    ends[lane] = across(branch.last.id) + branch.wide;
  });
  const places = new Map();
  for (const id of story.frames.keys()) {
    places.set(id, [across(id), RAIL_Y + branchOf.get(id).lane * LANE_HEIGHT]);
  }
  const lanes = Math.max(LEAST_LANES, ...branches.map((branch) => branch.lane));
  const height = RAIL_Y + 10 + lanes * LANE_HEIGHT;
  return { gap, places, height, main: branches[0].frames, branches: branches.slice(1) };
}
