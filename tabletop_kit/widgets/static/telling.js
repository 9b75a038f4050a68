// What exercises say once they are answered: a verdict, the reasons and their clauses.
import { make, makeIcon } from "./dom.js";

const reasonLine = ([words, ...clauses]) => {
  const chips = clauses.filter(Boolean).map((id) => make("span", { class: "tk-chip" }, id));
  return make("p", {}, words, chips.map((chip) => [" ", chip]));
};

export function toldBlock(good, words, because, icon = good ? "check" : "close") {
  return make(
    "div",
    { class: `tk-ex-told ${good ? "tk-ex-good" : "tk-ex-bad"}` },
    make("b", {}, makeIcon(icon, 14), words),
    because.map(reasonLine),
  );
}

// Right or wrong in a few words, beside what was answered: told by sign and words, not color alone.
export function verdictMark(good, words) {
  const className = `tk-ex-mark ${good ? "tk-ex-good" : "tk-ex-bad"}`;
  return make("b", { class: className }, makeIcon(good ? "check" : "close", 14), words);
}

export function lineButton(words, onclick) {
  return make("button", { class: "tk-btn tk-btn-line", type: "button", onclick }, words);
}
