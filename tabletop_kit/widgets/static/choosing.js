// Exercises answered by one press: "predict" has one right choice, "spot" a verdict for each.
import { make } from "./dom.js";
import { toldBlock } from "./telling.js";

const DIGITS = [..."123456789"];
const LETTERS = [..."ABCDEFGHI"];
const isNumber = ({ label }) => /^[-−]?\d/.test(label);

// What stands beside the choices, and picks them: no digits where those would look like answers.
const marksFor = (choices) => (choices.some(isNumber) ? LETTERS : DIGITS);

function chosenVerdict(kind, choice) {
  if (kind === "spot") return choice.right ? "Illegal." : "Legal: no rule forbids it.";
  return choice.right ? "Right." : "Not so.";
}

// A verdict stands under its own line; the one answer of a prediction under all choices.
function choiceRow(exercise, choice, mark, shared) {
  const { kind } = exercise;
  const below = shared?.below ?? make("div", { class: "tk-ex-below" });
  const open = () => {
    shared?.picked?.setAttribute("aria-expanded", "false");
    if (shared) shared.picked = button;
    const illegal = kind === "spot" && choice.right;
    const good = kind === "spot" ? !choice.right : choice.right;
    const icon = illegal ? "lock" : undefined;
    button.setAttribute("aria-expanded", "true");
    below.replaceChildren(toldBlock(good, chosenVerdict(kind, choice), choice.because, icon));
    exercise.say(`${choice.label} ${below.textContent}`);
  };
  const button = make(
    "button",
    { class: "tk-opt", type: "button", "aria-expanded": "false", onclick: open },
    make("span", { class: "tk-key", "aria-hidden": "true" }, mark),
    make("span", { class: "tk-olabel" }, choice.label),
  );
  return { row: make("li", {}, button, shared ? null : below), open, button };
}

export function choosing(exercise) {
  const one = exercise.kind === "spot" ? null : { below: make("div", { class: "tk-ex-below" }) };
  const marks = marksFor(exercise.choices);
  const rows = exercise.choices.map((choice, n) => choiceRow(exercise, choice, marks[n] ?? "", one));
  const hint = exercise.kind === "spot" ? "Make up your mind about each, then open it." : "";
  const list = make("ol", { class: `tk-ex-${exercise.kind}` }, rows.map(({ row }) => row));
  const key = (event) => {
    const row = rows[marks.indexOf(event.key.toUpperCase())];
    row?.open();
    return Boolean(row);
  };
  return { hint, body: one ? [list, one.below] : [list], stops: () => rows.map(({ button }) => button), key };
}
