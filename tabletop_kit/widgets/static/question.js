// Whoever is asked, what may be answered, what may not and why: one panel, always in one place.
import { languageOf, make, makeIcon, miniToken, nameOf, plainWords } from "./dom.js";
import { setAttribute, whenChanged, wordNodes } from "./dom.js";
import { Agenda } from "./agenda.js";
import { chancesOf, concerns, describeRows, marksOf, reasonsOf } from "./options.js";

const ODDS_DELAY = 50;
const OTHER = "Other actions";
const PLAY_ON = [["step", "one step"], ["turn", "to the end of the turn"], ["end", "to the end"]];

const keyMark = (key) => (
  make("span", { class: "tk-key", "aria-hidden": "true" }, key <= 9 ? String(key) : "·")
);

const percent = (chance) => {
  if (chance > 0.995) return "sure";
  return chance < 0.005 ? "<1 %" : `${Math.round(chance * 100)} %`;
};

export class Question {
  constructor(study) {
    this.study = study;
    this.head = make("div", { class: "tk-ask-h" });
    this.body = make("div", { class: "tk-ask-b", tabindex: "-1" });
    const footing = { class: "tk-ask-f", role: "group", "aria-label": "Let it play on" };
    this.foot = make("div", { ...footing, title: "Let it play on", hidden: true });
    const about = { class: "tk-st-ask", "aria-label": "The question now" };
    this.element = make("section", about, this.head, this.body, this.foot);
    this.stage = null;
    this.why = null;
    this.oddsOn = true;
    this.rows = [];
    this.agenda = new Agenda(study);
    this.draw = whenChanged(() => this.redraw());
    this.drawFoot = whenChanged(() => this.redrawFoot());
    this.shownFrame = null;
    this.scrolled = 0;
    this.body.addEventListener("scroll", () => { this.scrolled = this.body.scrollTop; });
  }

  update() {
    const { study } = this;
    const { frame } = study;
    if (this.shownFrame !== frame.id) this.arriveAt(frame);
    const asked = Boolean(frame.question);
    const place = asked ? `ask ${frame.id}` : `none ${frame.id} ${study.lineKey}`;
    const stage = JSON.stringify([this.stage, this.why, this.oddsOn, study.note?.number]);
    const answers = `${study.chosenKey(frame)} ${study.story.childrenOf(frame.id).length}`;
    this.draw(`${place} ${stage} ${answers} ${study.pinned} ${study.refusals.size}`);
    this.drawFoot(`${this.canPlayOn()} ${study.busy}`);
    this.showPending();
    if (asked) this.wantOdds(frame);
  }

  arriveAt(frame) {
    this.shownFrame = frame.id;
    this.stage = null;
    this.why = null;
    this.armed = null;
    this.pointed = null;
    clearTimeout(this.oddsTimer);
    this.fresh = true;
  }

  // Where the list stands is noted when it scrolls: asking for it would force a layout.
  scrollTo(top) {
    this.body.scrollTop = top;
  }

  redraw() {
    const { frame } = this.study;
    const focused = this.element.contains(document.activeElement);
    const focusedRow = document.activeElement?.dataset?.row;
    this.rows = [];
    if (frame.question) this.drawQuestion(frame);
    else this.drawNobody(frame);
    this.fillOdds();
    if (this.fresh && this.scrolled) this.study.afterPaint(() => this.scrollTo(0));
    this.fresh = false;
    if (focused) this.focusRow(focusedRow);
    this.point(null);
  }

  focusRow(id) {
    const row = this.rows.find((one) => one.id === id) || this.rows[0];
    row?.button.focus({ preventScroll: true });
  }

  // ---- the head

  drawHead(person, title, note, ...more) {
    const { people } = this.study.meta;
    const token = people[person] ? miniToken(people[person], 34) : null;
    const words = make("div", {}, make("h3", {}, title), make("p", {}, note));
    this.head.replaceChildren(...[token, words, ...more].filter(Boolean));
  }

  asker(who) {
    const { people, sides } = this.study.meta;
    if (typeof who === "number") {
      const name = nameOf(who, people);
      return make("span", { lang: people[who]?.lang || languageOf(name) }, name);
    }
    return who === "gm" ? "Game master" : sides?.[who] || String(who);
  }

