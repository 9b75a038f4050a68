// The words of a clause: its number, what kind of rule it is, and its text.
import { make } from "./dom.js";

// Words between two stars are strong.
const paragraph = (text) => make("p", {}, text.split("**").map((words, index) => (
  index % 2 ? make("b", { class: "tk-strong" }, words) : words
)));

export function clauseWords(number, { kind, text }) {
  const code = make("span", { class: "tk-chip tk-chip-still" }, number);
  const head = make("div", { class: "tk-clause-kind" }, code, kind);
  return [head, ...String(text).split(/\n\s*\n/).map(paragraph)];
}
