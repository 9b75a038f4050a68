// Why something is not allowed: every reason with its numbers and its clause.
import { make, wordNodes } from "./dom.js";

function numbersNode(numbers) {
  if (!numbers.length) return null;
  const each = numbers.map(([name, value]) => (
    make("span", {}, `${name} `, make("b", {}, String(value ?? "?")))
  ));
  return make("div", { class: "tk-nums" }, each);
}

export function reasonsNode(study, reasons) {
  const many = reasons.length > 1;
  const title = many ? `Not allowed, for ${reasons.length} reasons` : "Not allowed";
  const items = reasons.map((reason) => make(
    "li", {},
    make("span", {}, wordNodes(reason.words, study.meta.people)),
    reason.clause ? study.chip(reason.clause) : null,
    numbersNode(reason.numbers || []),
  ));
  return make(
    "div", { class: "tk-reasons", role: "region", "aria-label": "Why not" },
    make("p", {}, title), make("ul", {}, items), make("footer", {}, "Nothing has changed."),
  );
}