  drawQuestion(frame) {
    const { study } = this;
    const { question } = frame;
    const { people } = study.meta;
    this.rows = describeRows(question, this.stage, people);
    this.number();
    const legal = this.rows.filter((row) => row.legal);
    const odds = study.meta.blind ? null : this.oddsButton();
    const clause = question.clause ? study.chip(question.clause) : null;
    const title = [this.asker(question.who), `: ${plainWords(question.asks, people)}`];
    const person = typeof question.who === "number" ? question.who : null;
    this.drawHead(person, title, this.headNote(frame, legal.length), odds, clause);
    const groups = this.groupsOf(legal).map((group) => this.groupNode(group));
    const legend = make("div", { class: "tk-olegend", hidden: true });
    this.legend = legend;
    const way = this.stage ? this.wayBack(question) : null;
    const parts = [this.noteNode(), way, ...groups, legend, this.refusedGroup()];
    this.body.className = `tk-ask-b${study.chosenKey(frame) ? " tk-answered" : ""}`;
    this.body.replaceChildren(...parts.filter(Boolean));
  }

  headNote(frame, choices) {
    const { study } = this;
    if (study.story.childrenOf(frame.id).length) return "Answered · others open a branch";
    const count = choices === 1 ? "1 choice" : `${choices} choices`;
    return study.meta.blind ? `${count}, not all of them allowed` : `${count} · keys 1–9`;
  }

  oddsButton() {
    return make("button", {
      class: "tk-btn",
      type: "button",
      title: "Odds",
      "aria-label": "Odds",
      "aria-pressed": String(this.oddsOn),
      onclick: () => {
        this.oddsOn = !this.oddsOn;
        this.study.update();
      },
    }, makeIcon("die"));
  }

  number() {
    let key = 0;
    const groups = this.groupsOf(this.rows.filter((row) => row.legal));
    for (const row of groups.flatMap(({ rows }) => rows)) {
      key += 1;
      row.key = key;
    }
  }

  // ---- groups of rows

  // Kinds without fields are single actions: they share one group at the end.
  groupsOf(rows) {
    const groups = [];
    const mixed = this.study.frame.question.kinds.some((kind) => kind.fields.length);
    const loose = { name: mixed ? OTHER : "Answer", rows: [] };
    for (const row of rows) {
      const { kind } = row;
      let group = kind.fields.length ? groups.find((one) => one.kind === kind) : loose;
      if (!group) groups.push(group = { kind, name: kind.name, rows: [] });
      group.rows.push(row);
    }
    return loose.rows.length ? [...groups, loose] : groups;
  }

  groupNode({ kind, name, rows }) {
    const head = make("div", { class: "tk-og-h" });
    if (kind?.icon) head.append(makeIcon(kind.icon, 14));
    head.append(make("b", {}, name));
    const passed = kind ? rows[0].passed.slice(this.stage?.bound.length || 0) : [];
    const note = kind && plainWords(kind.note, this.study.meta.people);
    const notes = [...passed, note].filter(Boolean).join(" · ");
    if (notes) head.append(make("span", {}, notes));
    if (kind?.clause) head.append(this.study.chip(kind.clause));
    const lines = rows.flatMap((row) => this.rowNodes(row));
    return make("div", { class: "tk-og", role: "group", "aria-label": name }, head, lines);
  }

  wayBack(question) {
    const kind = question.kinds[this.stage.kind];
    const words = [kind.name, ...this.stage.bound].join(" › ");
    const label = make("span", { class: "tk-olabel" }, words);
    const about = { class: "tk-opt tk-wayback", type: "button", onclick: () => this.back() };
    return make("button", about, makeIcon("undo", 14), label, make("small", {}, "back"));
  }

  back() {
    if (!this.stage) return false;
    const { bound, kind } = this.stage;
    this.stage = bound.length > 1 ? { kind, bound: bound.slice(0, -1) } : null;
    const shorter = this.stage && describeRows(
      this.study.frame.question, this.stage, this.study.meta.people,
    );
    if (shorter?.length === 1) this.stage = null;
    this.study.update();
    return true;
  }

  // ---- one row

