// What a reader is told at the first question, until anything has been answered.
import { iconButton, make, makeIcon } from "./dom.js";

const WORDS = "You answer for everybody who is asked here. Pick from the list, or press somebody on "
  + "the board: once to see what can be done, again to do it.";

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
    const words = make("p", {}, make("b", {}, "Your move"), WORDS);
    return make("div", { class: "tk-note", role: "note" }, makeIcon("info", 15), words, close);
  }

  close() {
    this.closed = true;
    this.study.update();
  }
}
