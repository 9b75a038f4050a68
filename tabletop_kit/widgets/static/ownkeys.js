// Keys inside an element that a notebook must not take for commands of its own.
// Notebook 7 hears a key before anything in the page does. It asks the focused element first, then
// those around it, and stops at a mark: so the focused one itself has to bear it.
const SUPPRESS = "data-lm-suppress-shortcuts";

// Without Shift, Ctrl or Alt a notebook would take a key for a command of its own.
export const wouldCommand = (event) =>
  event.target.closest(".jp-Notebook") &&
  !(event.shiftKey || event.ctrlKey || event.metaKey || event.altKey || event.key === "Escape");

// All keys belong to the element.
export function takeKeys(root) {
  root.setAttribute(SUPPRESS, "true");
  root.addEventListener("focusin", ({ target }) => target.setAttribute(SUPPRESS, "true"));
}

// The notebook keeps those with Shift, Ctrl or Alt: they run a cell, save and so on.
export function keepKeys(root) {
  const mark = (event) => {
    const { target } = event;
    if (root.contains(target)) target.toggleAttribute(SUPPRESS, Boolean(wouldCommand(event)));
  };
  window.addEventListener("keydown", mark, true);
  return () => window.removeEventListener("keydown", mark, true);
}