  pointing(row) {
    return {
      onpointerenter: () => this.point(row),
      onpointerleave: () => this.point(null),
      onfocus: () => this.point(row),
      onblur: () => this.point(null),
    };
  }

  rowNodes(row) {
    const { study } = this;
    const { people } = study.meta;
    const chosen = row.only && row.only.key === study.chosenKey(study.frame);
    const person = this.personOf(row);
    const own = !row.kind.fields.length;
    const picture = person !== null ? miniToken(people[person], 22)
      : own && row.kind.icon ? makeIcon(row.kind.icon) : null;
    const label = make("span", { class: "tk-olabel" }, this.labelOf(row, person));
    row.slot = make("span", { class: "tk-odds" });
    const ways = `${row.options.length} ways`;
    if (!row.only) row.slot.append(make("em", {}, ways), makeIcon("right", 12));
    else if (chosen) row.slot.append(makeIcon("check"));
    row.button = make(
      "button",
      {
        class: `tk-opt${chosen ? " tk-chosen" : ""}`,
        type: "button",
        "data-row": row.id,
        "data-key": row.only?.key,
        onclick: () => this.choose(row),
        ...this.pointing(row),
      },
      keyMark(row.key), picture, label, row.slot,
    );
    const refusal = row.only && study.refusalOf(study.frame, row.only.key);
    return refusal ? [row.button, this.reasonsNode(refusal)] : [row.button];
  }

  personOf(row) {
    const people = (Array.isArray(row.words) ? row.words : [row.words])
      .filter((part) => typeof part === "number");
    return people.length === 1 && this.study.meta.people[people[0]] ? people[0] : null;
  }

  labelOf(row, person) {
    const { meta, facts } = this.study;
    const own = !row.kind.fields.length;
    const note = own ? plainWords(row.kind.note, meta.people) : "";
    const hp = person === null ? null : facts.status[person]?.[0];
    const small = note || (typeof hp === "number" ? `${hp} HP` : "");
    const words = person === null ? wordNodes(row.words, meta.people) : this.personWords(row.words);
    return [...words, small ? make("small", {}, small) : null];
  }

  personWords(words) {
    const { people } = this.study.meta;
    const text = plainWords(words, people);
    return [make("span", { lang: languageOf(text) }, text)];
  }

  // ---- what is not allowed, and why

  refusedGroup() {
    const refused = this.rows.filter((row) => !row.legal);
    if (!refused.length) return null;
    const head = make("div", { class: "tk-og-h" }, make("b", {}, "Not allowed now"));
    head.append(make("span", {}, String(refused.length)));
    const about = { class: "tk-og tk-nogroup", role: "group", "aria-label": "Not allowed now" };
    return make("div", about, head, refused.flatMap((row) => this.refusedNodes(row)));
  }

  fullWords(row) {
    const { people } = this.study.meta;
    const words = plainWords(row.words, people);
    return row.kind.fields.length && !this.stage ? `${row.kind.name} → ${words}` : words;
  }

