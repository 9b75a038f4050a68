// The rows of a question: the options by kind, those that are refused, and the reasons why.
import { languageOf, make, makeIcon, miniToken, plainWords, wordNodes } from "./dom.js";
import { describeRows, reasonsOf } from "./options.js";

const OTHER = "Other actions";
const NOT_NOW = "Not allowed now";

const keyMark = (key) => (
  make("span", { class: "tk-key", "aria-hidden": "true" }, key <= 9 ? String(key) : "·")
);

// Labels begin with a capital, whoever wrote them; names stay as they are.
export function capital(words) {
  if (!Array.isArray(words)) return typeof words === "string" ? capital([words])[0] : words;
  const [first, ...rest] = words;
  if (typeof first !== "string") return words;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest];
}

export class Rows {
  constructor(study) {
    this.study = study;
    this.list = [];
  }

  get people() {
    return this.study.meta.people;
  }

  get legal() {
    return this.list.filter((row) => row.legal);
  }

  get refused() {
    return this.list.filter((row) => !row.legal);
  }

  byId(id) {
    return this.list.find((row) => row.id === id) ?? null;
  }

  clear() {
    this.list = [];
  }

  // All rows of a question at a stage; the one whose reasons are open is `why`.
  build(frame, stage, why) {
    this.frame = frame;
    this.stage = stage;
    this.chosen = this.study.story.answerTo(frame)?.key ?? null;
    this.list = describeRows(frame.question, stage, this.people);
    this.groups = this.groupsOf(this.legal);
    this.groups.flatMap(({ rows }) => rows).forEach((row, index) => { row.key = index + 1; });
    return {
      allowed: this.groups.map((group) => this.groupNode(group)),
      refused: this.refusedGroup(why),
    };
  }

  // ---- groups

  // Kinds without fields are single actions: they share one group at the end.
  groupsOf(rows) {
    const groups = [];
    const mixed = this.frame.question.kinds.some((kind) => kind.fields.length);
    const loose = { name: mixed ? OTHER : "Answer", rows: [] };
    for (const row of rows) {
      const { kind } = row;
      const grouped = kind.fields.length && !row.folded;
      let group = grouped ? groups.find((one) => one.kind === kind) : loose;
      if (!group) groups.push(group = { kind, name: capital(kind.name), rows: [] });
      group.rows.push(row);
    }
    return loose.rows.length ? [...groups, loose] : groups;
  }

  groupNode({ kind, name, rows }) {
    const head = make("div", { class: "tk-og-h" });
    if (kind?.icon) head.append(makeIcon(kind.icon, 14));
    head.append(make("b", {}, name));
    const passed = kind ? rows[0].passed.slice(this.stage?.bound.length || 0) : [];
    const note = kind && plainWords(kind.note, this.people);
    const notes = [...passed, note].filter(Boolean).join(" · ");
    if (notes) head.append(make("span", {}, notes));
    if (kind?.clause) head.append(this.study.chip(kind.clause));
    const lines = rows.flatMap((row) => this.rowNodes(row));
    return make("div", { class: "tk-og", role: "group", "aria-label": name }, head, lines);
  }

  // ---- one row

  rowNodes(row) {
    const chosen = row.options.some((option) => option.key === this.chosen);
    const person = this.personOf(row);
    const own = !row.kind.fields.length || row.folded;
    const picture = person !== null ? miniToken(this.people[person], 22)
      : own && row.kind.icon ? makeIcon(row.kind.icon) : null;
    const label = make("span", { class: "tk-olabel" }, this.labelOf(row, person));
    row.slot = make("span", { class: "tk-odds" });
    const ways = `${row.options.filter((option) => !option.refused).length} ways`;
    if (chosen) row.slot.append(makeIcon("check"));
    if (!row.only) row.slot.append(make("em", {}, ways), makeIcon("right", 12));
    row.button = make("button", {
      class: `tk-opt${chosen ? " tk-chosen" : ""}`,
      type: "button",
      "aria-description": chosen ? "This was chosen" : null,
      "data-row": row.id,
      "data-key": row.only?.key,
    }, keyMark(row.key), picture, label, row.slot);
    const refusal = row.only && this.study.kernel.refusalOf(this.frame, row.only.key);
    return refusal ? [row.button, this.reasonsNode(refusal)] : [row.button];
  }

  personOf(row) {
    const people = [row.words].flat().filter((part) => typeof part === "number");
    return people.length === 1 && this.people[people[0]] ? people[0] : null;
  }

  labelOf(row, person) {
    const own = !row.kind.fields.length || row.folded;
    const note = own ? plainWords(row.kind.note, this.people) : "";
    const hp = person === null ? null : this.study.walk.facts.status[person]?.[0];
    const small = note || (typeof hp === "number" ? `${hp} HP` : "");
    const words = capital(row.words);
    const plain = plainWords(words, this.people);
    const shown = person === null
      ? wordNodes(words, this.people)
      : make("span", { lang: languageOf(plain) }, plain);
    return [shown, small ? make("small", {}, small) : null];
  }

  // ---- what is not allowed, and why

  refusedGroup(why) {
    const { refused } = this;
    if (!refused.length) return null;
    const head = make("div", { class: "tk-og-h" }, make("b", {}, NOT_NOW));
    head.append(make("span", {}, String(refused.length)));
    const about = { class: "tk-og tk-nogroup", role: "group", "aria-label": NOT_NOW };
    return make("div", about, head, refused.flatMap((row) => this.refusedNodes(row, why)));
  }

  fullWords(row) {
    if (!row.kind.fields.length) return plainWords(capital(row.words), this.people);
    const before = this.stage ? row.passed : [row.kind.name, ...row.passed];
    return capital([...before, plainWords(row.words, this.people)].join(" → "));
  }

  refusedNodes(row, why) {
    const open = why === row.id;
    const reasons = reasonsOf(row);
    const hint = reasons.length > 1 ? `${reasons.length} reasons` : "why not";
    const words = this.fullWords(row);
    row.button = make(
      "button",
      {
        class: "tk-opt tk-no",
        type: "button",
        "data-row": row.id,
        "data-key": row.only?.key,
        "aria-expanded": String(open),
        "aria-label": `Not allowed: ${words}. Why not?`,
      },
      makeIcon("lock", 14),
      make("span", { class: "tk-olabel", lang: languageOf(words) }, words),
      make("span", { class: "tk-why" }, hint, makeIcon(open ? "upc" : "downc", 12)),
    );
    return open ? [row.button, this.reasonsNode(reasons)] : [row.button];
  }

  reasonsNode(reasons) {
    const many = reasons.length > 1;
    const title = many ? `Not allowed, for ${reasons.length} reasons` : "Not allowed";
    const items = reasons.map((reason) => make(
      "li", {},
      make("span", {}, wordNodes(reason.words, this.people)),
      reason.clause ? this.study.chip(reason.clause) : null,
      numbersNode(reason.numbers || []),
    ));
    return make(
      "div", { class: "tk-reasons", role: "region", "aria-label": "Why not" },
      make("p", {}, title), make("ul", {}, items), make("footer", {}, "Nothing has changed."),
    );
  }
}

function numbersNode(numbers) {
  if (!numbers.length) return null;
  const each = numbers.map(([name, value]) => (
    make("span", {}, `${name} `, make("b", {}, String(value ?? "?")))
  ));
  return make("div", { class: "tk-nums" }, each);
}
