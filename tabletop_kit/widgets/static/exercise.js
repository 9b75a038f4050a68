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
  const icon = makeIcon(good ? "check" : "lock", 14);
  return make(
    "div",
    { class: className },
    make("b", {}, icon, verdict(kind, choice, picked)),
    told(choice.because),
  );
}

function choiceRow(exercise, choice, number) {
  const below = make("div", { class: "tk-ex-below" });
  const button = make(
    "button",
    { class: "tk-opt", type: "button", "aria-expanded": "false" },
    make("span", { class: "tk-key", "aria-hidden": "true" }, String(number + 1)),
    make("span", { class: "tk-olabel" }, choice.label),
  );
  const open = () => {
    button.setAttribute("aria-expanded", "true");
    below.replaceChildren(explanation(exercise.kind, choice, true));
    exercise.say(`${choice.label} ${below.textContent}`);
  };
  button.addEventListener("click", open);
  return { row: make("li", {}, button, below), open, button };
}

function another(model) {
  if (!model.get("more")) return null;
  const attributes = { class: "tk-btn tk-btn-line", type: "button" };
  const button = make("button", attributes, makeIcon("die", 14), "Another one");
  button.addEventListener("click", () => {
    button.disabled = true;
    model.send({ ask: "another" });
  });
  return make("p", { class: "tk-ex-more" }, button, make("span", {}, `No. ${model.get("seed")}`));
}

function draw(model, live) {
  const exercise = { kind: model.get("kind"), say: (words) => setText(live, words) };
  const rows = model.get("choices").map((choice, n) => choiceRow(exercise, choice, n));
  const hint = exercise.kind === "spot" ? "Make up your mind about each, then open it." : "";
  const body = [
    make(`h${model.get("level") ?? 3}`, {}, model.get("question")),
    hint ? make("p", { class: "tk-ex-hint" }, hint) : null,
    make("ol", { class: `tk-ex-${exercise.kind}` }, rows.map((choice) => choice.row)),
    another(model),
    live,
  ];
  return { rows, body: body.filter(Boolean) };
}

function render({ model, el }) {
  const live = make("div", { class: "tk-sr", "aria-live": "polite" });
  const attributes = { class: "tk-root tk-exercise", tabindex: "-1" };
  const root = make("section", attributes);
  let rows = [];
  const show = () => {
    const drawn = draw(model, live);
    rows = drawn.rows;
    root.setAttribute("aria-label", `Exercise: ${model.get("question")}`);
    root.replaceChildren(...drawn.body);
  };
  const hear = (message) => {
    const hadFocus = root.contains(document.activeElement);
    show();
    if (message.tell === "error") root.append(make("p", { class: "tk-ex-bad" }, message.text));
    if (hadFocus) root.focus();
    setText(live, message.text ?? model.get("question"));
  };
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
  show();
  model.on("msg:custom", hear);
  el.replaceChildren(root);
  return () => model.off("msg:custom", hear);
}

export default { render };
