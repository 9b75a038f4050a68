// Whoever is asked, what may be answered, what may not and why: one panel, always in one place.
import { make, makeIcon, plainWords, setAttribute, whenChanged, wordNodes } from "./dom.js";
import { Agenda } from "./agenda.js";
import { AskHead } from "./askhead.js";
import { FateTip, fillOdds } from "./odds.js";
import { describeRows, reasonsOf } from "./options.js";
import { Onward } from "./onward.js";
import { Picker } from "./picker.js";
import { Pointing } from "./pointing.js";
import { Welcome } from "./welcome.js";
import { capital, Rows } from "./rows.js";

const ODDS_DELAY = 50;
const OVER = "This battle stays as it is. Go back to any question and answer it otherwise: "
  + "what follows is told on a branch of its own. The same answers bring the same dice; "
  + "a study with another seed has others.";

export class Question {
  constructor(study) {
    this.study = study;
    this.head = new AskHead(study, () => this.switchOdds());
    this.list = make("div", { class: "tk-ask-l" });
    this.body = make("div", { class: "tk-ask-b", tabindex: "-1" }, this.list);
    this.onward = new Onward(study);
    this.welcome = new Welcome(study);
    const about = { class: "tk-st-ask", "aria-label": "The question now" };
    this.element = make("section", about, this.head.element, this.onward.element, this.body);
    this.stage = null;
    this.why = null;
    this.oddsOn = true;
    this.rows = new Rows(study);
    this.tip = new FateTip(this.element);
    this.pointing = new Pointing(study, this.rows, (row) => this.tip.show(row));
    this.agenda = new Agenda(study);
    this.picker = new Picker(study);
    this.draw = whenChanged(() => this.redraw());
    this.shown = null;
    this.scrolled = 0;
    this.listen();
  }

  // One listener for all rows, however often they are made anew.
  listen() {
    const { body, pointing } = this;
    const rowOf = (event) => event.target.closest?.("[data-row]")?.dataset.row;
    body.addEventListener("scroll", () => { this.scrolled = body.scrollTop; });
    body.addEventListener("click", (event) => {
      const row = this.rows.byId(rowOf(event));
      if (row && !this.isStray(event)) this.choose(row);
    });
    body.addEventListener("pointerover", (event) => pointing.atRow(rowOf(event)));
    body.addEventListener("pointerleave", () => pointing.atRow());
    body.addEventListener("focusin", (event) => pointing.atRow(rowOf(event)));
    body.addEventListener("focusout", () => pointing.atRow());
  }

  // The second half of a double click is not meant for the rows that came with the first.
  isStray(event) {
    return event.detail > 1 && (this.study.kernel.pending || this.pressed !== this.rows.list);
  }

  remove() {
    clearTimeout(this.oddsTimer);
  }

  // ---- drawing

  update() {
    const { study } = this;
    const { story, kernel } = study;
    const { frame, line } = study.walk;
    if (this.shown !== frame) this.arriveAt(frame);
    const place = frame.question ? `ask ${frame.id}` : `none ${frame.id} ${line.key}`;
    const stage = JSON.stringify([this.stage, this.why, this.oddsOn, study.warning?.number]);
    const answers = `${story.answerTo(frame)?.key} ${story.childrenOf(frame.id).length}`;
    const told = [
      kernel.refusals.size, study.notes.keyOf(frame), this.welcome.closed, study.passed.key,
    ].join(" ");
    this.draw(`${place} ${stage} ${answers} ${told}`);
    this.onward.update();
    this.showPending();
    if (frame.question) this.wantOdds(frame);
  }

  arriveAt(frame) {
    this.shown = frame;
    this.stage = null;
    this.why = null;
    this.pointing.reset();
    clearTimeout(this.oddsTimer);
    this.fresh = true;
  }

  redraw() {
    const { frame } = this.study.walk;
    const focused = this.element.contains(document.activeElement);
    const focusedRow = document.activeElement?.dataset?.row;
    this.rows.clear();
    this.legend = null;
    this.isPicking = this.picker.isFor(frame);
    if (frame.question) this.drawQuestion(frame);
    else this.drawNobody(frame);
    this.fillOdds();
    // Where the list stands is noted when it scrolls: asking for it would force a layout.
    if (this.fresh && this.scrolled) this.study.afterChanges(() => { this.body.scrollTop = 0; });
    this.fresh = false;
    if (focused) this.focusRow(focusedRow);
    this.pointing.at(null);
  }

