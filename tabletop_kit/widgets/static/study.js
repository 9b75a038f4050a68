// The study: one battle as a tree of steps, and the panels that show the step one is on.
// Stepping, scrubbing and pointing stay in the page; only what is new is asked of the kernel.
import { make, plainWords, setAttribute, setText } from "./dom.js";
import { Board } from "./board.js";
import { Following } from "./following.js";
import { Head } from "./head.js";
import { Kernel } from "./kernel.js";
import { Log } from "./log.js";
import { Notes } from "./notes.js";
import { Now } from "./now.js";
import { Order } from "./order.js";
import { Passed } from "./passed.js";
import { Once } from "./once.js";
import { takeKeys } from "./ownkeys.js";
import { Popover } from "./popover.js";
import { Question } from "./question.js";
import { Rule } from "./rule.js";
import { Story } from "./story.js";
import { Timeline } from "./timeline.js";
import { Walk } from "./walk.js";
import { onKey } from "./keys.js";

const SHARE_DELAY = 150;
// What acts on the page, or points at it.
const ACTS = ["keydown", "pointerdown", "pointerover", "click", "focusin"];

// Where the views are, as long as the kernel has not been told. Each view is given a model of its
// own; what they have in common is the list of frames.
const unsaved = new WeakMap();

const wantsStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

class Study {
  constructor(model, host) {
    this.model = model;
    this.meta = { people: [], clauses: {}, sides: {}, ...model.get("meta") };
    this.live = this.meta.live !== false;
    this.story = new Story(model.get("frames") || []);
    this.walk = new Walk(this.story, (how) => this.arrive(how));
    this.kernel = new Kernel(this, model);
    this.everybody = Object.keys(this.meta.people).map(Number);
    this.motion = !wantsStillness();
    this.text = false;
    this.pinned = null;
    this.warning = null;
    this.warnings = 0;
    this.notes = new Notes(this);
    this.passed = new Passed(this);
    this.build(host);
    this.start();
  }

  build(host) {
    this.announcer = make("div", { class: "tk-sr-in" });
    const heard = make("div", { class: "tk-sr", "aria-live": "polite" }, this.announcer);
    this.grid = make("div", { class: "tk-st-grid" });
    this.root = make("div", {
      class: `tk-root tk-study${this.live ? "" : " tk-replay"}`,
      tabindex: "-1",
      role: "group",
      "aria-label": `${this.live ? "Study" : "Replay"}: ${this.meta.title}`,
    }, this.grid, heard);
    this.root.dataset.tkMotion = this.motion ? "on" : "off";
    this.popover = new Popover(this.root);
    this.head = new Head(this);
    this.order = new Order(this);
    this.board = new Board(this);
    this.now = new Now(this);
    this.timeline = new Timeline(this);
    this.question = new Question(this);
    this.log = new Log(this);
    this.rule = new Rule(this);
    this.inSight = [this.board, this.now, this.timeline];
    const { railPanel } = this.timeline;
    this.rest = [railPanel, this.head, this.order, this.question, this.log, this.rule];
    const panels = [
      this.head, this.order, this.board, this.now, this.timeline,
      this.question, this.log, this.rule,
    ];
    this.grid.append(...panels.map((panel) => panel.element));
    this.following = new Following(this.root, () => this.draw(this.rest));
    for (const type of ACTS) {
      this.root.addEventListener(type, () => this.following.catchUp(), { capture: true });
    }
    takeKeys(this.root);
    this.root.addEventListener("keydown", (event) => onKey(this, event));
    this.onLeaving = () => this.leave();
    window.addEventListener("pagehide", this.onLeaving);
    this.root.addEventListener("click", (event) => this.onChip(event));
    host.replaceChildren(this.root);
  }

  start() {
    const at = this.story.get(this.model.get("at")) || this.story.last;
    if (!at) return;
    this.walk.place(at.id);
    this.measure();
    this.update();
    this.watchSize();
    if (this.meta.notice) this.warn("Saved with other rules", this.meta.notice);
  }

  // Sizes are read when they change, never while stepping.
  watchSize() {
    let size = "";
    this.observer?.disconnect();
    this.observer = new ResizeObserver(() => {
      const { host } = this.board;
      const next = `${this.root.clientWidth} ${host.clientWidth} ${host.clientHeight}`;
      if (next === size || !this.root.clientWidth) return;
      size = next;
      this.measure();
      this.update();
    });
    this.observer.observe(this.root);
    this.observer.observe(this.board.host);
  }

  measure() {
    this.board.measure();
    this.timeline.measure();
    this.head.measure();
  }

  // Everything at once.
  update() {
    this.following.forget();
    this.draw([...this.inSight, ...this.rest]);
  }

  // A step is seen on the board, in its sentence and its number. The other panels are drawn
  // once that is painted, or before anything is done with them.
  updateInTurn() {
    this.draw(this.inSight);
    this.following.askForRest();
  }

  draw(panels) {
    if (!this.walk.frame) return;
    const focused = this.root.contains(document.activeElement);
    for (const panel of panels) panel.update();
    const lost = focused && !this.root.contains(document.activeElement);
    if (lost) this.root.focus({ preventScroll: true });
  }

  afterChanges(work) {
    this.following.afterChanges(work);
  }

  // ---- the walk came to a step, or to another line

  arrive({ moved, quietly = false }) {
    if (!moved) {
      this.update();
      return;
    }
    this.popover.close();
    this.warning = null;
    this.updateInTurn();
    const { frame } = this.walk;
    this.announce(this.passed.plainWordsFor(frame) + this.notes.withWords(frame));
    if (!quietly) this.share();
  }

