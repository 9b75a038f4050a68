// What the keys do. Listed as they are told to the reader, and as they are carried out; some are
// of use only while a game is played.

export const KEY_WORDS = [
  [["←", "→"], "one step back, forward"],
  [["U"], "undo the last answer", "live"],
  [["Home", "End"], "first, last step"],
  [["PgUp", "PgDn"], "turn by turn"],
  [["Space"], "play, pause"],
  [["1", "…", "9"], "choose an answer, or a die's face", "live"],
  [["↑", "↓"], "from answer to answer"],
  [["W"], "why not? next refused one", "live"],
  [["B"], "next branch"],
  [["N"], "a note at this step", "live"],
  [["T"], "board as text"],
  [["?"], "these keys"],
  [["Esc"], "close, or one stage back"],
];

const ACTIONS = {
  ArrowLeft: (study) => study.walk.step(-1),
  ArrowRight: (study) => study.walk.step(1),
  Home: (study) => study.walk.goToEnd(-1),
  End: (study) => study.walk.goToEnd(1),
  PageUp: (study) => study.walk.stepHeading(-1),
  PageDown: (study) => study.walk.stepHeading(1),
  u: (study) => study.live && study.walk.undo(),
  w: (study) => study.question.nextRefused(),
  b: (study) => study.walk.nextBranch(),
  n: (study) => study.notes.write(),
  t: (study) => study.toggleText(),
  Backspace: (study) => study.question.takeBack(),
  "?": (study) => study.head.showKeys(),
};

// Escape closes the nearest thing that is open; where nothing is, it is left to the page.
function escape(study) {
  if (study.popover.open) study.popover.close();
  else if (study.question.closeReasons() || study.question.back()) return true;
  else if (study.pinned) study.pin(null);
  else return false;
  return true;
}

function withControl(study, event) {
  if (event.altKey || !(event.ctrlKey || event.metaKey)) return false;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) study.walk.undo();
  else if (key === "z" || key === "y") study.walk.redo();
  else return false;
  return true;
}

// What floats over the question is meant first.
function choose(study, number) {
  if (study.popover.open) study.popover.press(number);
  else return study.question.chooseNumber(number);
  return true;
}

function plainKey(study, event) {
  const { key, target } = event;
  const sideways = { ArrowLeft: -1, ArrowRight: 1 }[key];
  const upright = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (key === "Escape") return escape(study);
  if (study.popover.open && sideways) {
    study.popover.walk(sideways);
    return true;
  }
  if (key === " ") {
    if (target.closest("button")) return false;
    study.walk.togglePlay();
    return true;
  }
  if (upright) {
    if (!target.closest(".tk-st-ask")) return false;
    study.question.walkRows(upright);
    return true;
  }
  if (/^[1-9]$/.test(key)) return choose(study, Number(key));
  if (key === "Enter") return study.question.confirm(target.closest("button"));
  const action = ACTIONS[key.length === 1 ? key.toLowerCase() : key];
  return action ? action(study) !== false : false;
}

export function onKey(study, event) {
  if (event.target.matches?.("select, input, textarea")) return;
  const modified = event.altKey || event.ctrlKey || event.metaKey;
  const done = modified ? withControl(study, event) : plainKey(study, event);
  if (!done) return;
  event.preventDefault();
  event.stopPropagation();
}
