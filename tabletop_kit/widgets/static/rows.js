// The rows of a question: the options by kind, those that are refused, and the reasons why.
import {
  askerNode, languageOf, make, makeIcon, miniToken, plainWords, wordNodes,
} from "./dom.js";
import { offerRows } from "./offers.js";
import { describeRows, reasonsOf } from "./options.js";
import { reasonsNode } from "./reasons.js";
import { isAnswer } from "./story.js";

const OTHER = "Other actions";
const NOT_NOW = "Not allowed now";
const OFFERED = "May also be declared";

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
    const chosen = this.isChosen(row);
    const person = this.personOf(row);
    const own = !row.kind.fields.length || row.folded;
    const picture = person !== null ? miniToken(this.people[person], 22)
      : own && row.kind.icon ? makeIcon(row.kind.icon) : null;
    const label = make("span", { class: "tk-olabel" }, this.labelOf(row, person));
    row.slot = make("span", { class: "tk-odds" });
    const count = row.options.filter((option) => !option.refused).length;
    const ways = count === 1 ? "1 way" : `${count} ways`;
    if (chosen) row.slot.append(makeIcon("check"));
    if (!row.only) row.slot.append(make("em", {}, ways), makeIcon("right", 12));
    row.button = make("button", {
      class: `tk-opt${chosen ? " tk-chosen" : ""}`,
      type: "button",
      "aria-description": chosen ? "This was chosen" : null,
      "data-row": row.id,
      "data-key": row.only?.key,
    }, keyMark(row.key), picture, label, row.slot);
    row.about = chosen ? "This was chosen" : "";
    const { kernel } = this.study;
    const refusal = row.only && kernel.refusalOf(this.frame, row.only.key, row.offer?.number);
    return refusal ? [row.button, reasonsNode(this.study, refusal)] : [row.button];
  }

  isChosen(row) {
    const answer = this.study.story.answerTo(this.frame);
    const question = row.offer || this.frame.question;
    return row.options.some(({ key }) => isAnswer(answer, key, question));
  }

  personOf(row) {
    const people = [row.words].flat().filter((part) => typeof part === "number");
    return people.length === 1 && this.people[people[0]] ? people[0] : null;
  }

  labelOf(row, person) {
    const own = !row.kind.fields.length || row.folded;
    const note = own ? plainWords(row.kind.note, this.people) : "";
    const hp = person === null ? null : this.study.walk.facts.status[person]?.[0];
    const small = row.beside || note || (typeof hp === "number" ? `${hp} HP` : "");
    const words = capital(row.words);
    const plain = plainWords(words, this.people);
    const shown = person === null
      ? wordNodes(words, this.people)
      : make("span", { lang: languageOf(plain) }, plain);
    return [shown, small ? make("small", {}, small) : null];
  }

  // ---- what may be declared by those who are not asked

  offersNode(frame, byNumber = true) {
    const { offers = [] } = frame;
    if (!offers.length) return null;
    this.frame = frame;
    const about = { class: "tk-og tk-offers", role: "group", "aria-label": OFFERED };
    const head = make("div", { class: "tk-og-h" }, make("b", {}, OFFERED));
    return make("div", about, head, offers.map((offer) => this.offerNodes(offer, byNumber)));
  }

  offerNodes(offer, byNumber) {
    const asker = askerNode(this.study.meta, offer.who);
    const asks = make("span", {}, asker, `: ${plainWords(offer.asks, this.people)}`);
    const head = make("div", { class: "tk-og-h" }, asks);
    if (offer.clause) head.append(this.study.chip(offer.clause));
    const rows = offerRows(offer);
    for (const row of rows) row.key = byNumber ? this.legal.length + rows.indexOf(row) + 1 : 10;
    this.list.push(...rows);
    return [head, rows.map((row) => this.rowNodes(row))];
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
    return open ? [row.button, reasonsNode(this.study, reasons)] : [row.button];
  }
}
