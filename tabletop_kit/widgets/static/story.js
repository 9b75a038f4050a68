// The frames as a tree: who follows whom, and what holds at each of them.
// A frame carries only what differs from its parent; what holds is worked out when it is asked for.

const KEPT_SCENES = 300;

function mergeEntry(before, [tag, changes, text]) {
  if (!before || before.tag !== tag) return { tag, attributes: { ...changes }, text };
  const attributes = { ...before.attributes, ...changes };
  for (const name in changes) if (changes[name] === null) delete attributes[name];
  return { tag, attributes, text: text === undefined || text === null ? before.text : text };
}

const waits = (frame) => frame.kind === "ask" || frame.kind === "wait";

export class Story {
  constructor(frames) {
    this.known = new Map();
    this.frames = new Map();
    this.visited = new Map();
    this.scenes = new Map();
    this.entries = new Map();
    this.facts = new Map();
    this.extend(frames);
  }

  // Takes new frames in; tells which of them it did not know.
  extend(frames) {
    const fresh = frames.filter((frame) => !this.known.has(frame.id));
    for (const frame of fresh) this.known.set(frame.id, frame);
    if (fresh.length) this.grow();
    return fresh;
  }

  // The tree as it is shown. Quiet frames have no words and are not steps. What waited at a
  // frame, a question or a throw, comes before whatever was made of it.
  grow() {
    const waiting = new Map();
    for (const frame of this.known.values()) {
      if (waits(frame) && !waiting.has(frame.parent)) waiting.set(frame.parent, frame.id);
    }
    this.above = new Map();
    const shown = (id) => (this.known.get(id)?.quiet ? this.upOf(this.known.get(id)) : id);
    this.findAbove = (frame) => {
      const held = waits(frame) ? undefined : waiting.get(frame.parent);
      return held ?? shown(frame.parent);
    };
    this.children = new Map();
    this.frames = new Map();
    for (const frame of this.known.values()) {
      if (frame.quiet) continue;
      this.frames.set(frame.id, frame);
      const above = this.upOf(frame);
      if (!this.children.has(above)) this.children.set(above, []);
      this.children.get(above).push(frame);
    }
    [this.first] = this.frames.values();
    this.countDepths();
    this.forgetLostWays();
  }

  countDepths() {
    this.depths = new Map();
    const left = this.first ? [[this.first, 0]] : [];
    while (left.length) {
      const [frame, depth] = left.pop();
      this.depths.set(frame.id, depth);
      for (const child of this.childrenOf(frame.id)) left.push([child, depth + 1]);
    }
  }

  forgetLostWays() {
    for (const [from, to] of this.visited) {
      if (!this.childrenOf(from).some((frame) => frame.id === to)) this.visited.delete(from);
    }
  }

  get(id) {
    return this.frames.get(id);
  }

  // The id of the frame before, as steps go.
  upOf(frame) {
    if (!this.above.has(frame.id)) this.above.set(frame.id, this.findAbove(frame));
    return this.above.get(frame.id);
  }

  parentOf(frame) {
    return this.frames.get(this.upOf(frame));
  }

  childrenOf(id) {
    return this.children.get(id) || [];
  }

  besides(frame) {
    return this.childrenOf(this.upOf(frame));
  }

  isFirstChild(frame) {
    return this.besides(frame)[0] === frame;
  }

  depthOf(id) {
    return this.depths.get(id);
  }

  newest() {
    let last = null;
    for (const frame of this.frames.values()) last = frame;
    return last;
  }

  pathTo(id) {
    const path = [];
    for (let frame = this.get(id); frame; frame = this.parentOf(frame)) path.push(frame);
    return path.reverse();
  }

  // The way on from a frame: where one went last time, else the first that was played.
  tipFrom(id) {
    let tip = id;
    for (;;) {
      const next = this.visited.get(tip) ?? this.childrenOf(tip)[0]?.id;
      if (next === undefined) return tip;
      tip = next;
    }
  }

  remember(line) {
    line.forEach((frame, index) => {
      if (index) this.visited.set(line[index - 1].id, frame.id);
    });
  }

  tips() {
    return [...this.frames.values()].filter((frame) => !this.childrenOf(frame.id).length);
  }

  // ---- what holds at a frame

  sceneAt(id) {
    if (this.scenes.has(id)) return this.scenes.get(id);
    const ahead = [];
    let frame = this.known.get(id);
    while (frame && !this.scenes.has(frame.id)) {
      ahead.push(frame);
      frame = this.known.get(frame.parent);
    }
    const scene = new Map(frame ? this.scenes.get(frame.id) : []);
    for (const next of ahead.reverse()) this.applyChanges(scene, next);
    this.keepScene(id, scene);
    return scene;
  }

  // Entries are made once for a frame, so that what did not change is the same object everywhere.
  applyChanges(scene, frame) {
    let made = this.entries.get(frame.id);
    if (!made) {
      made = new Map();
      for (const [id, change] of Object.entries(frame.set || {})) {
        made.set(id, change && mergeEntry(scene.get(id), change));
      }
      this.entries.set(frame.id, made);
    }
    for (const [id, entry] of made) {
      if (entry) scene.set(id, entry);
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
      facts = {
        order: next.order || facts.order,
        active: next.active === undefined ? facts.active : next.active,
        status: next.status ? { ...facts.status, ...next.status } : facts.status,
      };
      this.facts.set(next.id, facts);
    }
    return facts;
  }
}
