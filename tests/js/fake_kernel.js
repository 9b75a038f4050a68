// A model and a kernel small enough for a page: answers lead to made-up frames on a new branch.
const data = JSON.parse(document.getElementById("data").textContent);
const { meta, frames, at = -1, notes = [] } = data;
const state = { meta, frames, at, notes };
const calls = {};
const fire = (name, ...rest) => (calls[name] || []).slice().forEach((call) => call(...rest));
const sent = [];
let saved = 0;
const tell = (message) => setTimeout(() => fire("msg:custom", message, []), 20);

const model = {
  get: (name) => state[name],
  set: (name, value) => {
    if (state[name] === value) return;
    state[name] = value;
    fire(`change:${name}`);
  },
  save_changes: () => { saved += 1; },
  on: (name, call) => { (calls[name] ||= []).push(call); },
  off: (name, call) => { calls[name] = (calls[name] || []).filter((one) => one !== call); },
  send: (message) => {
    sent.push(message);
    if (!window.silent) answers[message.ask]?.(message);
  },
};

let number = 1000;
const frameOf = (id) => state.frames.find((frame) => frame.id === id);
const question = () => state.frames.findLast((frame) => frame.question).question;

function follow(frame, parent, more) {
  number += 1;
  return { id: number, parent, node: number, clauses: frame.clauses, heading: frame.heading, ...more };
}

function outcome(frame, parent, faces) {
  const who = frame.question?.who ?? frame.dice?.by ?? 0;
  const clause = frame.clauses[0];
  const dice = { faces, sides: 6, dice: "2D6", why: "strikes", by: who, clause, node: number };
  const roll = follow(frame, parent, { kind: "roll", say: [who, " rolls 2D6."], dice });
  const total = faces[0] + faces[1];
  const sum = { parts: [["+", 9, "attack"], ["+", total, "dice"]], total: [9 + total, "damage"] };
  const told = follow(frame, roll.id, { kind: "event", say: [who, ` strikes for ${9 + total}.`], sum });
  const ask = follow(frame, told.id, { kind: "ask", say: [who, ": and now?"], question: question() });
  return [roll, told, ask];
}

const answers = {
  answer({ frame, key }) {
    const here = frameOf(frame);
    const options = here.question.kinds.flatMap((kind) => kind.options);
    const option = options.find((one) => one.key === key);
    const reasons = data.secrets?.[key];
    if (reasons) return tell({ tell: "refused", frame, key, reasons });
    if (!option) return tell({ tell: "error", title: "Not played", text: "No such option." });
    const say = [here.question.who, " chooses: ", ...option.label, "."];
    const chosen = follow(here, here.parent, { kind: "choice", say, key });
    const rest = outcome(here, chosen.id, [3, 4]);
    return tell({ tell: "frames", frames: [chosen, ...rest], at: rest.at(-1).id });
  },
  take({ frame, offer, key }) {
    const here = frameOf(frame);
    const reasons = data.secrets?.[key];
    if (reasons) return tell({ tell: "refused", frame, key, offer, reasons });
    const { name, who } = here.offers[offer];
    const say = [who, ": declared."];
    const chosen = follow(here, here.parent, { kind: "choice", say, key, name, who });
    const told = follow(here, chosen.id, { kind: "event", say: ["It is declared."] });
    return tell({ tell: "frames", frames: [chosen, told], at: told.id });
  },
  note({ frame, text }) {
    const others = state.notes.filter((note) => note.frame !== frame);
    model.set("notes", text ? [...others, { frame, node: frameOf(frame).node, text }] : others);
  },
  faces({ frame, faces }) {
    const here = frameOf(frame);
    const rest = outcome(here, here.parent, faces);
    const at = here.kind === "wait" ? rest.at(-1).id : rest[0].id;
    tell({ tell: "frames", frames: rest, at });
  },
  odds({ frame }) {
    if (data.odds?.[frame]) tell({ tell: "odds", frame, odds: data.odds[frame] });
  },
  throw({ frame }) {
    answers.faces({ frame, faces: [2, 5] });
  },
  open({ frame }) {
    const here = frameOf(frame);
    const ask = { kind: "ask", say: [0, ": again?"], question: question() };
    const again = follow(here, here.parent, ask);
    tell({ tell: "frames", frames: [again], at: again.id });
  },
  play() {
    tell({ tell: "busy", on: true });
  },
  stop() {
    tell({ tell: "busy", on: false });
  },
};

const address = URL.createObjectURL(new Blob([WIDGET], { type: "text/javascript" }));
const { default: widget } = await import(address);
widget.initialize({ model });
const host = document.getElementById("study");
// As in a notebook, every view is given a model of its own.
const addView = (el) => widget.render({ model: { ...model }, el });
let leave = addView(host);
window.page = {
  model, state, sent, fire, tell, saved: () => saved, leave: () => leave(), addView, widget, host,
};
document.body.dataset.ready = "true";
