// The study: one battle as a tree of frames, and the panels that show the frame one is on.
// Stepping, scrubbing and pointing stay in the page; only what is new is asked of the kernel.
import { make, plainWords } from "./dom.js";
import { Board } from "./board.js";
import { Head } from "./head.js";
import { Log } from "./log.js";
import { Now } from "./now.js";
import { Order } from "./order.js";
import { Popover } from "./popover.js";
import { Question } from "./question.js";
import { Rule } from "./rule.js";
import { Story } from "./story.js";
import { Timeline } from "./timeline.js";
import { onKey } from "./keys.js";

const STEP_TIME = 1100;
const ANSWER_TIME = 15000;
const SHARE_DELAY = 150;
const QUIET_TIME = 1500;

const wantsStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

class Study {
  constructor(model, host) {
    this.model = model;
    this.meta = { people: [], clauses: {}, sides: {}, ...model.get("meta") };
    this.live = this.meta.live !== false;
    this.story = new Story(model.get("frames") || []);
    this.everybody = Object.keys(this.meta.people).map(Number);
    this.motion = !wantsStillness();
    this.text = false;
    this.pinned = null;
    this.note = null;
    this.notes = 0;
    this.pending = null;
    this.busy = false;
    this.playing = null;
    this.speed = 1;
    this.version = 0;
    this.odds = new Map();
    this.oddsAsked = new Set();
    this.refusals = new Map();
    this.later = [];
    this.build(host);
    this.start();
  }

  build(host) {
    this.announcer = make("div", { class: "tk-sr", "aria-live": "polite" });
    this.grid = make("div", { class: "tk-st-grid" });
    this.root = make("div", {
      class: "tk-root tk-study",
      tabindex: "-1",
      role: "group",
      "aria-label": `Study: ${this.meta.title}`,
      "data-lm-suppress-shortcuts": "true",
    }, this.grid, this.announcer);
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
    this.panels = [
      this.head, this.order, this.board, this.now, this.timeline,
      this.question, this.log, this.rule,
    ];
    this.grid.append(...this.panels.map((panel) => panel.element));
    this.root.addEventListener("keydown", (event) => onKey(this, event));
    host.replaceChildren(this.root);
  }

  start() {
    const at = this.story.get(this.model.get("at")) || this.story.newest();
    if (!at) return;
    this.place(at.id);
    this.measure();
    this.update();
    this.watchSize();
  }

