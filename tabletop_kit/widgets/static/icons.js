// Every glyph of the kit: paths on a 16 x 16 grid, stroked 1.5 wide with round ends.
// A part that starts with "f:" is filled instead.
import ICONS from "../../data/icons.json";

export function iconParts(name) {
  const parts = ICONS[name] || ICONS.info;
  return parts.map((part) => {
    const filled = part.startsWith("f:");
    return { d: filled ? part.slice(2) : part, class: filled ? "tk-if" : "tk-is" };
  });
}
