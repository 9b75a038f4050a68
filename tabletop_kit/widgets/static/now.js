// What just happened: the dice on the table, the sentence, and the sum in words over numbers.
// From step to step its nodes stay and are changed: this panel is part of every first frame.
import { changeWords, keepEach, make, makeIcon, miniToken, whenChanged } from "./dom.js";
import { Dice } from "./dice.js";
import { Sum } from "./sum.js";
import { WhatIf } from "./whatif.js";

const MOST_CHIPS = 3;

const isNewPart = (frame) => ["choice", "ask", "wait", "start", "end"].includes(frame.kind);

// What is not needed keeps its boxes, so that it is there again at no cost. The focus is given
// back at once: it would be lost later.
function setAside(element, aside) {
  if (aside && element.contains(document.activeElement)) document.activeElement.blur();
  element.classList.toggle("tk-aside-now", aside);
}

export class Now {
  constructor(study) {
    this.study = study;
    const whatIf = new WhatIf(study);
    this.dice = new Dice(study, (...asked) => whatIf.ask(...asked));
    this.glyph = make("div", { class: "tk-glyph" });
    this.words = make("p");
    this.sum = new Sum();
    this.said = make("div", { class: "tk-said" }, this.words);
    this.chips = make("div", { class: "tk-chips" });
    const about = { class: "tk-st-now", "aria-label": "What just happened" };
    this.said.append(this.sum.element);
    const inside = { class: "tk-now-in" };
    this.element = make("section", about, make(
      "div", inside, this.glyph, this.dice.element, this.said, this.chips,
    ));
    this.showChips = keepEach(this.chips, () => this.makeChip());
    this.draw = whenChanged(() => this.redraw());
    this.redrawGlyph = whenChanged((who) => this.glyph.replaceChildren(this.pictureOf(who)));
    this.scrolled = 0;
    this.said.addEventListener("scroll", () => { this.scrolled = this.said.scrollTop; });
  }

  update() {
    this.told = this.toldFrame();
    this.draw(`${this.told.id} ${this.study.story.answerTo(this.told)?.id}`);
  }

  // While a question is open, the sum that led to it stays on the table.
  toldFrame() {
    const { line, position, frame } = this.study.walk;
    const open = frame.kind === "ask" && !this.study.story.answerTo(frame);
    if (!open || position === 0) return frame;
    for (let index = position - 1; index >= 0 && !isNewPart(line.at(index)); index -= 1) {
      if (line.at(index).sum) return line.at(index);
    }
    return line.at(position - 1);
  }

  // The throws that belong to what is told: back to the last decision.
  rollsBefore(frame) {
    const { line } = this.study.walk;
    if (isNewPart(frame)) return frame.dice ? [frame] : [];
    const rolls = [];
    let index = line.positionOf(frame.id);
    for (; index >= 0 && !isNewPart(line.at(index)) && rolls.length < 3; index -= 1) {
      const one = line.at(index);
      if (one.dice) rolls.unshift(one);
      else if (one.sum && one !== frame && rolls.length) break;
    }
    return rolls;
  }

  redraw() {
    const { study, told } = this;
    this.drawLeft(this.rollsBefore(told));
    changeWords(this.words, study.sentence(told), study.meta.people);
    if (told.sum) this.sum.show(told.sum);
    setAside(this.sum.element, !told.sum);
    this.showChips((told.clauses || []).slice(0, MOST_CHIPS));
    if (this.scrolled) study.afterChanges(() => { this.said.scrollTop = 0; });
  }

  drawLeft(rolls) {
    if (rolls.length) this.dice.show(rolls);
    else this.drawGlyph();
    setAside(this.dice.element, !rolls.length);
    setAside(this.glyph, Boolean(rolls.length));
  }

  drawGlyph() {
    const { people, say } = this.told;
    const who = people?.[0] ?? (say || []).find((part) => typeof part === "number");
    this.redrawGlyph(String(who), who);
  }

  pictureOf(who) {
    const person = this.study.meta.people[who];
    return person ? miniToken(person, 38) : makeIcon("clock", 18);
  }

  makeChip() {
    const element = make("button", { class: "tk-chip", type: "button" });
    return { element, show: (clause) => this.study.showOnChip(element, clause) };
  }
}