  share() {
    const { model, walk } = this;
    const common = model.get("frames");
    clearTimeout(unsaved.get(common)?.timer);
    const save = () => {
      unsaved.delete(common);
      model.save_changes();
    };
    unsaved.set(common, { at: walk.at, save, timer: setTimeout(save, SHARE_DELAY) });
    model.set("at", walk.at);
  }

  // Whoever leaves the page at once finds the place again.
  leave() {
    const own = unsaved.get(this.model.get("frames"));
    clearTimeout(own?.timer);
    own?.save();
  }

  // Another view moved on. A kernel that still repeats an older place is not followed.
  hearAt() {
    const at = this.model.get("at");
    const own = unsaved.get(this.model.get("frames"));
    if (own && own.at !== at) this.model.set("at", own.at);
    else this.walk.go(at, { quietly: true });
  }

  // The story has grown: by the kernel's word, by another view, or by the state of the widget.
  takeIn(at) {
    if (!this.walk.frame) return this.start();
    this.pinned = null;
    this.walk.stay();
    const target = this.story.get(at) || this.walk.frame;
    return this.walk.goAlong(this.story.tipFrom(target.id), target.id);
  }

  // ---- words

  // An answered question reads as the answer, on the line one is on.
  sentence(frame) {
    return (this.story.answerTo(frame) || frame).say || [];
  }

  plainSentence(frame) {
    return plainWords(this.sentence(frame), this.meta.people);
  }

  announce(words) {
    setText(this.announcer, words);
  }

  warn(title, text) {
    this.warnings += 1;
    this.warning = { title, text, number: this.warnings };
    this.update();
  }

  clearWarning() {
    this.warning = null;
    this.update();
  }

  // ---- rules, text, motion

  chip(clause) {
    const chip = make("button", { class: "tk-chip", type: "button" });
    this.showOnChip(chip, clause);
    return chip;
  }

  showOnChip(chip, clause) {
    setAttribute(chip, "title", this.meta.clauses[clause]?.title);
    setAttribute(chip, "data-clause", clause);
    setAttribute(chip, "aria-pressed", String(this.pinned === clause));
    setText(chip, clause);
  }

  onChip(event) {
    const chip = event.target.closest(".tk-chip[data-clause]");
    if (!chip) return;
    const { clause } = chip.dataset;
    if (this.rule.isInSight()) this.pin(this.pinned === clause ? null : clause);
    else this.rule.showBeside(chip, clause);
  }

  pin(clause) {
    this.pinned = clause;
    for (const chip of this.root.querySelectorAll(".tk-chip[data-clause]")) {
      chip.setAttribute("aria-pressed", String(chip.dataset.clause === clause));
    }
    this.update();
  }

  toggleText() {
    this.text = !this.text;
    this.update();
  }

  toggleMotion() {
    this.motion = !this.motion;
    this.root.dataset.tkMotion = this.motion ? "on" : "off";
    this.update();
  }

  remove() {
    window.removeEventListener("pagehide", this.onLeaving);
    this.walk.stop();
    this.following.forget();
    this.observer?.disconnect();
    this.popover.remove();
    this.question.remove();
    this.root.remove();
  }
}

// ---- the two entries of the widget

const knownIds = new WeakMap();
const repeated = new WeakMap();

function idsOf(frames) {
  if (!knownIds.has(frames)) knownIds.set(frames, new Set(frames.map((frame) => frame.id)));
  return knownIds.get(frames);
}

function onceOf(frames) {
  if (!repeated.has(frames)) {
    const once = new Once();
    frames.forEach((frame) => once.keepOf(frame));
    repeated.set(frames, once);
  }
  return repeated.get(frames);
}

// New frames are kept in the list the model already holds, so that every view and a reload have
// them, and none of them travels back to the kernel.
function keepFrames(model, fresh) {
  const kept = model.get("frames");
  const ids = idsOf(kept);
  const added = fresh.filter((frame) => !ids.has(frame.id));
  if (!added.length) return;
  const once = onceOf(kept);
  added.forEach((frame) => once.keepOf(frame));
  kept.push(...added);
  added.forEach((frame) => ids.add(frame.id));
  if (model.get("frames").length !== kept.length) model.set("frames", [...kept]);
}

function initialize({ model }) {
  onceOf(model.get("frames"));
  const hear = (message) => {
    if (message?.tell === "frames") keepFrames(model, message.frames);
  };
  model.on("msg:custom", hear);
  return () => model.off("msg:custom", hear);
}

export function render({ model, el }) {
  let study = new Study(model, el);
  const begin = () => {
    study.remove();
    study = new Study(model, el);
  };
  const onFrames = () => {
    const frames = model.get("frames") || [];
    if (frames[0]?.id !== study.story.first?.id) begin();
    else if (study.story.extend(frames).length) study.takeIn();
  };
  const onAt = () => study.hearAt();
  const onNotes = () => study.update();
  const hear = (message) => {
    study.following.catchUp();
    study.kernel.hear(message);
  };
  const subscriptions = {
    "change:frames": onFrames,
    "change:meta": begin,
    "change:at": onAt,
    "change:notes": onNotes,
    "msg:custom": hear,
  };
  for (const [name, call] of Object.entries(subscriptions)) model.on(name, call);
  return () => {
    for (const [name, call] of Object.entries(subscriptions)) model.off(name, call);
    study.remove();
  };
}

export default { initialize, render };
