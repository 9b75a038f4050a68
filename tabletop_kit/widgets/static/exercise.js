// An exercise: answer first, then be told. Each kind of question has a module of its own.
import { choosing } from "./choosing.js";
import { make, makeIcon, setText } from "./dom.js";
import { filling } from "./filling.js";
import { guessing } from "./guessing.js";
import { keepKeys, wouldCommand } from "./ownkeys.js";
import { sorting } from "./sorting.js";
import { ticking } from "./ticking.js";

const KINDS = {
  predict: choosing,
  spot: choosing,
  chance: guessing,
  may: ticking,
  order: sorting,
  row: filling,
};

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
  const given = Object.fromEntries(
    ["kind", "question", "choices", "details"].map((name) => [name, model.get(name)]),
  );
  const drawn = KINDS[given.kind]({ ...given, say: (words) => setText(live, words) });
  const body = [
    make(`h${model.get("level") ?? 3}`, {}, given.question),
    drawn.hint ? make("p", { class: "tk-ex-hint" }, drawn.hint) : null,
    ...drawn.body,
    another(model),
    live,
  ];
  return { ...drawn, body: body.filter(Boolean) };
}

// Up and down walk from stop to stop; a kind has keys of its own.
function pressed(event, { stops, key }) {
  if (event.ctrlKey || event.metaKey) return false;
  if (key?.(event)) return true;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !stops) return false;
  const all = stops();
  const at = all.indexOf(document.activeElement);
  all[Math.max(0, Math.min(all.length - 1, at + step))].focus();
  return true;
}

function render({ model, el }) {
  const live = make("div", { class: "tk-sr", "aria-live": "polite" });
  const attributes = { class: "tk-root tk-exercise", role: "group", tabindex: "-1" };
  const root = make("div", attributes);
  let drawn = null;
  const show = () => {
    drawn = draw(model, live);
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
    const isOurs = pressed(event, drawn);
    if (isOurs) event.preventDefault();
    if (isOurs || wouldCommand(event)) event.stopPropagation();
  });
  show();
  model.on("msg:custom", hear);
  el.replaceChildren(root);
  const letGo = keepKeys(root);
  return () => {
    letGo();
    model.off("msg:custom", hear);
  };
}

export default { render };
