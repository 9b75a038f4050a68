// "chance": guess a percentage, be told the exact chance and how far off the guess was.
import { make } from "./dom.js";
import { lineButton, toldBlock } from "./telling.js";

const WELL_GUESSED = 5;
const CLOSE = 15;

// In points; 0 anywhere in a chance that is known as a bracket.
const pointsOff = (guess, { low, high }) =>
  guess / 100 < low ? guess - 100 * low : guess / 100 > high ? guess - 100 * high : 0;

function guessVerdict(off) {
  const size = Math.abs(off);
  if (size < 0.5) return "On the spot.";
  const words = size <= WELL_GUESSED ? "Well guessed" : size <= CLOSE ? "Close" : "Far off";
  const points = size.toFixed(1).replace(/\.0$/, "");
  const unit = points === "1" ? "point" : "points";
  return `${words}: ${points} ${unit} too ${off > 0 ? "high" : "low"}.`;
}

function scaleMark(className, words, share) {
  const shift = share > 0.85 ? "-100%" : share < 0.15 ? "0" : "-50%";
  const style = `inset-inline-start: ${100 * share}%`;
  const label = make("span", { style: `transform: translateX(${shift})` }, words);
  return make("div", { class: className, style }, label);
}

const guessScale = (guess, { low, high }) =>
  make(
    "div",
    { class: "tk-ex-scale", "aria-hidden": "true" },
    scaleMark("tk-ex-yours", `you ${guess}%`, guess / 100),
    scaleMark("tk-ex-exact", "exact", (low + high) / 2),
  );

export function guessing(exercise) {
  const { details } = exercise;
  const range = { min: 0, max: 100, step: 1, value: 50 };
  const number = make("input", { type: "number", inputmode: "numeric", ...range, required: true });
  const slider = make("input", { type: "range", ...range, "aria-label": "Your guess, on a scale" });
  const below = make("div", { class: "tk-ex-below" });
  number.addEventListener("input", () => { slider.value = number.value || 50; });
  slider.addEventListener("input", () => { number.value = slider.value; });
  const check = (event) => {
    event.preventDefault();
    const guess = number.valueAsNumber;
    const off = pointsOff(guess, details);
    const verdict = guessVerdict(off);
    const because = [[details.exact], ...details.because];
    const told = toldBlock(Math.abs(off) <= WELL_GUESSED, verdict, because);
    below.replaceChildren(guessScale(guess, details), told);
    exercise.say(told.textContent);
  };
  const button = lineButton("Check");
  button.type = "submit";
  const label = make("label", {}, make("span", {}, "Your guess"), number, make("span", {}, "%"));
  const form = make("form", { class: "tk-ex-guess", onsubmit: check }, label, slider, button);
  return { body: [form, below] };
}
