// "row": a table whose last row has blanks; each is checked against the rule's value.
import { make } from "./dom.js";
import { lineButton, toldBlock, verdictMark } from "./telling.js";

function blankInput({ label, options }) {
  if (!options.length) return make("input", { type: "number", step: 1, "aria-label": label });
  const shown = options.map((option) => make("option", { value: option }, option));
  return make("select", { "aria-label": label }, make("option", { value: "" }, "…"), shown);
}

function blankCell(choice, onchange) {
  const input = blankInput(choice);
  const below = make("div", { class: "tk-ex-marked" });
  input.addEventListener("input", () => {
    below.replaceChildren();
    onchange();
  });
  const mark = () => {
    const said = input.type === "number" && input.value ? String(input.valueAsNumber) : input.value;
    const good = said === choice.right;
    below.replaceChildren(verdictMark(good, good ? "Right." : `It is ${choice.right}.`));
    return good;
  };
  return { cell: make("td", { class: "tk-ex-blank" }, input, below), mark };
}

export function filling(exercise) {
  const { columns, above, row, because } = exercise.details;
  const below = make("div", { class: "tk-ex-below" });
  const forget = () => below.replaceChildren();
  const blanks = exercise.choices.map((choice) => blankCell(choice, forget));
  const waiting = [...blanks];
  const cells = (values) => values.map((value) => make("td", {}, value));
  const last = row.map((value) => (value === null ? waiting.shift().cell : make("td", {}, value)));
  const check = () => {
    const good = blanks.map(({ mark }) => mark()).filter(Boolean).length;
    const all = good === blanks.length;
    const words = all ? "Right." : `${good} of ${blanks.length} right.`;
    const answers = exercise.choices.map(({ label, right }) => `${label}: ${right}`).join(", ");
    below.replaceChildren(toldBlock(all, words, because));
    exercise.say(`${words} ${answers}.`);
  };
  const heads = columns.map((name) => make("th", { scope: "col" }, name));
  const table = make(
    "table",
    {},
    make("thead", {}, make("tr", {}, heads)),
    make("tbody", {}, above.map((values) => make("tr", {}, cells(values))), make("tr", {}, last)),
  );
  const onsubmit = (event) => {
    event.preventDefault();
    check();
  };
  const button = lineButton("Check");
  button.type = "submit";
  const wide = make("div", { class: "tk-ex-wide" }, table);
  const foot = make("div", { class: "tk-ex-foot" }, button);
  return { body: [make("form", { onsubmit }, wide, foot), below] };
}
