// What the kernel works out, or that it was asked and has not drawn anything since. What takes no
// longer than a blink is not told.
const SOON = 120;
const LATE = 8000;
const ASKED = "Working …";
const STOPPING = "Stopping when this part is there …";
const SILENT = "No answer from the kernel yet. The board stands as it is.";

export class Work {
  constructor(model, changed) {
    this.model = model;
    this.changed = changed;
    this.asked = "";
    this.isSeen = false;
  }

  ask() {
    clearTimeout(this.late);
    this.asked = ASKED;
    this.late = setTimeout(() => this.be(SILENT), LATE);
    this.changed();
  }

  be(asked) {
    clearTimeout(this.late);
    this.asked = asked;
    this.changed();
  }

  get words() {
    const words = this.model.get("work").words || this.asked;
    if (!words) this.rest();
    else this.soon ??= setTimeout(() => this.see(), SOON);
    if (!this.isSeen) return "";
    return this.isStopping ? STOPPING : words;
  }

  see() {
    this.isSeen = true;
    this.changed();
  }

  rest() {
    clearTimeout(this.soon);
    this.soon = undefined;
    this.isSeen = false;
    this.isStopping = false;
  }

  // The part that is done; null where nobody knows.
  get share() {
    const { done, of } = this.model.get("work");
    return of > 1 ? done / of : null;
  }

  // The kernel hears it when the part at hand is there.
  stop() {
    this.isStopping = true;
    this.model.send({ ask: "stop" });
    this.changed();
  }

  get canStop() {
    return this.isSeen && !this.isStopping && this.share !== null;
  }

  end() {
    clearTimeout(this.late);
    clearTimeout(this.soon);
  }
}
