// Dice thrown by hand: a face for each of them, pressed or typed, then the throw.
import { make, setAttribute } from "./dom.js";
import { dieFace } from "./faces.js";

export class Picker {
  constructor(study) {
    this.study = study;
    this.hint = make("p");
    this.slots = make("div", { class: "tk-pick-dice", role: "group", "aria-label": "The dice" });
    this.faces = make("div", { class: "tk-faces", role: "group", "aria-label": "Faces" });
    this.throwButton = make("button", {
      class: "tk-btn tk-btn-main", type: "button", onclick: () => this.throwPicked(),
    }, "Throw");
    this.forMe = make("button", {
      class: "tk-btn tk-btn-line", type: "button", onclick: () => this.throwForMe(),
    }, "Throw them for me");
    const buttons = make("div", { class: "tk-pick-go" }, this.throwButton, this.forMe);
    const parts = [this.slots, this.faces, this.hint, buttons];
    this.element = make("div", { class: "tk-pick" }, parts);
    this.frame = null;
  }

  // Only dice that still wait can be thrown.
  isFor(frame) {
    const { story, live } = this.study;
    const waits = frame.kind === "wait" && Boolean(frame.dice?.count) && !frame.dice.faces;
    return live && waits && !story.childrenOf(frame.id).length;
  }

  show(frame) {
    if (this.frame === frame) return;
    this.frame = frame;
    this.picked = Array(frame.dice.count).fill(null);
    this.next = 0;
    const { sides } = frame.dice;
    const face = (number) => make("button", {
      class: "tk-die",
      type: "button",
      "aria-label": String(number),
      onclick: () => this.pick(number),
    }, dieFace(number, sides, 34));
    this.faces.replaceChildren(...Array.from({ length: sides }, (_, at) => face(at + 1)));
    const keys = sides <= 9 ? `Press a face, or a key from 1 to ${sides}, for each die.` : "";
    this.hint.textContent = `${keys || "Press a face for each die."} Enter throws.`;
    this.draw();
  }

  draw() {
    const { sides } = this.frame.dice;
    const slots = this.picked.map((face, index) => make("button", {
      class: "tk-die",
      type: "button",
      "aria-label": `die ${index + 1}: ${face ?? "not picked yet"}`,
      "aria-current": index === this.next ? "step" : null,
      onclick: () => { this.next = index; this.draw(); },
    }, dieFace(face, sides)));
    const place = [...this.slots.children].indexOf(document.activeElement);
    this.slots.replaceChildren(...slots);
    if (place >= 0) slots[place].focus({ preventScroll: true });
    setAttribute(this.throwButton, "aria-disabled", this.complete ? null : "true");
  }

  get complete() {
    return this.picked.every((face) => face !== null);
  }

  // A face for the next die that has none, or for the one that was pressed.
  pick(face) {
    if (face > this.frame.dice.sides || this.next === null) return false;
    this.picked[this.next] = face;
    const open = this.picked.indexOf(null);
    this.next = open < 0 ? null : open;
    this.draw();
    const left = this.picked.filter((one) => one === null).length;
    this.study.announce(left ? `${face}. ${left} more.` : `${face}. Enter throws.`);
    return true;
  }

  // Takes the last face back.
  unpick() {
    const last = this.picked.findLastIndex((face) => face !== null);
    if (last < 0) return false;
    this.picked[last] = null;
    this.next = last;
    this.draw();
    return true;
  }

  throwPicked() {
    if (!this.complete || this.study.kernel.pending) return;
    this.study.kernel.throwByHand(this.frame, [...this.picked]);
  }

  throwForMe() {
    if (!this.study.kernel.pending) this.study.kernel.throwForMe(this.frame);
  }

  showPending(pending) {
    const waits = pending?.frame === this.frame?.id;
    this.throwButton.classList.toggle("tk-pending", waits && Boolean(pending.faces));
    this.forMe.classList.toggle("tk-pending", waits && !pending.faces);
    setAttribute(this.element, "aria-busy", waits ? "true" : null);
  }
}
