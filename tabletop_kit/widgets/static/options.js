// The options of a question, field by field: which rows are shown at which stage.
import { plainWords } from "./dom.js";

// A row stands for one value of a field, and for all options that have it.
function rowsByField(kind, options, field, people) {
  const last = field === kind.fields.length - 1;
  const rows = new Map();
  options.forEach((option, index) => {
    const words = option.bound?.[field] ?? option.label;
    const value = plainWords(words, people);
    const key = last ? `${value} ${index}` : value;
    if (!rows.has(key)) rows.set(key, { words, value, beside: option.beside?.[field], options: [] });
    rows.get(key).options.push(option);
  });
  return [...rows.values()];
}

// The rows of one kind once the fields in `bound` have their values. A field that leaves
// no choice is passed over.
export function rowsOfKind(kind, bound, people) {
  const fits = (option) => bound.every(
    (value, field) => plainWords(option.bound?.[field], people) === value,
  );
  const options = kind.options.filter(fits);
  const single = (option) => ({ words: option.label, value: option.key, options: [option] });
  let field = bound.length;
  if (field >= kind.fields.length) return { passed: bound, rows: options.map(single) };
  const passed = [...bound];
  let rows = rowsByField(kind, options, field, people);
  while (rows.length === 1 && field < kind.fields.length - 1) {
    passed.push(rows[0].value);
    field += 1;
    rows = rowsByField(kind, options, field, people);
  }
  return { passed, rows };
}

// A folded kind is one row until it is picked; what it refuses is then told there.
function foldedRow(kind) {
  const legal = kind.options.filter((option) => !option.refused);
  return { folded: true, words: kind.name, value: "", options: legal };
}

const isFolded = (kind, stage) => (
  kind.folded && !stage && kind.options.filter((option) => !option.refused).length > 1
);

// What is refused whatever else one says is told once.
function shownRows(kind, stage, people) {
  if (isFolded(kind, stage)) return { passed: [], rows: [foldedRow(kind)] };
  const { passed, rows } = rowsOfKind(kind, stage ? stage.bound : [], people);
  const refused = kind.options.every((option) => option.refused);
  if (stage || !refused || !passed.length || rows.length < 2) return { passed, rows };
  const last = passed.at(-1);
  return {
    passed: passed.slice(0, -1),
    rows: [{ words: last, value: last, options: rows.flatMap((row) => row.options) }],
  };
}

// What a row comes to where all but one of its options are refused.
function onlyWay({ options }) {
  const legal = options.filter((option) => !option.refused);
  return legal.length === 1 ? legal[0] : null;
}

export function describeRows(question, stage, people) {
  const kinds = question.kinds.map((kind, index) => ({ kind, index }));
  const shown = stage ? kinds.filter(({ index }) => index === stage.kind) : kinds;
  return shown.flatMap(({ kind, index }) => {
    const { passed, rows } = shownRows(kind, stage, people);
    return rows.map((row) => ({
      ...row,
      way: onlyWay(row),
      kind,
      kindIndex: index,
      passed,
      id: `${index}/${[...passed, row.value].join("/")}`,
      bound: row.folded ? [] : [...passed, row.value],
      only: row.options.length === 1 ? row.options[0] : null,
      legal: row.options.some((option) => !option.refused),
    }));
  });
}

// All reasons against a row, each once.
export function reasonsOf(row) {
  const seen = new Map();
  for (const option of row.options) {
    for (const reason of option.reasons || []) seen.set(`${reason.clause} ${reason.words}`, reason);
  }
  return [...seen.values()];
}

// What all options of a row mark on the board; where they agree on nothing, what any of them does.
export function marksOf(row) {
  const [first, ...rest] = row.options.map((option) => option.marks || {});
  const common = Object.entries(first).filter(
    ([id, state]) => rest.every((marks) => marks[id] === state),
  );
  if (common.length) return Object.fromEntries(common);
  return Object.assign({}, first, ...rest);
}

export function concerns(row, element) {
  if (row.folded) return false;
  return row.options.some((option) => option.marks && element in option.marks);
}
