// The frames as a tree of steps: who follows whom, and what holds at each of them.
// A frame carries only what differs from its parent; what holds is worked out when it is asked for.
// Quiet frames have no words and are no steps, and an answer is none of its own: it is read at
// the question it answers. What waited, a question or a throw, comes before what was made of it.

const KEPT_SCENES = 300;
const KEPT_EVERY = 60;

function mergeEntry(before, [tag, changes, text]) {
  if (!before || before.tag !== tag) return { tag, attributes: { ...changes }, text };
  const attributes = { ...before.attributes, ...changes };
  for (const name in changes) if (changes[name] === null) delete attributes[name];
  return { tag, attributes, text: text === undefined || text === null ? before.text : text };
}

const waits = (frame) => frame.kind === "ask" || frame.kind === "wait";

// Whether a question was answered so; files do not keep the names of questions. Two may declare
// the same: then it matters who did.
export function isAnswer(answer, key, { name, who, number }) {
  if (answer?.key !== key || ![name, undefined].includes(answer.name)) return false;
  return number === undefined || answer.who === who;
}

const offers = (question, key) => (
  question.kinds.some((kind) => kind.options.some((option) => option.key === key))
);

export class Story {
  constructor(frames) {
    this.known = new Map();
    this.visited = new Map();
    this.scenes = new Map();
    this.kept = new Map();
    this.facts = new Map();
    this.remakings = 0;
    this.clear();
    this.extend(frames);
  }

  clear() {
    this.steps = new Map();
    this.places = new Map();
    this.waiting = new Map();
    this.followed = new Set();
    this.lost = [];
    this.first = null;
    this.last = null;
    this.listed = [];
  }

  // Takes new frames in; tells which of them it did not know. Each costs the same, however many
  // there are; only a question that is asked after its answer was known makes the tree anew.
  extend(frames) {
    const fresh = frames.filter((frame) => !this.known.has(frame.id));
    let again = false;
    for (const frame of fresh) {
      this.known.set(frame.id, frame);
      again ||= waits(frame) && this.followed.has(frame.parent);
      if (!again) this.take(frame);
    }
    if (again || this.lost.some(({ parent }) => this.places.has(parent))) this.remake();
    return fresh;
  }

  remake() {
    this.clear();
    this.remakings += 1;
    const frames = [...this.known.values()].sort((one, other) => one.id - other.id);
    frames.filter(waits).forEach((frame) => this.noteWaiting(frame));
    frames.forEach((frame) => this.take(frame));
    const visited = [...this.visited].map((ids) => ids.map((id) => this.get(id)));
    this.visited.clear();
    for (const [from, to] of visited) {
      if (from && to && this.parentOf(to) === from) this.visited.set(from.id, to.id);
    }
  }

  noteWaiting(frame) {
    const others = this.waiting.get(frame.parent) || [];
    if (!others.includes(frame)) this.waiting.set(frame.parent, [...others, frame]);
  }

  // ---- the place of a frame: the step it is shown at, and the answer it goes on from

  take(frame) {
    if (this.places.has(frame.id)) return;
    if (frame.parent !== -1 && !this.places.has(frame.parent)) {
      this.lost.push(frame);
      return;
    }
    if (waits(frame)) this.noteWaiting(frame);
    else this.followed.add(frame.parent);
    const held = waits(frame) ? null : this.heldFor(frame);
    if (held) this.take(held);
    const answers = Boolean(held?.question) && frame.kind === "choice";
    const above = held ? { step: held, answer: null } : this.places.get(frame.parent);
    if (answers) this.places.set(frame.id, { step: held, answer: frame });
    else if (frame.quiet && above) this.places.set(frame.id, above);
    else this.addStep(frame, above);
  }

  // What waited where a frame was made: an answer belongs to the question that offers it.
  heldFor(frame) {
    const waiting = this.waiting.get(frame.parent);
    if (!waiting) return null;
    if (frame.kind !== "choice") return waiting.find((one) => !one.question) || waiting[0];
    const asked = waiting.filter((one) => one.question);
    const fitting = asked.length > 1 && asked.find((one) => offers(one.question, frame.key));
    return fitting || asked[0] || waiting[0];
  }

