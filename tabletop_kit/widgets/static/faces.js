// The face of a die.
import { makeSvg, setAttribute, setText } from "./dom.js";

const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};
const PIP = "a3.1 3.1 0 1 0 6.2 0a3.1 3.1 0 1 0 -6.2 0Z";
const pathOf = (pips) => pips.map(([x, y]) => `M${x * 8.5 - 3.1} ${y * 8.5}${PIP}`).join("");

export function dieFace(face, sides, size = 38) {
  const frame = { width: size, height: size, viewBox: "-19 -19 38 38", "aria-hidden": "true" };
  const box = { x: -17, y: -17, width: 34, height: 34, rx: 7, class: "tk-die-face" };
  const letters = { y: 6, "text-anchor": "middle", class: "tk-t tk-die-n" };
  const parts = [
    makeSvg("rect", box), makeSvg("path", { class: "tk-pip" }), makeSvg("text", letters),
  ];
  const svg = makeSvg("svg", frame, parts);
  turnDie(svg, face, sides);
  return svg;
}

// Another face of the same die.
export function turnDie(svg, face, sides) {
  const [, dots, letters] = svg.children;
  const pips = sides === 6 && PIPS[face];
  setAttribute(dots, "d", pips ? pathOf(pips) : null);
  setText(letters, pips ? "" : String(face ?? "?"));
}
