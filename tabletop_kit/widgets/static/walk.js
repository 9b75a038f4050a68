// Where one is in the story, and every way to go from there; playing what is there.
import { Line } from "./line.js";

const STEP_TIME = 1100;

const DECIDED = new Set(["ask", "wait", "choice"]);

const isDecision = (frame) => DECIDED.has(frame.kind);

export class Walk {
  constructor(story, arrived) {
    this.story = story;
    this.arrived = arrived;
    this.line = new Line(story);
    this.frame = null;
    this.position = 0;
    this.playing = null;
    this.speed = 1;
  }

  get at() {
    return this.frame?.id;
  }

  get facts() {
    return this.story.factsAt(this.at);
  }

  place(id) {
    this.frame = this.story.get(id);
    if (this.line.positionOf(id) < 0) this.line.follow(this.story.tipFrom(this.at));
    this.position = this.line.positionOf(id);
  }

  // After the story grew: the line goes on as far as it leads.
  stay() {
    this.frame = this.story.get(this.at);
    this.line.follow(this.story.tipFrom(this.at));
    this.position = this.line.positionOf(this.at);
  }

  go(id, { keepPlaying = false, quietly = false } = {}) {
    const frame = this.story.get(id);
    if (!frame || frame === this.frame) return;
    if (!keepPlaying) this.stop();
    this.place(frame.id);
    this.arrived({ moved: true, quietly });
  }

  // As go, also where the step stays and only the line is another one.
  goAnyway(id) {
    if (id !== this.at) this.go(id);
    else this.arrived({ moved: false });
  }

  // Along the line of another tip.
  goAlong(tip, id) {
    this.line.follow(tip);
    this.position = this.line.positionOf(this.at);
    this.goAnyway(id);
  }

  step(by) {
    const next = this.line.at(this.position + by);
    if (next) this.go(next.id);
  }

  goToEnd(direction) {
    this.go(direction < 0 ? this.line.at(0).id : this.line.tip.id);
  }

  // ---- from answer to answer

  firstDecision() {
    return this.line.frames.find(isDecision);
  }

  // Where the answer before this step was given; -1 where there is none.
  answeredBefore() {
    let at = this.position - 1;
    while (at >= 0 && !isDecision(this.line.at(at))) at -= 1;
    return at;
  }

  // To the question, or the throw, that was answered last; and from there to the next one.
  undo() {
    const before = this.line.at(this.answeredBefore());
    if (before) this.go(before.id);
  }

  redo() {
    const { line } = this;
    let at = Math.min(this.position + 1, line.length - 1);
    while (at < line.length - 1 && !isDecision(line.at(at))) at += 1;
    this.go(line.at(at).id);
  }

  stepHeading(direction) {
    this.go(this.line.at(this.line.headingFrom(this.position, direction)).id);
  }

  nextBranch() {
    const tips = this.story.tips();
    if (tips.length < 2) return false;
    const here = tips.indexOf(this.line.tip);
    const tip = tips[(here + 1) % tips.length];
    let start = tip;
    while (this.story.isFirstChild(start) && this.story.parentOf(start)) {
      start = this.story.parentOf(start);
    }
    this.goAlong(tip.id, start === this.story.first ? tip.id : start.id);
    return true;
  }

  backToMain() {
    if (this.line.isMain) return;
    let last = this.line.tip;
    while (!this.story.isMain(last)) last = this.story.parentOf(last);
    this.goAlong(this.story.mainTipFrom(last.id), last.id);
  }

  // ---- playing what is there

  // A button for what lies ahead does nothing at the last step.
  playOn(until) {
    if (this.playing || this.position < this.line.length - 1) this.togglePlay(until);
  }

  togglePlay(until = "end") {
    if (this.playing) this.stop();
    else {
      if (this.position === this.line.length - 1) this.place(this.story.first.id);
      this.until = until;
      this.playFrom(this.frame.heading);
    }
    this.arrived({ moved: false });
  }

  playFrom(heading) {
    this.playing = setInterval(() => {
      const next = this.line.at(this.position + 1);
      const over = !next || (this.until === "turn" && next.heading !== heading);
      if (over) this.stop();
      else this.go(next.id, { keepPlaying: true });
      if (over || this.position === this.line.length - 1) {
        this.stop();
        this.arrived({ moved: false });
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
}