  refusedNodes(row) {
    const open = this.why === row.id;
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
        onclick: () => this.choose(row),
        ...this.pointing(row),
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
      make("span", {}, wordNodes(reason.words, this.study.meta.people)),
      reason.clause ? this.study.chip(reason.clause) : null,
      this.numbersNode(reason.numbers || []),
    ));
    return make(
      "div", { class: "tk-reasons", role: "region", "aria-label": "Why not" },
      make("p", {}, title), make("ul", {}, items), make("footer", {}, "Nothing has changed."),
    );
  }

  numbersNode(numbers) {
    if (!numbers.length) return null;
    const each = numbers.map(([name, value]) => (
      make("span", {}, `${name} `, make("b", {}, String(value ?? "?")))
    ));
    return make("div", { class: "tk-nums" }, each);
  }

  // The next refused option opens; its reasons are said aloud.
  nextRefused() {
    const refused = this.rows.filter((row) => !row.legal);
    if (!refused.length) return false;
    const at = refused.findIndex((row) => row.id === this.why);
    const row = refused[(at + 1) % refused.length];
    this.openReasons(row);
    const { people } = this.study.meta;
    const said = reasonsOf(row).map((reason) => plainWords(reason.words, people)).join(". ");
    this.study.announce(`${this.fullWords(row)}: ${said}`);
    return true;
  }

  openReasons(row) {
    this.why = this.why === row.id ? null : row.id;
    this.study.update();
    this.showReasons();
    this.point(this.rows.find((one) => one.id === this.why) || null);
  }

  showReasons() {
    const box = this.body.querySelector(".tk-reasons");
    if (!box) return;
    const low = box.offsetTop + box.offsetHeight - this.body.clientHeight + 8;
    if (low > this.body.scrollTop) this.scrollTo(low);
  }

  closeReasons() {
    if (this.why === null) return false;
    this.why = null;
    this.study.update();
    return true;
  }

  // ---- choosing

  chooseNumber(number) {
    const row = this.rows.find((one) => one.key === number);
    if (row) this.choose(row);
    return Boolean(row);
  }

  choose(row) {
    const { study } = this;
    if (!row.legal) this.openReasons(row);
    else if (row.only) study.answer(study.frame, row.only);
    else {
      this.stage = { kind: row.kindIndex, bound: row.bound };
      this.why = null;
      this.fresh = true;
      study.update();
      if (this.element.contains(document.activeElement)) this.focusRow(null);
    }
  }

  walkRows(direction) {
    const buttons = [...this.element.querySelectorAll(".tk-opt")];
    const next = buttons.indexOf(document.activeElement) + direction;
    buttons[Math.max(0, Math.min(buttons.length - 1, next))]?.focus();
  }

  showPending() {
    const { pending } = this.study;
    for (const row of this.rows) {
      const waits = pending && pending.frame === this.shownFrame && row.only?.key === pending.key;
      row.button?.classList.toggle("tk-pending", Boolean(waits));
      setAttribute(row.button, "aria-busy", waits ? "true" : null);
    }
  }

  // ---- the board and the options show each other

  point(row) {
    this.pointed = row;
    for (const one of this.rows) one.button?.classList.toggle("tk-pointed", one === row);
    this.study.board.mark(row ? this.withAsker(marksOf(row)) : this.restingMarks());
  }

  withAsker(marks) {
    const { question } = this.study.frame;
    const { active } = this.study.facts;
    if (typeof question?.who !== "number" || question.who === active) return marks;
    const token = `token-${question.who}`;
    return { ...marks, [token]: [marks[token], "selected"].flat().filter(Boolean) };
  }

  restingMarks() {
    const { frame, meta } = this.study;
    if (!frame.question || meta.blind) return this.withAsker({});
    const marks = {};
    for (const row of this.rows) {
      for (const option of row.options) {
        if (option.refused) continue;
        for (const id of Object.keys(option.marks || {})) {
          if (id.startsWith("token-")) marks[id] = "pick";
        }
      }
    }
    return this.withAsker(marks);
  }

  rowFor(element) {
    const rows = this.rows.filter((row) => concerns(row, element));
    return rows.find((row) => row.legal) || rows[0] || null;
  }

  pointFromBoard(element) {
    this.point(element && this.rowFor(element));
  }

  pointAtPerson(number) {
    if (number === null) return this.point(null);
    const token = `token-${number}`;
    const marks = this.restingMarks();
    const states = [marks[token], "hover"].flat().filter(Boolean);
    return this.study.board.mark({ ...marks, [token]: states });
  }

  // The first press on a token goes to its row, the second one chooses it.
  pickToken(element) {
    const row = this.rowFor(element);
    if (!row) return;
    const again = this.armed === element;
    this.armed = again ? null : element;
    if (again) this.choose(row);
    else row.button.focus();
  }

  // ---- odds

  wantOdds(frame) {
    const { study } = this;
    const known = study.odds.has(frame.id) || study.oddsAsked.has(frame.id);
    if (!this.oddsOn || known || !study.live || study.meta.blind) return;
    clearTimeout(this.oddsTimer);
    this.oddsTimer = setTimeout(() => {
      if (study.playing || study.frame.id !== frame.id || study.oddsAsked.has(frame.id)) return;
      study.oddsAsked.add(frame.id);
      study.send({ ask: "odds", frame: frame.id });
    }, ODDS_DELAY);
  }

  fillOdds() {
    const odds = this.oddsOn ? this.study.odds.get(this.study.frame.id) : null;
    if (!odds || !this.legend) return;
    let any = false;
    for (const row of this.rows) {
      const chances = row.legal && row.only ? chancesOf(odds[row.only.key]) : null;
      if (!chances) continue;
      any = true;
      row.slot.replaceChildren(oddsBar(chances), make("b", {}, percent(chances.down)));
    }
    this.legend.hidden = !any;
    if (any) this.legend.replaceChildren(...legendItems());
  }

  // ---- where nobody is asked

  drawNobody(frame) {
    this.legend = null;
    this.body.className = "tk-ask-b";
    const { people } = this.study.meta;
    if (frame.kind === "choice") {
      const who = frame.say.find((part) => typeof part === "number");
      this.drawHead(who, wordNodes(frame.say, people), "A question was answered here");
    } else {
      const over = frame.kind === "end";
      this.drawHead(null, over ? "The battle is over" : "Nobody is asked at this step", "");
    }
    const again = frame.kind === "choice" && this.study.live ? this.answerAgain(frame) : null;
    const before = [this.noteNode(), again].filter(Boolean);
    this.agenda.update(frame);
    // The list stays where it is, step after step; only what stands above it comes and goes.
    const list = this.agenda.element;
    if (list.parentNode !== this.body) this.body.replaceChildren(list);
    while (this.body.firstChild !== list) this.body.firstChild.remove();
    list.before(...before);
  }

  answerAgain(frame) {
    const button = make("button", {
      class: "tk-btn tk-btn-line", type: "button", onclick: () => this.study.reopen(frame),
    }, makeIcon("branch", 15), "Answer this differently");
    return make("div", { class: "tk-again" }, button);
  }

  noteNode() {
    const { note } = this.study;
    if (!note) return null;
    const words = make("p", {}, make("b", {}, note.title), note.text);
    const close = make("button", {
      class: "tk-btn", type: "button", "aria-label": "Close", onclick: () => this.study.clearNote(),
    }, makeIcon("close", 13));
    const about = { class: "tk-note tk-error", role: "alert" };
    return make("div", about, makeIcon("info", 15), words, close);
  }

  // ---- letting the kit play on from the newest open question

  canPlayOn() {
    const { study } = this;
    const { kind, id } = study.frame;
    const waiting = kind === "ask" || kind === "wait";
    return study.live && waiting && !study.story.childrenOf(id).length;
  }

  redrawFoot() {
    const { study } = this;
    this.foot.hidden = !study.busy && !this.canPlayOn();
    const button = (words, onclick) => (
      make("button", { class: "tk-btn tk-btn-line", type: "button", onclick }, words)
    );
    const stop = button("stop", () => study.stopPlayingOn());
    const ways = PLAY_ON.map(([how, words]) => button(words, () => study.playOn(how)));
    const content = study.busy ? [make("span", {}, "Playing on …"), stop] : ways;
    this.foot.replaceChildren(makeIcon("toTurn"), ...content);
  }
}

// ---- the bar of chances

function oddsBar({ none, hurt, down, unresolved }) {
  const parts = [["miss", none], ["hit", hurt], ["down", down], ["open", unresolved]];
  const shown = parts.filter(([, chance]) => chance > 0.001);
  const names = ["no damage", "hurt", "down", "not worked out"];
  const words = [none, hurt, down, unresolved]
    .map((chance, index) => [chance, names[index]])
    .filter(([chance], index) => index < 3 || chance > 0.001)
    .map(([chance, name]) => `${Math.round(chance * 100)} percent ${name}`).join(", ");
  return make(
    "span", { class: "tk-obar", role: "img", "aria-label": words },
    shown.map(([name, chance]) => make("i", { class: `tk-o-${name}`, style: `flex:${chance}` })),
  );
}

function legendItems() {
  const kinds = [["miss", "no damage"], ["hit", "hurt"], ["down", "down (the number)"]];
  return kinds.map(([name, words]) => {
    const part = make("i", { class: `tk-o-${name}`, style: "flex:1" });
    return make("span", {}, make("span", { class: "tk-obar" }, part), words);
  });
}
