// The words of a clause: its number, what kind of rule it is, and its text.
import { make } from "./dom.js";

// Words between two stars are strong, what stands between backticks is a name of the code.
const coded = (text) => text.split("\x60").map((words, index) => (
  index % 2 ? make("code", { class: "tk-code" }, words) : words
));
const paragraph = (text) => make("p", {}, text.split("**").flatMap((words, index) => (
  index % 2 ? make("b", { class: "tk-strong" }, coded(words)) : coded(words)
)));

export function clauseWords(number, { kind, text }) {
  const code = make("span", { class: "tk-chip tk-chip-still" }, number);
  const head = make("div", { class: "tk-clause-kind" }, code, kind);
  return [head, ...String(text).split(/\n\s*\n/).map(paragraph)];
}
