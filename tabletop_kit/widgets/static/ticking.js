// "may": tick all that is allowed; then each is marked, with every reason.
import { make } from "./dom.js";
import { lineButton, toldBlock } from "./telling.js";

function tickRow(choice, onchange) {
  const box = make("input", { type: "checkbox", onchange: () => { clear(); onchange(); } });
  const below = make("div", { class: "tk-ex-below" });
  const clear = () => below.replaceChildren();
  const label = make("span", { class: "tk-olabel" }, choice.label);
  const row = make("li", {}, make("label", { class: "tk-opt" }, box, label), below);
  const mark = () => {
    const good = box.checked === choice.right;
    const words = `${good ? "Right" : "Not so"}: ${choice.right ? "allowed" : "refused"}.`;
    below.replaceChildren(toldBlock(good, words, choice.because));
    return good;
  };
  return { row, box, mark };
}

export function ticking(exercise) {
  const sum = make("p", { class: "tk-ex-sum" });
  const unsay = () => { sum.textContent = ""; };
  const rows = exercise.choices.map((choice) => tickRow(choice, unsay));
  const check = () => {
    const good = rows.map(({ mark }) => mark()).filter(Boolean).length;
    sum.textContent = `${good} of ${rows.length} right.`;
    exercise.say(sum.textContent);
  };
  const list = make("ul", { class: "tk-ex-ticks" }, rows.map(({ row }) => row));
  const key = (event) => {
    const digit = /^[1-9]$/.test(event.key) ? rows[Number(event.key) - 1] : null;
    digit?.box.click();
    return Boolean(digit);
  };
  const group = make("div", { role: "group", "aria-label": exercise.question }, list);
  const foot = make("div", { class: "tk-ex-foot" }, lineButton("Check", check), sum);
  const hint = "Tick all that is allowed, then check.";
  return { hint, body: [group, foot], stops: () => rows.map(({ box }) => box), key };
}
