// An exercise: pick first, then be told. "predict" has one right choice, "spot" a verdict for each.
import { make, makeIcon, setText } from "./dom.js";

const told = (because) =>
  because.map((reason) => {
    const [words, ...clauses] = reason;
    const chips = clauses.filter(Boolean).map((id) => make("span", { class: "tk-chip" }, id));
    return make("p", {}, words, " ", chips);
  });

function verdict(kind, choice, picked) {
  if (kind === "spot") return choice.right ? "Illegal." : "Legal: no rule forbids it.";
  return picked ? (choice.right ? "Right." : "Not so.") : "The answer.";
}

function explanation(kind, choice, picked) {
  const good = kind === "spot" ? !choice.right : choice.right;
  const className = `tk-ex-told ${good ? "tk-ex-good" : "tk-ex-bad"}`;
  const icon = makeIcon(good ? "check" : kind === "spot" ? "lock" : "close", 14);
  return make(
    "div",
    { class: className },
    make("b", {}, icon, verdict(kind, choice, picked)),
    told(choice.because),
  );
}

// A verdict stands under its own line; the one answer of a prediction under all choices.
function choiceRow(exercise, choice, number) {
  const own = exercise.kind === "spot";
  const below = own ? make("div", { class: "tk-ex-below" }) : exercise.below;
  const button = make(
    "button",
    { class: "tk-opt", type: "button", "aria-expanded": "false" },
    make("span", { class: "tk-key", "aria-hidden": "true" }, String(number + 1)),
    make("span", { class: "tk-olabel" }, choice.label),
  );
  const open = () => {
    if (!own) exercise.picked?.setAttribute("aria-expanded", "false");
    exercise.picked = button;
    button.setAttribute("aria-expanded", "true");
    below.replaceChildren(explanation(exercise.kind, choice, true));
    exercise.say(`${choice.label} ${below.textContent}`);
  };
  button.addEventListener("click", open);
  return { row: make("li", {}, button, own ? below : null), open, button };
}

function render({ model, el }) {
  const live = make("div", { class: "tk-sr", "aria-live": "polite" });
  const exercise = {
    kind: model.get("kind"),
    say: (words) => setText(live, words),
    below: make("div", { class: "tk-ex-below" }),
  };
  const rows = model.get("choices").map((choice, n) => choiceRow(exercise, choice, n));
  const hint = exercise.kind === "spot" ? "Make up your mind about each, then open it." : "";
  const root = make(
    "section",
    { class: "tk-root tk-exercise", "aria-label": "Exercise", tabindex: "-1" },
    make("h3", {}, model.get("question")),
    hint ? make("p", { class: "tk-ex-hint" }, hint) : null,
    make("ol", { class: `tk-ex-${exercise.kind}` }, rows.map((choice) => choice.row)),
    exercise.kind === "spot" ? null : exercise.below,
    live,
  );
  root.addEventListener("keydown", (event) => {
    const at = rows.findIndex((choice) => choice.button === document.activeElement);
    const digit = /^[1-9]$/.test(event.key) ? rows[Number(event.key) - 1] : null;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (digit) digit.open();
    else if (step) rows[Math.max(0, Math.min(rows.length - 1, at + step))].button.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  el.replaceChildren(root);
}

export default { render };
