// The head of the question's panel: who is asked, what, under which rule, and the odds.
import { askerNode, make, makeIcon, miniToken, plainWords } from "./dom.js";
import { capital } from "./rows.js";

export class AskHead {
  constructor(study, switchOdds) {
    this.study = study;
    this.switchOdds = switchOdds;
    this.element = make("div", { class: "tk-ask-h" });
  }

  show(person, title, note, ...more) {
    const { people } = this.study.meta;
    const token = people[person] ? miniToken(people[person], 34) : null;
    const words = make("div", {}, make("h3", {}, title), make("p", {}, note));
    this.element.replaceChildren(...[token, words, ...more].filter(Boolean));
  }

  showQuestion(frame, choices, oddsOn) {
    const { study } = this;
    const { who, asks, clause } = frame.question;
    const words = capital(plainWords(asks, study.meta.people));
    const person = typeof who === "number" ? who : null;
    const count = this.note(frame, choices);
    const note = [this.sideOf(person), make("span", { title: count }, count)];
    if (clause) note.push(study.chip(clause));
    const without = study.meta.blind || !study.live || frame.no_odds;
    const odds = without ? null : this.oddsButton(oddsOn);
    this.show(person, [askerNode(study.meta, who), `: ${words}`], note, odds);
  }

  // Whose side somebody is on, in the color of the side.
  sideOf(person) {
    const { people, sides } = this.study.meta;
    const side = people[person]?.side;
    if (!sides?.[side]) return null;
    return make("span", { class: `tk-whose tk-who tk-side-${side}`, title: sides[side] }, sides[side]);
  }

  note(frame, choices) {
    const { live, story, meta } = this.study;
    const answered = story.childrenOf(frame.id).length;
    if (!live) return answered ? "Answered" : "Not answered yet";
    if (answered) return "Answered. Try another";
    const count = choices === 1 ? "1 choice" : `${choices} choices`;
    return meta.blind ? `${count}, some not allowed` : count;
  }

  oddsButton(on) {
    return make("button", {
      class: "tk-btn tk-btn-small",
      type: "button",
      title: "Odds",
      "aria-label": "Odds",
      "aria-pressed": String(on),
      onclick: () => this.switchOdds(),
    }, makeIcon("die"));
  }
}
