// What the page asks of the kernel, and what it hears back.
import { plainWords } from "./dom.js";

const STANDS = "The battle stands as it was.";
const RUN_AGAIN = "Was the kernel restarted? Then run this cell again.";

const placeOf = (frame, key, offer) => `${frame} ${offer ?? ""} ${key}`;

export class Kernel {
  constructor(study, model) {
    this.study = study;
    this.model = model;
    this.pending = null;
    this.played = null;
    this.busy = false;
    this.odds = new Map();
    this.oddsAsked = new Set();
    this.refusals = new Map();
  }

  // ---- asking

  send(message) {
    if (!this.study.live) return;
    try {
      this.model.send(message);
    } catch (error) {
      this.fail("The kernel could not be asked", `${error.message}. ${STANDS} ${RUN_AGAIN}`);
    }
  }

  // The page waits for what comes of it; `shows` is where to go then, if not to the newest.
  ask(message, shows = null) {
    if (!this.study.live) return;
    const { frame, key, faces, offer } = message;
    this.pending = { frame, key, faces, offer, shows };
    this.played = null;
    this.send(message);
    this.study.question.showPending();
  }

  settle() {
    this.pending = null;
  }

  answer(frame, { key }) {
    this.goOnOrAsk(frame, key, frame.question, { ask: "answer", frame: frame.id, key });
  }

  // What somebody declares who is not asked.
  take(frame, offer, { key }) {
    const message = { ask: "take", frame: frame.id, offer: offer.number, key };
    this.goOnOrAsk(frame, key, offer, message);
  }

  goOnOrAsk(frame, key, question, message) {
    const { story, walk } = this.study;
    const known = story.afterAnswer(frame, key, question);
    if (known) walk.go(known.id);
    else this.ask(message);
  }

  // Where nothing stands, the note is taken away.
  note(frame, text) {
    this.send({ ask: "note", frame, text });
  }

  reopen(frame) {
    this.ask({ ask: "open", frame: frame.id });
  }

  // Other dice than those that fell: one wants to see what they lead to.
  throwInstead(roll, faces) {
    const node = roll.dice.node ?? roll.node;
    this.ask({ ask: "faces", frame: roll.id, node, faces }, "outcome");
  }

  throwByHand(frame, faces) {
    const node = frame.dice.node ?? frame.node;
    this.ask({ ask: "faces", frame: frame.id, node, faces });
  }

  throwForMe(frame) {
    this.ask({ ask: "throw", frame: frame.id });
  }

  // Whose turns go by then is told, as after an answer.
  playOn(how) {
    this.played = how === "end" ? null : this.study.walk.at;
    this.send({ ask: "play", how, frame: this.study.walk.at });
  }

  stopPlayingOn() {
    this.send({ ask: "stop" });
  }

  wantOdds(frame) {
    if (this.oddsAsked.has(frame.id)) return;
    this.oddsAsked.add(frame.id);
    this.send({ ask: "odds", frame: frame.id });
  }

  refusalOf(frame, key, offer) {
    return this.refusals.get(placeOf(frame.id, key, offer));
  }

  // ---- hearing

  hear(message) {
    const hearing = {
      frames: () => this.hearFrames(message),
      refused: () => this.hearRefusal(message),
      odds: () => this.hearOdds(message),
      error: () => this.fail(message.title, message.text),
      busy: () => this.hearBusy(Boolean(message.on)),
    }[message?.tell];
    hearing?.();
  }

  hearFrames({ frames, at }) {
    const fresh = this.study.story.extend(frames);
    const outcome = this.pending?.shows === "outcome"
      && (fresh.find((one) => one.sum) || fresh[0]);
    const from = this.pending?.frame ?? this.played;
    if (typeof from === "number") this.study.passed.note(from, at);
    this.settle();
    this.oddsAsked.clear();
    this.study.takeIn(outcome && !outcome.quiet ? outcome.id : at);
  }

  hearRefusal({ frame, key, offer, reasons }) {
    const { study } = this;
    this.settle();
    this.refusals.set(placeOf(frame, key, offer), reasons);
    study.update();
    study.question.showReasons();
    const words = reasons.map((reason) => plainWords(reason.words, study.meta.people));
    study.announce(`Not allowed: ${words.join(". ")}`);
  }

  // The chances come one option after another.
  hearOdds({ frame, odds }) {
    this.odds.set(frame, { ...this.odds.get(frame), ...odds });
    if (frame === this.study.walk.at) this.study.question.fillOdds();
  }

  hearBusy(on) {
    this.busy = on;
    if (!on) this.settle();
    this.study.update();
  }

  fail(title, text) {
    this.settle();
    this.study.warn(title, text);
  }
}