  focusRow(id) {
    const row = this.rows.byId(id) || this.rows.list[0];
    row?.button.focus({ preventScroll: true });
  }

  drawQuestion(frame) {
    const { study } = this;
    const { question } = frame;
    const { allowed, refused } = this.rows.build(frame, this.stage, this.why);
    this.head.showQuestion(frame, this.rows.legal.length, this.oddsOn);
    this.legend = make("div", { class: "tk-olegend", hidden: !frame.no_odds });
    if (frame.no_odds) this.legend.append(...this.secretWords(frame.no_odds));
    const way = this.stage ? this.wayBack(question) : null;
    const offers = this.stage ? null : this.rows.offersNode(frame);
    const told = [
      this.warningNode(), this.welcome.nodeFor(frame), study.notes.nodeFor(frame),
      study.passed.nodeFor(frame),
    ];
    const parts = [...told, way, ...allowed, this.legend, offers, refused, this.turnNode()];
    const answered = study.story.answerTo(frame);
    this.body.className = `tk-ask-b tk-asked${answered ? " tk-answered" : ""}`;
    this.list.replaceChildren(...parts.filter(Boolean));
  }

  secretWords(clause) {
    const words = "No odds here: they would tell what you may not know yet.";
    return [make("span", {}, words), this.study.chip(clause)];
  }

  // A replay knows what was answered, and tells the rest of the turn with it.
  turnNode() {
    if (this.study.live) return null;
    this.agenda.update();
    return this.agenda.element;
  }

  wayBack(question) {
    const kind = question.kinds[this.stage.kind];
    const words = [capital(kind.name), ...this.stage.bound].join(" › ");
    const label = make("span", { class: "tk-olabel" }, words);
    const about = { class: "tk-opt tk-wayback", type: "button", onclick: () => this.back() };
    return make("button", about, makeIcon("undo", 14), label, make("small", {}, "back"));
  }

  back() {
    if (!this.stage) return false;
    const { bound, kind } = this.stage;
    this.stage = bound.length > 1 ? { kind, bound: bound.slice(0, -1) } : null;
    const { question } = this.study.walk.frame;
    const shorter = this.stage && describeRows(question, this.stage, this.study.meta.people);
    if (shorter?.length === 1) this.stage = null;
    this.study.update();
    return true;
  }

  // ---- where nobody is asked

  drawNobody(frame) {
    this.body.className = "tk-ask-b";
    const { people } = this.study.meta;
    const words = wordNodes(this.study.sentence(frame), people);
    if (frame.kind === "choice") {
      const who = frame.say.find((part) => typeof part === "number");
      this.head.show(who, words, "A question was answered here");
    } else if (this.isPicking) {
      const by = frame.dice.by;
      this.head.show(typeof by === "number" ? by : null, words, "The dice are yours");
    } else {
      const over = frame.kind === "end";
      const nobody = over ? "Nobody is asked any more" : "Nobody is asked at this step";
      const title = over ? "The battle is over" : frame.heading || "The beginning";
      if (this.study.live && frame.kind === "wait") {
        this.head.show(null, words, "Out of your sight: “a step” lets the rules decide it");
      } else if (this.study.live) this.head.show(null, title, nobody);
      else if (frame.kind === "wait") this.head.show(null, words, "As far as it was played");
      else this.head.show(null, title, nobody);
    }
    const again = frame.kind === "choice" && this.study.live ? this.answerAgain(frame) : null;
    if (this.isPicking) this.picker.show(frame);
    const picking = this.isPicking ? [this.picker.element, this.rows.offersNode(frame, false)] : [];
    const before = [
      this.warningNode(), this.study.notes.nodeFor(frame), this.study.passed.nodeFor(frame),
      this.endNode(frame), again, ...picking,
    ];
    this.agenda.update();
    // The list stays where it is, step after step; only what stands above it comes and goes.
    const agenda = this.agenda.element;
    if (agenda.parentNode !== this.list) this.list.replaceChildren(agenda);
    while (this.list.firstChild !== agenda) this.list.firstChild.remove();
    agenda.before(...before.filter(Boolean));
  }

  endNode(frame) {
    if (frame.kind !== "end" || !this.study.live || !this.study.walk.firstDecision()) return null;
    return make("p", { class: "tk-over" }, OVER);
  }

