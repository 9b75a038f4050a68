// Chances beside the options: a bar, and how likely it is to put somebody down. Of several whom
// an option takes the worst off is shown; what becomes of each of them is told in words. Where the
// ways were too many to count, they were drawn: that is said.
import { make, makeIcon, nameOf } from "./dom.js";

const LEGEND = [["miss", "no damage"], ["hit", "hurt"], ["down", "down (the number)"]];
const LEAST_CHANCE = 0.001;
const LEAST_MEAN = 0.05;

// Odds come for one target, or keyed by the targets' numbers; the worst off first.
export function fatesOf(odds) {
  if (!odds) return [];
  const single = typeof odds.none === "number" || typeof odds.down === "number";
  const each = single ? [[odds.who, odds]] : Object.entries(odds);
  const fates = each.map(([who, fate]) => (
    { none: 0, hurt: 0, down: 0, mean: 0, unresolved: 0, ...fate, who: Number(who) }
  ));
  return fates.sort((one, other) => other.down - one.down || other.hurt - one.hurt);
}

// ---- in words

const percent = (chance) => {
  if (chance > 0.995) return "sure";
  return chance < 0.005 ? "<1 %" : `${Math.round(chance * 100)} %`;
};

function chanceWords(chance, words) {
  if (chance < LEAST_CHANCE) return null;
  return chance > 0.995 ? `surely ${words}` : `${percent(chance)} ${words}`;
}

function meanWords(mean) {
  if (Math.abs(mean) < LEAST_MEAN) return null;
  return `${mean < 0 ? "−" : "+"}${Math.abs(mean).toFixed(1)} HP on average`;
}

function fateWords({ none, hurt, down, mean, unresolved, drawn }) {
  const words = [
    chanceWords(down, "down"),
    chanceWords(hurt, "hurt"),
    chanceWords(none, "no damage"),
    chanceWords(unresolved, "not worked out"),
    meanWords(mean),
  ].filter(Boolean).join(", ");
  return drawn ? `about, from ${drawn} tries: ${words}` : words;
}

// One line for each whom the option takes.
export const fateLines = (fates, people) => fates.map((fate) => (
  fates.length > 1 ? `${nameOf(fate.who, people)}: ${fateWords(fate)}` : fateWords(fate)
));

// ---- in the row

function oddsBar(fate, many) {
  const { none, hurt, down, unresolved } = fate;
  const parts = [["miss", none], ["hit", hurt], ["down", down], ["open", unresolved]];
  const shown = parts.filter(([, chance]) => chance > LEAST_CHANCE);
  const words = `${many > 1 ? `the worst off of ${many}: ` : ""}${fateWords(fate)}`;
  return make(
    "span", { class: "tk-obar", role: "img", "aria-label": words },
    shown.map(([name, chance]) => make("i", { class: `tk-o-${name}`, style: `flex:${chance}` })),
  );
}

function legendItems() {
  return LEGEND.map(([name, words]) => {
    const part = make("i", { class: `tk-o-${name}`, style: "flex:1" });
    return make("span", {}, make("span", { class: "tk-obar" }, part), words);
  });
}

const isHarmless = ({ hurt, down, unresolved }) => hurt + down + unresolved < LEAST_CHANCE;

// What stands in the row: a bar, or what is gained; null where nothing comes of it.
function chanceNodes(fates) {
  const [worst] = fates;
  const many = fates.length;
  const times = many > 1 ? make("em", { "aria-hidden": "true" }, `×${many}`) : null;
  if (!fates.every(isHarmless)) {
    const about = worst.drawn ? "≈ " : "";
    return [times, oddsBar(worst, many), make("b", {}, about + percent(worst.down))];
  }
  const most = Math.max(...fates.map(({ mean }) => mean));
  return most > LEAST_MEAN ? [times, make("b", {}, `+${most.toFixed(1)} HP`)] : null;
}

// Fills in what is known; the legend is there once any bar is.
export function fillOdds(rows, odds, legend, people) {
  let any = false;
  for (const row of rows) {
    const fates = row.way ? fatesOf(odds[row.way.key]) : [];
    if (!fates.length) continue;
    any ||= !fates.every(isHarmless);
    const nodes = chanceNodes(fates);
    const onward = row.only ? null : makeIcon("right", 12);
    if (nodes) row.slot.replaceChildren(...[...nodes, onward].filter(Boolean));
    row.fates = fateLines(fates, people);
    const words = [row.about, ...row.fates].filter(Boolean).join("; ");
    row.button.setAttribute("aria-description", words);
  }
  if (any && legend.hidden) legend.replaceChildren(...legendItems());
  legend.hidden = !any;
}

// ---- the words of the row one points at, beside it

export class FateTip {
  constructor(host) {
    this.host = host;
    this.box = make("div", { class: "tk-tip tk-fates", "aria-hidden": "true", hidden: true });
    host.append(this.box);
  }

  show(row) {
    const lines = row?.fates || [];
    this.box.hidden = !lines.length;
    if (!lines.length) return;
    this.box.replaceChildren(...lines.map((line) => make("p", {}, line)));
    const around = this.host.getBoundingClientRect();
    const { top, bottom, right, width } = row.button.getBoundingClientRect();
    this.box.style.maxWidth = `${Math.min(300, width - 20)}px`;
    const below = bottom - around.top + 2;
    const fits = below + this.box.offsetHeight < around.height;
    this.box.style.top = `${fits ? below : top - around.top - this.box.offsetHeight - 2}px`;
    this.box.style.right = `${around.right - right + 10}px`;
  }
}
