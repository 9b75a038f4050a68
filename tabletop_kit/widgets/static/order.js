// The order of play: a chip for everybody, in the order in which they act.
import { languageOf, make, miniToken, setAttribute, setText, whenChanged } from "./dom.js";

// The token says that itself, with a mark.
const ACTED = "has acted";

export class Order {
  constructor(study) {
    this.study = study;
    this.list = make("ol", { class: "tk-turns" });
    const about = { class: "tk-st-order", "aria-label": "Order of play" };
    this.element = make("section", about, this.list);
    this.chips = new Map();
    this.arrange = whenChanged(() => this.placeChips());
  }

  update() {
    const { order } = this.study.walk.facts;
    this.order = order.length ? order : this.study.everybody;
    this.arrange(this.order.join());
    for (const number of this.order) this.updateChip(number);
  }

  placeChips() {
    this.list.replaceChildren(...this.order.map((number) => this.chipOf(number).item));
  }

  chipOf(number) {
    if (!this.chips.has(number)) this.chips.set(number, this.makeChip(number));
    return this.chips.get(number);
  }

  makeChip(number) {
    const { people } = this.study.meta;
    const person = people[number];
    const lang = person.lang || languageOf(person.name);
    const note = make("span");
    const text = make("div", { class: "tk-turn-text" }, make("b", { lang }, person.name), note);
    const point = (on) => () => this.study.question.pointing.atPerson(on ? number : null);
    const button = make("button", {
      type: "button",
      onclick: () => this.goToTurnOf(number),
      onpointerenter: point(true),
      onpointerleave: point(false),
      onfocus: point(true),
      onblur: point(false),
    }, text);
    const item = make("li", {}, button);
    const drawToken = whenChanged((states) => {
      button.querySelector(".tk-mini")?.remove();
      button.prepend(miniToken(person, 28, states));
    });
    return { item, button, note, drawToken };
  }

  updateChip(number) {
    const { facts, frame } = this.study.walk;
    const chip = this.chipOf(number);
    const status = facts.status[number];
    const active = facts.active === number && frame.kind !== "end";
    const asked = frame.question?.who === number && !active;
    if (chip.status === status && chip.active === active && chip.asked === asked) return;
    Object.assign(chip, { status, active, asked });
    this.drawChip(number, chip);
  }

  drawChip(number, { item, button, note, drawToken, status, active, asked }) {
    const [hp, most, words] = status || [null, null, ""];
    const down = hp === 0;
    const acted = !active && /\bacted\b/.test(words || "");
    const states = down ? ["down"] : acted ? ["acted"] : [];
    const flags = { active, acted, down, asked };
    const classes = Object.keys(flags).filter((name) => flags[name]);
    setAttribute(item, "class", ["tk-turn", ...classes.map((c) => `tk-is-${c}`)].join(" "));
    setAttribute(button, "aria-current", active ? "true" : null);
    const health = hp === null || hp === undefined ? "" : most ? `${hp}/${most} HP` : `${hp} HP`;
    const told = acted && words === ACTED ? "" : words;
    setText(note, told || (down ? "down" : health));
    const doing = active ? "acting" : asked ? "is asked" : "";
    const { name } = this.study.meta.people[number];
    setAttribute(button, "aria-label", [name, health, words, doing].filter(Boolean).join(", "));
    drawToken(states.join(), states);
  }

  // To the question this person is asked in this turn, or the step where they are first at work.
  goToTurnOf(number) {
    const { story, walk } = this.study;
    const here = walk.line.frames.slice(...walk.line.reachOf(walk.position));
    const found = here.find((other) => other.question?.who === number)
      || here.find((other) => story.factsAt(other.id).active === number);
    if (found) walk.go(found.id);
  }
}
