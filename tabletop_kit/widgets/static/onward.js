// What one may do here besides answering: let the rules play, go to the question that is open,
// or begin again where the battle is over.
import { make, makeIcon, whenChanged } from "./dom.js";

const WAYS = [["step", "a step"], ["turn", "this turn"], ["end", "to the end"]];

const button = (words, onclick, icon = null) => {
  const about = { class: "tk-btn tk-btn-line", type: "button", onclick };
  return make("button", about, icon ? makeIcon(icon, 14) : null, words);
};

export class Onward {
  constructor(study) {
    this.study = study;
    this.element = make("div", { class: "tk-ask-f", role: "group", hidden: true });
    this.draw = whenChanged((what) => this.redraw(what));
  }

  update() {
    const what = this.whatNow();
    this.draw(what, what);
  }

  whatNow() {
    const { live, story, kernel, walk } = this.study;
    if (!live) return "nothing";
    if (kernel.busy) return "stop";
    if (this.isOpen(walk.frame)) return "play";
    if (this.isOpen(walk.line.tip)) return "return";
    if (walk.frame !== walk.line.tip) return "forward";
    return walk.frame.kind === "end" && walk.firstDecision() ? "again" : "nothing";
  }

  isOpen(frame) {
    const waits = frame.kind === "ask" || frame.kind === "wait";
    return waits && !this.study.story.childrenOf(frame.id).length;
  }

  redraw(what) {
    const [label, ...buttons] = {
      stop: () => this.stop(),
      play: () => this.play(),
      return: () => this.goOn("to the open question"),
      forward: () => this.goOn("to the end"),
      again: () => this.again(),
    }[what]?.() || [""];
    this.element.hidden = !buttons.length;
    this.element.setAttribute("aria-label", label);
    this.element.replaceChildren(make("span", {}, label), ...buttons);
  }

  stop() {
    return ["The rules play on …", button("stop", () => this.study.kernel.stopPlayingOn())];
  }

  play() {
    const { kernel } = this.study;
    const ways = WAYS.map(([how, words]) => button(words, () => kernel.playOn(how)));
    return ["Let the rules play", ...ways];
  }

  goOn(words) {
    const { walk } = this.study;
    return ["Looking back", button(words, () => walk.go(walk.line.tip.id), "last")];
  }

  again() {
    const { walk } = this.study;
    const begin = () => walk.go(walk.firstDecision().id);
    const undo = () => walk.undo();
    return [
      "Play again", button("from the first question", begin, "first"), button("undo", undo, "undo"),
    ];
  }
}