  addStep(frame, above) {
    const up = above ? this.steps.get(above.step.id) : null;
    const step = {
      frame,
      up: up?.frame,
      answer: above?.answer ?? null,
      ways: [],
      depth: up ? up.depth + 1 : 0,
      main: up ? up.main && !up.ways.length : true,
      begins: frame.heading !== (up?.frame.heading ?? ""),
    };
    up?.ways.push(frame);
    this.places.set(frame.id, { step: frame, answer: null });
    this.steps.set(frame.id, step);
    this.listed.push(frame);
    this.first ??= frame;
    this.last = frame;
  }

  // ---- from step to step

  get(id) {
    return this.places.get(id)?.step;
  }

  parentOf(frame) {
    return this.steps.get(frame.id)?.up;
  }

  childrenOf(id) {
    return this.steps.get(id)?.ways || [];
  }

  isFirstChild(frame) {
    const up = this.parentOf(frame);
    return !up || this.childrenOf(up.id)[0] === frame;
  }

  isMain(frame) {
    return this.steps.get(frame.id).main;
  }

  depthOf(id) {
    return this.steps.get(id).depth;
  }

  // Whether a heading begins here.
  beginsAt(frame) {
    return Boolean(frame.heading) && this.steps.get(frame.id).begins;
  }

  // The answer a step goes on from, where the one before it is a question.
  answerBefore(frame) {
    return this.steps.get(frame.id)?.answer ?? null;
  }

  // Those that follow the same step by the same answer.
  besides(frame) {
    const up = this.parentOf(frame);
    const answer = this.answerBefore(frame);
    if (!up) return [frame];
    return this.childrenOf(up.id).filter((one) => this.answerBefore(one) === answer);
  }

  // The way on from a step: where one went last time, else the first that was played.
  wayOn(id) {
    return this.get(this.visited.get(id)) ?? this.childrenOf(id)[0];
  }

  // The answer to a question on the way one would go on.
  answerTo(frame) {
    const next = frame.question && this.wayOn(frame.id);
    return next ? this.answerBefore(next) : null;
  }

  // The first step after an answer to a question, by its key.
  afterAnswer(frame, key, question) {
    return this.childrenOf(frame.id).find((one) => (
      isAnswer(this.answerBefore(one), key, question)
    ));
  }

  tipFrom(id) {
    let tip = id;
    for (let next = this.wayOn(tip); next; next = this.wayOn(tip)) tip = next.id;
    return tip;
  }

  // To the end of the first way from a step.
  mainTipFrom(id) {
    let tip = id;
    while (this.childrenOf(tip).length) tip = this.childrenOf(tip)[0].id;
    return tip;
  }

  visit(from, to) {
    this.visited.set(from.id, to.id);
  }

  tips() {
    return this.listed.filter((frame) => !this.childrenOf(frame.id).length);
  }

  // ---- what holds at a frame

  sceneAt(id) {
    if (this.scenes.has(id)) return this.scenes.get(id);
    const ahead = [];
    let frame = this.known.get(id);
    const found = (one) => this.scenes.get(one.id) || this.kept.get(one.id);
    while (frame && !found(frame)) {
      ahead.push(frame);
      frame = this.known.get(frame.parent);
    }
    const scene = new Map(frame ? found(frame) : []);
    for (const next of ahead.reverse()) {
      this.applyChanges(scene, next);
      if (next.id % KEPT_EVERY === 0) this.kept.set(next.id, new Map(scene));
    }
    this.keepScene(id, scene);
    return scene;
  }

  // What did not change is the same object as before, or made of the same ones.
  applyChanges(scene, frame) {
    for (const [id, change] of Object.entries(frame.set || {})) {
      if (change) scene.set(id, mergeEntry(scene.get(id), change));
      else scene.delete(id);
    }
  }

  keepScene(id, scene) {
    if (this.scenes.size >= KEPT_SCENES) this.scenes.delete(this.scenes.keys().next().value);
    this.scenes.set(id, scene);
  }

  // Order of play, who acts, and how everybody is: { order, active, status }.
  factsAt(id) {
    const ahead = [];
    let frame = this.known.get(id);
    while (frame && !this.facts.has(frame.id)) {
      ahead.push(frame);
      frame = this.known.get(frame.parent);
    }
    let facts = frame ? this.facts.get(frame.id) : { order: [], active: null, status: {} };
    for (const next of ahead.reverse()) {
      if (next.order || next.active !== undefined || next.status) facts = withChanges(facts, next);
      this.facts.set(next.id, facts);
    }
    return facts;
  }
}

function withChanges(facts, { order, active, status }) {
  return {
    order: order || facts.order,
    active: active === undefined ? facts.active : active,
    status: status ? { ...facts.status, ...status } : facts.status,
  };
}
