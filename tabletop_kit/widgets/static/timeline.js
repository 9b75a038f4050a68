// Time: the transport, and the rail with a node for every step and a lane for every branch.
import {
  hide, iconButton, make, makeIcon, setAttribute, setText, whenChanged, wordNodes,
} from "./dom.js";
import { Rail } from "./rail.js";

const SPEEDS = [["0.5", "½ ×"], ["1", "1 ×"], ["2", "2 ×"], ["4", "4 ×"]];

export class Timeline {
  constructor(study) {
    this.study = study;
    this.width = 640;
    this.drawing = new Rail(study);
    this.rail = make("div", {
      class: "tk-rail", tabindex: "0", role: "slider", "aria-label": "Step", "aria-valuemin": "1",
    }, this.drawing.svg);
    this.element = make("section", { class: "tk-st-time", "aria-label": "Timeline" });
    this.element.append(this.makeTransport(), this.rail);
    this.railPanel = { update: () => this.updateRail() };
    this.dragging = false;
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
    const { walk } = this.study;
    this.toFirst = iconButton("first", "First step (Home)", () => walk.goToEnd(-1));
    this.back = iconButton("prev", "Back (left arrow)", () => walk.step(-1));
    this.play = iconButton("play", "Replay (space)", () => walk.togglePlay(), {
      class: "tk-btn tk-btn-play",
    });
    this.forward = iconButton("next", "Forward (right arrow)", () => walk.step(1));
    this.toLast = iconButton("last", "Last step (End)", () => walk.goToEnd(1));
    const worded = (icon, word, title, until) => make("button", {
      class: "tk-btn", type: "button", title, onclick: () => walk.playOn(until),
    }, makeIcon(icon), word);
    this.turn = worded("toTurn", "turn", "Replay to the end of this turn", "turn");
    this.end = worded("toEnd", "all", "Replay all that was played", "end");
    const replay = make("span", { class: "tk-lead" }, "replay");
    this.undo = make("button", {
      class: "tk-btn", type: "button", title: "Undo the last answer (U)",
      onclick: () => walk.undo(),
    }, makeIcon("undo", 14), "undo");
    const before = make("span", { class: "tk-sep" });
    for (const one of [before, this.undo]) one.hidden = !this.study.live;
    const options = SPEEDS.map(([value, words]) => (
      make("option", { value, selected: value === "1" }, words)
    ));
    const setSpeed = (event) => walk.setSpeed(Number(event.target.value));
    this.speed = make("select", { "aria-label": "Speed", onchange: setSpeed }, options);
    this.mainLine = make("button", {
      class: "tk-btn tk-main-line",
      type: "button",
      title: "Back to the main line",
      "aria-label": "Back to the main line",
      onclick: () => walk.backToMain(),
    }, makeIcon("branch", 14), make("span", {}, "main line"));
    this.number = make("b");
    this.place = make("span", { class: "tk-number" }, this.number);
    this.most = document.createTextNode("");
    const count = make("span", { class: "tk-count" }, this.mainLine, " step ");
    count.append(this.place, this.most);
    return make(
      "div", { class: "tk-transport", role: "toolbar", "aria-label": "Play" },
      this.toFirst, this.back, this.play, this.forward, this.toLast,
      make("span", { class: "tk-sep" }), replay, this.turn, this.end, this.speed,
      before, this.undo, count,
    );
  }

  update() {
    const { walk } = this.study;
    const { position, line, playing } = walk;
    const last = line.length - 1;
    // A button that has the focus stays: one that is disabled would lose it.
    const disable = (button, off) => setAttribute(button, "aria-disabled", off ? "true" : null);
    for (const button of [this.toFirst, this.back]) disable(button, position === 0);
    for (const button of [this.forward, this.toLast]) disable(button, position === last);
    for (const button of [this.turn, this.end]) disable(button, position === last && !playing);
    disable(this.undo, walk.answeredBefore() < 0);
    this.drawPlay(String(Boolean(playing)), Boolean(playing));
    const again = position === last ? "Replay from the first step (space)" : "Replay (space)";
    setAttribute(this.play, "aria-label", playing ? "Pause (space)" : again);
    setAttribute(this.play, "title", playing ? "Pause (space)" : again);
    hide(this.mainLine, line.isMain);
    setText(this.number, String(position + 1));
    const most = ` of ${line.length}`;
    if (this.most.data !== most) {
      this.most.data = most;
      this.place.style.width = `${1.15 * String(line.length).length}ch`;
    }
  }

  // ---- the rail, a panel of its own: it is drawn after what happened is seen

  updateRail() {
    this.drawing.update(this.width);
    const { position, line, frame } = this.study.walk;
    setAttribute(this.rail, "aria-valuemax", line.length);
    setAttribute(this.rail, "aria-valuenow", position + 1);
    const words = `step ${position + 1} of ${line.length}: ${this.study.notes.withWords(frame)}`;
    setAttribute(this.rail, "aria-valuetext", words);
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
    this.study.walk.go(frame.id);
  }

  onMove(event) {
    if (!this.dragging) this.box = this.rail.getBoundingClientRect();
    const frame = this.nearest(event);
    if (this.dragging) this.study.walk.go(frame.id);
    else this.showTip(frame);
  }

  // While dragging one stays on the line one is on.
  nearest(event) {
    const { lanes } = this.drawing;
    const x = event.clientX - this.box.left;
    if (this.dragging) return lanes.stepAt(this.study.walk.line.frames, 0, x);
    return lanes.nearest(x, event.clientY - this.box.top);
  }

  showTip(frame) {
    if (this.tipFrame === frame) return;
    this.hideTip();
    const words = wordNodes(this.study.sentence(frame), this.study.meta.people);
    this.tip = make("div", { class: "tk-rail-tip" }, words);
    this.tipFrame = frame;
    this.rail.append(this.tip);
    const left = this.drawing.lanes.placeOf(frame)[0] - this.tip.offsetWidth / 2;
    const most = this.width - this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(0, Math.min(most, left))}px`;
  }

  hideTip() {
    this.tip?.remove();
    this.tip = null;
    this.tipFrame = null;
  }
}
