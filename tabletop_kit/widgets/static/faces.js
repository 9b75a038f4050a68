// The face of a die.
import { makeSvg } from "./dom.js";

const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

export function dieFace(face, sides, size = 38) {
  const frame = { width: size, height: size, viewBox: "-19 -19 38 38", "aria-hidden": "true" };
  const box = { x: -17, y: -17, width: 34, height: 34, rx: 7, class: "tk-die-face" };
  const shapes = [makeSvg("rect", box)];
  if (sides === 6 && PIPS[face]) {
    for (const [x, y] of PIPS[face]) {
      shapes.push(makeSvg("circle", { cx: x * 8.5, cy: y * 8.5, r: 3.1, class: "tk-pip" }));
    }
  } else {
    const letters = { y: 6, "text-anchor": "middle", class: "tk-t tk-die-n" };
    shapes.push(makeSvg("text", letters, face === null ? "?" : String(face)));
  }
  return makeSvg("svg", frame, shapes);
}
