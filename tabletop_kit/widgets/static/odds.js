// Chances beside the options: a bar, and how likely it is to put somebody down.
import { make } from "./dom.js";
import { chancesOf } from "./options.js";

const LEGEND = [["miss", "no damage"], ["hit", "hurt"], ["down", "down (the number)"]];
const OUTCOME_WORDS = ["no damage", "hurt", "down", "not worked out"];

const percent = (chance) => {
  if (chance > 0.995) return "sure";
  return chance < 0.005 ? "<1 %" : `${Math.round(chance * 100)} %`;
};

function oddsBar({ none, hurt, down, unresolved }) {
  const parts = [["miss", none], ["hit", hurt], ["down", down], ["open", unresolved]];
  const shown = parts.filter(([, chance]) => chance > 0.001);
  const words = parts
    .map(([, chance], index) => [chance, OUTCOME_WORDS[index]])
    .filter(([chance], index) => index < 3 || chance > 0.001)
    .map(([chance, name]) => `${Math.round(chance * 100)} percent ${name}`).join(", ");
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

// Fills in what is known; the legend is there once any of it is.
export function fillOdds(rows, odds, legend) {
  let any = false;
  for (const row of rows) {
    const chances = row.legal && row.only ? chancesOf(odds[row.only.key]) : null;
    if (!chances) continue;
    const harmless = chances.hurt + chances.down + chances.unresolved < 0.001;
    if (harmless) {
      const mean = odds[row.only.key].mean ?? 0;
      if (mean > 0.05) row.slot.replaceChildren(make("b", {}, `+${mean.toFixed(1)} HP`));
      continue;
    }
    any = true;
    row.slot.replaceChildren(oddsBar(chances), make("b", {}, percent(chances.down)));
  }
  if (any && legend.hidden) legend.replaceChildren(...legendItems());
  legend.hidden = !any;
}
