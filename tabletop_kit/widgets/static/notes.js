// Notes at a moment: what somebody wrote at a step, and where it is written. Plain text, kept by
// the kernel, so that every view and a reload have it.
import { iconButton, make, makeIcon } from "./dom.js";

const MOST_SIGNS = 2000;

export class Notes {
  constructor(study) {
    this.study = study;
    // What was begun and is not kept yet.
    this.drafts = new Map();
  }

  get all() {
    return this.study.model.get("notes") || this.study.meta.notes || [];
  }

  // Those of a step: an answer is no step of its own, it is read at its question.
  at(frame) {
    return this.all.filter((note) => this.study.story.get(note.frame) === frame);
  }

  steps() {
    const { story } = this.study;
    return [...new Set(this.all.map((note) => story.get(note.frame)).filter(Boolean))];
  }

  wordsAt(frame) {
    return this.at(frame).map((note) => note.text).join("\n\n");
  }

  // Changes when they do.
  keyOf(frame) {
    return JSON.stringify(this.at(frame));
  }

  // A step's sentence, and what is noted there.
  withWords(frame) {
    const words = this.wordsAt(frame);
    return this.study.plainSentence(frame) + (words && ` Note: ${words}`);
  }

  nodeFor(frame) {
    const words = this.wordsAt(frame);
    if (!words) return null;
    const edit = this.study.live
      ? iconButton("list", "Change this note (N)", () => this.write(edit)) : null;
    const about = { class: "tk-note tk-lesson", role: "note", "aria-label": "Note" };
    const text = make("p", {}, words);
    return make("div", about, makeIcon("flag", 15), text, edit);
  }

  // ---- writing one

  write(button = this.study.head.noteButton) {
    const { study } = this;
    if (!study.live) return false;
    study.walk.stop();
    const { frame } = study.walk;
    const old = this.at(frame).at(-1);
    const title = `Note at step ${study.walk.position + 1}`;
    study.popover.toggle(button, title, "tk-write", this.editor(old?.frame ?? frame.id, old?.text));
    study.popover.box?.scrollIntoView({ block: "nearest" });
    return true;
  }

  editor(frame, old = "") {
    const { popover, kernel } = this.study;
    const begun = this.drafts.get(frame) ?? old;
    const field = make("textarea", { rows: 4, maxlength: MOST_SIGNS, "aria-label": "Note" }, begun);
    field.addEventListener("input", () => this.drafts.set(frame, field.value));
    const keep = (text) => {
      this.drafts.delete(frame);
      popover.close();
      if (text !== old) kernel.note(frame, text);
    };
    const save = () => keep(field.value.trim());
    field.addEventListener("keydown", (event) => {
      if (event.key === "Escape") popover.close();
      else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    const press = (words, onclick, look) => (
      make("button", { class: `tk-btn ${look}`, type: "button", onclick }, words)
    );
    const remove = old ? press("Remove", () => keep(""), "tk-btn-line") : null;
    const keeping = press("Keep", save, "tk-btn-main");
    return [field, make("div", { class: "tk-write-go" }, keeping, remove)];
  }
}
