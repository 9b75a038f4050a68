// The frames as a tree: who follows whom, and what holds at each of them.
// A frame carries only what differs from its parent; what holds is worked out when it is asked for.

const KEPT_SCENES = 300;

function mergeEntry(before, [tag, changes, text]) {
  if (!before || before.tag !== tag) return { tag, attributes: { ...changes }, text };
  const attributes = { ...before.attributes, ...changes };
  for (const name in changes) if (changes[name] === null) delete attributes[name];
  return { tag, attributes, text: text === undefined || text === null ? before.text : text };
}

export class Story {
  constructor(frames) {
    this.frames = new Map();
    this.children = new Map();
    this.visited = new Map();
    this.scenes = new Map();
    this.entries = new Map();
    this.facts = new Map();
    this.depths = new Map();
    this.first = null;
    this.extend(frames);
  }

  // Takes new frames in; tells which of them it did not know.
  extend(frames) {
    const fresh = frames.filter((frame) => !this.frames.has(frame.id));
    for (const frame of fresh) {
      this.frames.set(frame.id, frame);
      this.first ??= frame;
      if (!this.children.has(frame.parent)) this.children.set(frame.parent, []);
      this.children.get(frame.parent).push(frame);
      this.depths.set(frame.id, (this.depths.get(frame.parent) ?? -1) + 1);
    }
    return fresh;
  }

  get(id) {
    return this.frames.get(id);
  }

  parentOf(frame) {
    return this.frames.get(frame.parent);
  }

  childrenOf(id) {
    return this.children.get(id) || [];
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
    let frame = this.get(id);
    while (frame && !this.scenes.has(frame.id)) {
      ahead.push(frame);
      frame = this.parentOf(frame);
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
    let frame = this.get(id);
    while (frame && !this.facts.has(frame.id)) {
      ahead.push(frame);
      frame = this.parentOf(frame);
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
