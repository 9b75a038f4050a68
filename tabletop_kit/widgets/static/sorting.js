// "order": move the items until they stand in the right order.
import { iconButton, make, setText } from "./dom.js";
import { lineButton, toldBlock, verdictMark } from "./telling.js";

function sortRow(choice, move) {
  const place = make("span", { class: "tk-key", "aria-hidden": "true" });
  const mark = make("span", { class: "tk-ex-marked" });
  const up = iconButton("up", `Move up: ${choice.label}`, () => move(row, -1));
  const down = iconButton("down", `Move down: ${choice.label}`, () => move(row, 1));
  const label = make("span", { class: "tk-olabel" }, choice.label);
  const element = make("li", { class: "tk-ex-item" }, place, label, mark, up, down);
  const row = { element, choice, place, mark, up, down };
  return row;
}

function numberPlaces(rows) {
  rows.forEach((row, at) => {
    setText(row.place, String(at + 1));
    row.mark.replaceChildren();
    row.up.setAttribute("aria-disabled", String(at === 0));
    row.down.setAttribute("aria-disabled", String(at === rows.length - 1));
  });
}

export function sorting(exercise) {
  const list = make("ol", { class: "tk-ex-sort" });
  const below = make("div", { class: "tk-ex-below" });
  const rows = exercise.choices.map((choice) => sortRow(choice, move));
  function move(row, step) {
    const at = rows.indexOf(row);
    const to = at + step;
    if (to < 0 || to >= rows.length) return;
    const focused = document.activeElement;
    rows.splice(at, 1);
    rows.splice(to, 0, row);
    if (step < 0) row.element.after(rows[to + 1].element);
    else row.element.before(rows[to - 1].element);
    if (row.element.contains(focused)) focused.focus();
    below.replaceChildren();
    numberPlaces(rows);
    exercise.say(`${row.choice.label}: ${to + 1} of ${rows.length}.`);
  }
  const isRight = ({ choice }, at) => choice.right === at;
  const say = (...nodes) => {
    below.replaceChildren(...nodes);
    exercise.say(below.textContent);
  };
  const show = (words) => {
    rows.forEach((row, at) => {
      const good = isRight(row, at);
      const place = good ? "Right." : `Belongs at ${row.choice.right + 1}.`;
      row.mark.replaceChildren(verdictMark(good, place));
    });
    say(toldBlock(rows.every(isRight), words, exercise.details.because));
  };
  const reveal = (words) => {
    show(words);
    button.focus();
  };
  const check = () => {
    const good = rows.filter(isRight).length;
    if (good === rows.length) show("Right.");
    else {
      const words = `${good} of ${rows.length} in the right place.`;
      const more = lineButton("Show the places", () => reveal(words));
      say(toldBlock(false, words, []), make("p", { class: "tk-ex-more" }, more));
    }
  };
  const button = lineButton("Check", check);
  list.append(...rows.map(({ element }) => element));
  numberPlaces(rows);
  const key = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = rows.find(({ element }) => element.contains(document.activeElement));
    if (!step || !event.altKey || !row) return false;
    move(row, step);
    return true;
  };
  const foot = make("div", { class: "tk-ex-foot" }, button);
  const hint = "Move them with the arrows, then check.";
  return { hint, body: [list, foot, below], stops: () => rows.map(({ up }) => up), key };
}
