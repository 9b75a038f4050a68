// The dice on the table, throw by throw. They stay where they are and turn from step to step.
import { hide, keepEach, make, plainWords, setAttribute, setText } from "./dom.js";
import { dieFace, turnDie } from "./faces.js";

const MOST_DICE = 6;

const askMark = () => make("span", { class: "tk-q", "aria-hidden": "true" }, "?");

class Die {
  constructor(study, ask, index) {
    this.study = study;
    this.face = dieFace(null, 6);
    this.mark = askMark();
    const onclick = () => ask(this.element, this.roll, index);
    this.element = make("button", { class: "tk-die", type: "button", onclick }, this.face);
  }

  show({ roll, face }) {
    const { sides, faces } = roll.dice;
    const { element, mark } = this;
    const free = faces !== null && this.study.live && sides <= 12;
    const label = face === null ? "a hidden die" : `die shows ${face}`;
    this.roll = roll;
    turnDie(this.face, face, sides);
    // A button that is disabled gives its focus back at once, so that it is not lost later.
    if (!free && document.activeElement === element) element.blur();
    element.disabled = !free;
    setAttribute(element, "title", free ? "What if this were another face?" : null);
    setAttribute(element, "aria-label", free ? `${label}, what if it were another?` : label);
    if (!free) mark.remove();
    else if (!mark.parentNode) element.append(mark);
  }
}

class Throw {
  constructor(study, ask) {
    this.people = study.meta.people;
    this.more = make("small");
    this.label = make("small");
    this.group = make("div", { class: "tk-dgroup" }, this.more);
    this.element = make("div", {}, this.group, this.label);
    this.showEach = keepEach(this.group, (index) => new Die(study, ask, index), this.more);
  }

  show({ roll, named }) {
    const { faces, sides, dice, why } = roll.dice;
    const count = roll.dice.count ?? (Number.parseInt(dice, 10) || 1);
    const shown = faces || Array(count).fill(null);
    this.showEach(shown.slice(0, MOST_DICE).map((face) => ({ roll, face })));
    const rest = shown.length - MOST_DICE;
    hide(this.more, rest <= 0);
    setText(this.more, rest > 0 ? `+${rest}` : "");
    hide(this.label, !named || !why);
    setText(this.label, named && why ? plainWords(why, this.people) : "");
    const extreme = faces && faces.length > 1 && faces.every((face) => face === faces[0]);
    const best = extreme && faces[0] === sides ? " tk-crit" : "";
    const worst = extreme && faces[0] === 1 ? " tk-fumble" : "";
    setAttribute(this.element, "class", `tk-dcol${best}${worst}`);
  }
}

export class Dice {
  // A die that is pressed calls ask(button, roll, index).
  constructor(study, ask) {
    this.element = make("div", { class: "tk-dice" });
    this.showEach = keepEach(this.element, () => new Throw(study, ask));
  }

  show(rolls) {
    const named = rolls.length > 1;
    this.showEach(rolls.map((roll) => ({ roll, named })));
  }
}
