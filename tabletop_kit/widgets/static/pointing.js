// The options and the board show each other: what a row would touch, and which row a token has.
import { plainWords } from "./dom.js";
import { concerns, marksOf, reasonsOf } from "./options.js";
import { capital } from "./rows.js";

const optionsOn = (row, element) => row.options.filter(
  ({ marks }) => marks && element in marks,
);

// What of a row may be done with what one presses.
function legalOn(row, element) {
  return row.folded ? [] : optionsOn(row, element).filter(({ refused }) => !refused);
}

export class Pointing {
  constructor(study, rows, tell) {
    this.study = study;
    this.rows = rows;
    this.tell = tell;
    this.row = null;
    this.armed = null;
  }

  reset() {
    this.row = null;
    this.disarm();
  }

  disarm() {
    this.armed = null;
    this.armedRow = null;
    this.study.board.tell(null);
  }

  // A row one points at shows its marks; while none is, all that may be picked is marked.
  at(row) {
    this.row?.button?.classList.remove("tk-pointed");
    row?.button?.classList.add("tk-pointed");
    this.row = row;
    this.tell(row);
    if (row && row.id !== this.armedRow?.id) this.disarm();
    this.study.board.mark(row ? this.withAsker(marksOf(row)) : this.resting());
  }

  atRow(id) {
    const row = id === undefined ? null : this.rows.byId(id);
    if (row !== this.row) this.at(row);
  }

  atToken(element) {
    if (element && element !== this.armed) this.disarm();
    this.at(element && this.rowFor(element));
  }

  atPerson(number) {
    if (number === null) return this.at(null);
    const token = `token-${number}`;
    const marks = this.resting();
    const states = [marks[token], "hover"].flat().filter(Boolean);
    return this.study.board.mark({ ...marks, [token]: states });
  }

  withAsker(marks) {
    const { frame, facts } = this.study.walk;
    const who = frame.question?.who;
    if (typeof who !== "number" || who === facts.active) return marks;
    const token = `token-${who}`;
    return { ...marks, [token]: [marks[token], "selected"].flat().filter(Boolean) };
  }

  resting() {
    const marks = {};
    const shown = this.study.walk.frame.question && !this.study.meta.blind;
    for (const row of shown ? this.rows.legal : []) {
      for (const option of row.folded ? [] : row.options) {
        if (option.refused) continue;
        for (const id in option.marks || {}) if (id.startsWith("token-")) marks[id] = "pick";
      }
    }
    return this.withAsker(marks);
  }

  rowFor(element) {
    const rows = this.rows.list.filter((row) => concerns(row, element));
    const suits = (row) => legalOn(row, element).length;
    return rows.find(suits) || rows.find((row) => !row.legal) || rows[0] || null;
  }

  // The first press on a token goes to its row and says so, the second one chooses it.
  pick(element, question) {
    const row = this.rowFor(element);
    if (!row) return;
    const ways = legalOn(row, element);
    if (ways.length && this.armed === element) {
      this.disarm();
      question.choose(ways.length === 1 ? { ...row, only: ways[0] } : row);
      return;
    }
    if (ways.length) row.button.focus();
    else if (!row.legal) question.showWhyNot(row);
    this.armed = element;
    this.armedRow = this.rows.byId(row.id);
    this.study.board.tell(element, this.wordsFor(row, element, ways));
  }

  wordsFor(row, element, ways) {
    const { people } = this.rows;
    const words = this.rows.fullWords(row);
    if (row.only && ways.length) return `Press again: ${words}`;
    if (ways.length === 1) return `Press again: ${plainWords(capital(ways[0].label), people)}`;
    if (ways.length) return `Press again to see how: ${words}`;
    const against = reasonsOf({ options: optionsOn(row, element) });
    const [first] = against.map((reason) => plainWords(reason.words, people));
    return `Not allowed: ${words}. ${first ?? ""}`;
  }
}
