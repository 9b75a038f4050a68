// What a reader is told at the first question, until anything has been answered.
import { iconButton, make, makeIcon } from "./dom.js";

const HOW = "Pick from the list, or press somebody on the board: once to see what can be done, "
  + "again to do it.";

// Whom one answers for: not for sides that play by themselves.
function forWhom({ called, played = [] }) {
  if (!played.length) return "You answer for everybody who is asked here. ";
  const own = Object.keys(called).filter((side) => !played.includes(side));
  return `You answer for ${own.map((side) => called[side]).join(" and ")}; the others play by themselves. `;
}

export class Welcome {
  constructor(study) {
    this.study = study;
    this.closed = false;
  }

  nodeFor(frame) {
    const { live, meta, story, walk } = this.study;
    const asked = walk.line.frames.find((one) => one.question);
    if (this.closed || !live || meta.blind) return null;
    if (frame !== asked || story.childrenOf(frame.id).length) return null;
    const close = iconButton("close", "Close", () => this.close());
    const words = make("p", {}, make("b", {}, "Your move"), forWhom(meta), HOW);
    return make("div", { class: "tk-note", role: "note" }, makeIcon("info", 15), words, close);
  }

  close() {
    this.closed = true;
    this.study.update();
  }
}
