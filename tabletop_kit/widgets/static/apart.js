// What tells lines apart: a mark for each side, a pattern for each line, places beside each other.
import { isKnown } from "./trail.js";

const MOST_TICKS = 5;

// round: side a; square: side b; diamond: nobody's
export function markPath(side, r = 3.5) {
  if (side === "a") return `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  if (side === "b") return `M${-r} ${-r}H${r}V${r}H${-r}Z`;
  return `M0 ${-r - 1}L${r + 1} 0L0 ${r + 1}L${-r - 1} 0Z`;
}

// Told apart without color; only side a has a whole line.
const PATTERNS = ["5 3", "14 4", "2 3", "10 3 2 3", "16 3 2 3 2 3", "8 6", "3 7", "22 3"];
const PATTERNS_OF_A = [null, ...PATTERNS.slice(1), PATTERNS[0]];

export function patternsOf(lines) {
  const counts = {};
  return lines.map(({ side }) => {
    const number = counts[side] ?? 0;
    counts[side] = number + 1;
    const patterns = side === "a" ? PATTERNS_OF_A : PATTERNS;
    return patterns[number % patterns.length];
  });
}

// The place beside its value's level that a line takes there: 0, then a little up, then down. It
// keeps the place as long as the value lasts.
export function placesBeside(rows) {
  let before = [];
  return rows.map((values) => {
    const stays = (index) => before[index] && before[index].value === values[index];
    const now = values.map((value, index) => (stays(index) ? before[index] : null));
    values.forEach((value, index) => {
      if (now[index] || !isKnown(value)) return;
      const taken = new Set(now.filter((one) => one?.value === value).map(({ place }) => place));
      let rank = 0;
      const placeOf = (number) => (number % 2 ? 1 : -1) * Math.ceil(number / 2);
      while (taken.has(placeOf(rank) + 0)) rank += 1;
      now[index] = { value, place: placeOf(rank) + 0 };
    });
    before = now;
    return now.map((one) => one?.place ?? 0);
  });
}

// Places as near to the wanted ones as they can be, in order and each a row apart.
export function spread(wanted, from, to, apart) {
  const order = wanted.map((y, index) => ({ y, index })).sort((one, other) => one.y - other.y);
  let least = from;
  for (const one of order) {
    one.y = Math.max(one.y, least);
    least = one.y + apart;
  }
  let most = to;
  for (const one of order.reverse()) {
    one.y = Math.min(one.y, most);
    most = one.y - apart;
  }
  const places = [];
  for (const { y, index } of order) places[index] = y;
  return places;
}

// Round numbers, a few of them.
export function ticksOf(least, most) {
  const rough = (most - least || 1) / MOST_TICKS;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * ten).find((one) => one >= rough);
  const ticks = [];
  for (let n = Math.ceil(least / step); n * step <= most; n += 1) ticks.push(n * step);
  return ticks;
}
