// Where everything on the rail goes: depth runs to the right, branches go into lanes below.
// A new step finds its place beside the others; only where room runs out are all placed anew.

const LANE_HEIGHT = 20;
const LEAST_LANES = 3;
const MOST_LANES = 6;
const FIRST_X = 10;
const WIDEST = 44;
const SPARE = 1.25;
const LETTER = 6.2;
const LONGEST = 20;

export const RAIL_Y = 32;

export class Lanes {
  constructor(study) {
    this.study = study;
    this.clear(0);
  }

  get story() {
    return this.study.story;
  }

  clear(width) {
    this.width = width;
    this.gap = WIDEST;
    this.taken = 0;
    this.remakings = this.story.remakings;
    this.branches = [];
    this.branchOf = new Map();
    this.lanes = [];
  }

  // Everything anew, as wide as there is room.
  layOut(width) {
    this.clear(width);
    this.takeIn();
    this.place(1);
  }

  // What is new. Tells which branches grew, or null where all had to be placed anew.
  grow() {
    const grown = this.takeIn();
    const fits = [...grown].every((branch) => this.fits(branch) && this.join(branch));
    if (fits) return grown;
    this.place(SPARE);
    return null;
  }

  takeIn() {
    const grown = new Set();
    const { listed } = this.story;
    for (; this.taken < listed.length; this.taken += 1) grown.add(this.take(listed[this.taken]));
    return grown;
  }

  take(frame) {
    const { story } = this;
    const up = story.parentOf(frame);
    let branch = up && story.isFirstChild(frame) ? this.branchOf.get(up.id) : null;
    if (!branch) {
      branch = { up, frames: [], depth: story.depthOf(frame.id), lane: null, name: "", wide: 0 };
      if (this.branches.length) {
        branch.name = branchName(this.study, frame);
        branch.wide = branch.name.length * LETTER + 16;
      }
      this.branches.push(branch);
    }
    branch.frames.push(frame);
    this.branchOf.set(frame.id, branch);
    return branch;
  }

  // ---- gap and lanes

  // How far apart steps may be for all of a branch, and its name, to have room.
  gapFor(branch) {
    const last = Math.max(1, branch.depth + branch.frames.length - 1);
    return (this.width - FIRST_X - (branch.wide || FIRST_X)) / last;
  }

  fits(branch) {
    return this.gapFor(branch) >= this.gap;
  }

  place(spare) {
    const most = Math.min(...this.branches.map((branch) => this.gapFor(branch)));
    this.gap = Math.min(WIDEST, most / (most < WIDEST ? spare : 1));
    this.lanes = [];
    for (const branch of this.branches) branch.lane = null;
    const inOrder = [...this.branches].sort((one, other) => one.depth - other.depth);
    for (const branch of inOrder) this.join(branch);
  }

  // A lane for a branch; false where the one it has is no longer free.
  join(branch) {
    const free = (lane) => !(this.lanes[lane] || []).some((other) => this.touch(branch, other));
    if (branch.lane !== null) return branch.lane === MOST_LANES || free(branch.lane);
    branch.lane = branch === this.branches[0] ? 0 : 1;
    while (branch.lane && branch.lane < MOST_LANES && !free(branch.lane)) branch.lane += 1;
    (this.lanes[branch.lane] ||= []).push(branch);
    return true;
  }

  touch(one, other) {
    if (one === other) return false;
    const [left, right] = this.reach(one);
    const [from, to] = this.reach(other);
    return left < to && from < right;
  }

  reach(branch) {
    return [this.across(branch.depth - 1), this.endOf(branch) + branch.wide];
  }

  across(depth) {
    return FIRST_X + depth * this.gap;
  }

  endOf(branch) {
    return this.across(branch.depth + branch.frames.length - 1);
  }

  downOf(branch) {
    return RAIL_Y + branch.lane * LANE_HEIGHT;
  }

  // As far down as there are branches, and with room for some.
  get used() {
    return RAIL_Y + 10 + (this.lanes.length - 1) * LANE_HEIGHT;
  }

  get height() {
    return Math.max(this.used, RAIL_Y + 10 + LEAST_LANES * LANE_HEIGHT);
  }

  placeOf(frame) {
    return [this.across(this.story.depthOf(frame.id)), this.downOf(this.branchOf.get(frame.id))];
  }

  // ---- back from a place to a step

  stepAt(frames, from, x) {
    const index = Math.round((x - FIRST_X) / this.gap) - from;
    return frames[Math.max(0, Math.min(frames.length - 1, index))];
  }

  nearest(x, y) {
    let best = null;
    for (const branch of this.branches) {
      const frame = this.stepAt(branch.frames, branch.depth, x);
      const [left, top] = this.placeOf(frame);
      const distance = Math.abs(left - x) + Math.abs(top - y) * 1.4;
      if (!best || distance < best.distance) best = { distance, frame };
    }
    return best.frame;
  }
}

function branchName(study, first) {
  const { story } = study;
  const [main] = story.childrenOf(story.parentOf(first).id);
  const [beside] = story.besides(first);
  const answer = story.answerBefore(main) === story.answerBefore(first)
    ? null
    : story.answerBefore(first);
  if (beside !== first && beside.dice?.faces && first.dice?.faces) {
    const other = beside.dice.faces;
    const changed = first.dice.faces.filter((face, index) => face !== other[index]);
    return `what if ${(changed.length ? changed : first.dice.faces).join(", ")}`;
  }
  if (!answer && first.kind === "ask") return "open question";
  const said = study.plainSentence(answer || first);
  const words = said.replace(/\.$/, "").replace(" chooses:", ":");
  return words.length > LONGEST ? `${words.slice(0, LONGEST - 1)}…` : words;
}
