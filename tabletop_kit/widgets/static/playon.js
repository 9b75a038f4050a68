// Letting the kit play on from the newest question that is open.
import { make, makeIcon, whenChanged } from "./dom.js";

const WAYS = [["step", "one step"], ["turn", "to the end of the turn"], ["end", "to the end"]];

const footButton = (words, onclick) => (
  make("button", { class: "tk-btn tk-btn-line", type: "button", onclick }, words)
);

export class PlayOn {
  constructor(study) {
    this.study = study;
    const about = { class: "tk-ask-f", role: "group", "aria-label": "Let it play on" };
    this.element = make("div", { ...about, title: "Let it play on", hidden: true });
    this.draw = whenChanged((can, busy) => this.redraw(can, busy));
  }

  update() {
    const can = this.isOpen(this.study.walk.frame);
    const { busy } = this.study.kernel;
    this.draw(`${can} ${busy}`, can, busy);
  }

  isOpen(frame) {
    const { live, story } = this.study;
    const waits = frame.kind === "ask" || frame.kind === "wait";
    return live && waits && !story.childrenOf(frame.id).length;
  }

  redraw(can, busy) {
    const { kernel } = this.study;
    this.element.hidden = !busy && !can;
    const stop = [
      make("span", {}, "Playing on …"), footButton("stop", () => kernel.stopPlayingOn()),
    ];
    const ways = WAYS.map(([how, words]) => footButton(words, () => kernel.playOn(how)));
    this.element.replaceChildren(makeIcon("toTurn"), ...(busy ? stop : ways));
  }
}