  answerAgain(frame) {
    const button = make("button", {
      class: "tk-btn tk-btn-line", type: "button", onclick: () => this.study.kernel.reopen(frame),
    }, makeIcon("branch", 15), "Answer this differently");
    return make("div", { class: "tk-again" }, button);
  }

  warningNode() {
    const { warning } = this.study;
    if (!warning) return null;
    const words = make("p", {}, make("b", {}, warning.title), warning.text);
    const close = make("button", {
      class: "tk-btn",
      type: "button",
      "aria-label": "Close",
      onclick: () => this.study.clearWarning(),
    }, makeIcon("close", 13));
    const about = { class: "tk-note tk-error", role: "alert" };
    return make("div", about, makeIcon("info", 15), words, close);
  }

  // ---- choosing, and the reasons why not

  // A number is a row's, or a die's face where dice are to be thrown.
  chooseNumber(number) {
    if (this.isPicking) return this.picker.pick(number);
    const row = this.rows.list.find((one) => one.key === number);
    if (row) this.choose(row);
    return Boolean(row);
  }

  // Enter throws once all faces are picked; until then it presses what has the focus.
  confirm(target) {
    if (!this.isPicking || !this.picker.complete || target === this.picker.forMe) return false;
    this.picker.throwPicked();
    return true;
  }

  takeBack() {
    return Boolean(this.isPicking) && this.picker.unpick();
  }

  choose(row) {
    const { study } = this;
    this.pressed = this.rows.list;
    if (!row.legal) this.openReasons(row);
    else if (row.offer) study.kernel.take(study.walk.frame, row.offer, row.only);
    else if (row.only) study.kernel.answer(study.walk.frame, row.only);
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

  // The next refused option opens; its reasons are said aloud.
  nextRefused() {
    const { refused } = this.rows;
    if (!refused.length) return false;
    const at = refused.findIndex((row) => row.id === this.why);
    const row = refused[(at + 1) % refused.length];
    this.openReasons(row);
    const { people } = this.study.meta;
    const said = reasonsOf(row).map((reason) => plainWords(reason.words, people)).join(". ");
    this.study.announce(`${this.rows.fullWords(row)}: ${said}`);
    return true;
  }

  openReasons(row) {
    this.why = this.why === row.id ? null : row.id;
    this.study.update();
    this.showReasons();
    this.pointing.at(this.rows.byId(this.why));
  }

  // As opening, but what is open stays so.
  showWhyNot(row) {
    if (this.why !== row.id) this.openReasons(row);
    else this.showReasons();
  }

  showReasons() {
    const box = this.body.querySelector(".tk-reasons");
    if (!box) return;
    const low = box.offsetTop + box.offsetHeight - this.body.clientHeight + 8;
    if (low > this.body.scrollTop) this.body.scrollTop = low;
  }

  closeReasons() {
    if (this.why === null) return false;
    this.why = null;
    this.study.update();
    return true;
  }

  // ---- waiting, and the odds

  showPending() {
    const { pending } = this.study.kernel;
    for (const row of this.rows.list) {
      const here = row.only && pending?.frame === this.shown.id;
      const waits = here && row.only.key === pending.key && row.offer?.number === pending.offer;
      row.button.classList.toggle("tk-pending", Boolean(waits));
      setAttribute(row.button, "aria-busy", waits ? "true" : null);
    }
    if (this.isPicking) this.picker.showPending(pending);
  }

  switchOdds() {
    this.oddsOn = !this.oddsOn;
    this.study.update();
  }

  wantOdds(frame) {
    const { study } = this;
    if (!this.oddsOn || !study.live || study.meta.blind || frame.no_odds) return;
    if (study.kernel.odds.has(frame.id) || study.kernel.oddsAsked.has(frame.id)) return;
    clearTimeout(this.oddsTimer);
    this.oddsTimer = setTimeout(() => {
      if (!study.walk.playing && study.walk.frame === frame) study.kernel.wantOdds(frame);
    }, ODDS_DELAY);
  }

  fillOdds() {
    const odds = this.oddsOn ? this.study.kernel.odds.get(this.study.walk.at) : null;
    if (!odds || !this.legend) return;
    fillOdds(this.rows.list, odds, this.legend, this.study.meta.people);
    this.tip.show(this.pointing.row);
  }
}