  // Sizes are read when they change, never while stepping.
  watchSize() {
    let size = "";
    this.observer = new ResizeObserver(() => {
      const now = [this.root, this.board.host].map((e) => `${e.clientWidth} ${e.clientHeight}`);
      const next = `${this.root.clientWidth} ${now[1]}`;
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
  }

  update() {
    if (!this.frame) return;
    const focused = this.root.contains(document.activeElement);
    for (const panel of this.panels) panel.update();
    const lost = focused && !this.root.contains(document.activeElement);
    if (lost) this.root.focus({ preventScroll: true });
  }

  // Work that reads the layout waits until a step has made all its changes.
  afterPaint(work) {
    this.later.push(work);
    if (this.later.length > 1) return;
    requestAnimationFrame(() => {
      const works = this.later;
      this.later = [];
      works.forEach((one) => one());
    });
  }

  // ---- where one is

  place(id) {
    this.at = id;
    this.frame = this.story.get(id);
    if (!this.positions?.has(id)) this.follow(this.story.tipFrom(id));
    this.position = this.positions.get(id);
    this.facts = this.story.factsAt(id);
  }

  // The line one is on: from the first frame to a tip of the tree.
  follow(tip) {
    this.line = this.story.pathTo(tip);
    this.lineKey = String(tip);
    this.positions = new Map(this.line.map((frame, index) => [frame.id, index]));
    this.story.remember(this.line);
    this.onMain = this.line.every(
      (frame, index) => index === 0 || this.story.isFirstChild(frame),
    );
    if (this.positions.has(this.at)) this.position = this.positions.get(this.at);
  }

  positionOf(id) {
    return this.positions.get(id) ?? -1;
  }

  go(id, { keepPlaying = false, quietly = false } = {}) {
    if (!this.story.get(id) || id === this.at) return;
    if (!keepPlaying) this.stop();
    this.popover.close();
    this.note = null;
    this.place(id);
    this.update();
    this.announce(this.plainSentence(this.frame));
    if (!quietly) this.share();
  }

  step(by) {
    const next = this.line[this.position + by];
    if (next) this.go(next.id);
  }

  goToEnd(direction) {
    this.go(direction < 0 ? this.line[0].id : this.line.at(-1).id);
  }

  stepHeading(direction) {
    const { line, position } = this;
    const starts = line.flatMap(
      (frame, index) => (frame.heading !== line[index - 1]?.heading ? [index] : []),
    );
    const before = starts.filter((index) => index < position).at(-1) ?? 0;
    const after = starts.find((index) => index > position) ?? line.length - 1;
    this.go(line[direction < 0 ? before : after].id);
  }

  nextBranch() {
    const tips = this.story.tips();
    if (tips.length < 2) return false;
    const here = tips.findIndex((frame) => String(frame.id) === this.lineKey);
    const tip = tips[(here + 1) % tips.length];
    this.follow(tip.id);
    const start = this.line.findLast(
      (frame, index) => index === 0 || !this.story.isFirstChild(frame),
    );
    this.goAnyway(start.id === this.line[0].id ? tip.id : start.id);
    return true;
  }

  backToMain() {
    const fork = this.line.findIndex(
      (frame, index) => index > 0 && !this.story.isFirstChild(frame),
    );
    if (fork < 1) return;
    let tip = this.line[fork - 1];
    const last = tip;
    while (this.story.childrenOf(tip.id)[0]) [tip] = this.story.childrenOf(tip.id);
    this.follow(tip.id);
    this.goAnyway(last.id);
  }

  // As go, also where the frame stays and only the line is another one.
  goAnyway(id) {
    if (id !== this.at) this.go(id);
    else this.update();
  }

  share() {
    this.model.set("at", this.at);
    clearTimeout(this.shareTimer);
    this.shareTimer = setTimeout(() => this.model.save_changes(), SHARE_DELAY);
  }

  // ---- playing what is there

  togglePlay(until = "end") {
    if (this.playing) {
      this.stop();
      this.update();
      return;
    }
    if (this.position === this.line.length - 1) this.place(this.line[0].id);
    this.until = until;
    this.playFrom(this.frame.heading);
    this.update();
  }

  playFrom(heading) {
    this.playing = setInterval(() => {
      const next = this.line[this.position + 1];
      const over = !next || (this.until === "turn" && next.heading !== heading);
      if (over) this.stop();
      else this.go(next.id, { keepPlaying: true });
      if (over || this.position === this.line.length - 1) {
        this.stop();
        this.update();
      }
    }, STEP_TIME / this.speed);
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
  }

  setSpeed(speed) {
    this.speed = speed;
    if (!this.playing) return;
    this.stop();
    this.playFrom(this.frame.heading);
  }

  // ---- asking the kernel

  send(message) {
    if (!this.live) return;
    try {
      this.model.send(message);
    } catch (error) {
      this.fail("The kernel could not be asked", `${error.message}. The battle stands as it was.`);
    }
  }

  ask(message) {
    this.pending = { frame: message.frame, key: message.key, faces: message.faces };
    clearTimeout(this.pendingTimer);
    this.pendingTimer = setTimeout(() => this.giveUp(), ANSWER_TIME);
    this.send(message);
    this.update();
  }

  giveUp() {
    if (!this.pending || this.busy) return;
    this.fail("No answer from the kernel", "The battle stands as it was; try again.");
  }

  settle() {
    clearTimeout(this.pendingTimer);
    this.pending = null;
  }

  answer(frame, option) {
    const known = this.story.childrenOf(frame.id).find((one) => one.key === option.key);
    if (known) this.go(known.id);
    else this.ask({ ask: "answer", frame: frame.id, key: option.key });
  }

  reopen(frame) {
    const parent = this.story.parentOf(frame);
    if (parent?.question) this.go(parent.id);
    else this.ask({ ask: "open", frame: frame.id });
  }

  playOn(how) {
    this.send({ ask: "play", how, frame: this.at });
    if (how === "step") return;
    this.busy = true;
    this.expectMore();
    this.update();
  }

  stopPlayingOn() {
    this.send({ ask: "stop" });
    this.hearBusy(false);
  }

  // Playing on is over when no more frames come.
  expectMore() {
    clearTimeout(this.busyTimer);
    this.busyTimer = setTimeout(() => this.hearBusy(false), QUIET_TIME);
  }

  // The answer that was given to the question of a frame, on the line one is on.
  chosenKey(frame) {
    if (!frame.question) return null;
    return this.line[this.positionOf(frame.id) + 1]?.key ?? null;
  }

  refusalOf(frame, key) {
    return this.refusals.get(`${frame.id} ${key}`);
  }

  // ---- what the kernel tells

  hear(message) {
    const hearing = {
      frames: () => this.hearFrames(message),
      refused: () => this.hearRefusal(message),
      odds: () => this.hearOdds(message),
      error: () => this.fail(message.title, message.text),
      busy: () => this.hearBusy(message.on),
    }[message?.tell];
    hearing?.();
  }

  hearFrames({ frames, at }) {
    const fresh = this.story.extend(frames);
    // After other dice one wants to see what they led to, not the next question.
    const outcome = this.pending?.faces && (fresh.find((one) => one.sum) || fresh[0]);
    this.settle();
    this.oddsAsked.clear();
    if (this.busy) this.expectMore();
    this.takeIn(outcome && !outcome.quiet ? outcome.id : at);
  }

  // Frames came by another way: another view, or the state of the widget.
  takeIn(at) {
    this.version += 1;
    if (!this.frame) return this.start();
    const target = this.story.get(at) ? at : this.at;
    this.follow(this.story.tipFrom(target));
    return this.goAnyway(target);
  }

  hearRefusal({ frame, key, reasons }) {
    this.settle();
    this.refusals.set(`${frame} ${key}`, reasons);
    this.update();
    this.question.showReasons();
    const words = reasons.map((reason) => plainWords(reason.words, this.meta.people));
    this.announce(`Not allowed: ${words.join(". ")}`);
  }

  // The chances come one option after another.
  hearOdds({ frame, odds }) {
    this.odds.set(frame, { ...this.odds.get(frame), ...odds });
    if (frame === this.at) this.question.fillOdds();
  }

  hearBusy(on) {
    clearTimeout(this.busyTimer);
    this.busy = on;
    if (!on) this.settle();
    this.update();
  }

  fail(title, text) {
    this.settle();
    this.notes += 1;
    this.note = { title, text, number: this.notes };
    this.update();
  }

  clearNote() {
    this.note = null;
    this.update();
  }

  // ---- words

  sentence(frame) {
    return frame.say || [];
  }

  plainSentence(frame) {
    return plainWords(this.sentence(frame), this.meta.people);
  }

  announce(words) {
    this.announcer.textContent = words;
  }

  // ---- rules, text, motion

  chip(clause) {
    const chip = make("button", {
      class: "tk-chip",
      type: "button",
      title: this.meta.clauses[clause]?.title,
      "data-clause": clause,
      onclick: () => this.pin(this.pinned === clause ? null : clause),
    }, clause);
    this.markChip(chip);
    return chip;
  }

  markChip(chip) {
    chip.setAttribute("aria-pressed", String(this.pinned === chip.dataset.clause));
  }

  pin(clause) {
    this.pinned = clause;
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
    this.stop();
    this.observer?.disconnect();
    this.popover.remove();
    clearTimeout(this.pendingTimer);
    clearTimeout(this.shareTimer);
    clearTimeout(this.busyTimer);
    clearTimeout(this.question.oddsTimer);
    this.root.remove();
  }
}

// ---- the two entries of the widget

// New frames are kept in the list the model already holds, so that every view and a reload have
// them, and none of them travels back to the kernel.
function keepFrames(model, fresh) {
  const kept = model.get("frames");
  const known = new Set(kept.map((frame) => frame.id));
  const added = fresh.filter((frame) => !known.has(frame.id));
  if (!added.length) return;
  kept.push(...added);
  if (model.get("frames").length !== kept.length) model.set("frames", [...kept]);
}

function initialize({ model }) {
  const hear = (message) => {
    if (message?.tell === "frames") keepFrames(model, message.frames);
  };
  model.on("msg:custom", hear);
  return () => model.off("msg:custom", hear);
}

function render({ model, el }) {
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
  const onAt = () => study.go(model.get("at"), { quietly: true });
  const hear = (message) => study.hear(message);
  const subscriptions = {
    "change:frames": onFrames, "change:meta": begin, "change:at": onAt, "msg:custom": hear,
  };
  for (const [name, call] of Object.entries(subscriptions)) model.on(name, call);
  return () => {
    for (const [name, call] of Object.entries(subscriptions)) model.off(name, call);
    study.remove();
  };
}

export default { initialize, render };
