// The options and the board show each other: what a row would touch, and which row a token has.
import { plainWords } from "./dom.js";
import { concerns, marksOf, reasonsOf } from "./options.js";

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
    return rows.find((row) => row.legal) || rows[0] || null;
  }

  // The first press on a token goes to its row and says so, the second one chooses it.
  pick(element, question) {
    const row = this.rowFor(element);
    if (!row) return;
    if (row.legal && this.armed === element) {
      this.disarm();
      question.choose(row);
      return;
    }
    if (row.legal) row.button.focus();
    else question.showWhyNot(row);
    this.armed = element;
    this.armedRow = this.rows.byId(row.id);
    this.study.board.tell(element, this.wordsFor(row));
  }

  wordsFor(row) {
    const words = this.rows.fullWords(row);
    if (row.legal) return row.only ? `Press again: ${words}` : `Press again to see how: ${words}`;
    const [first] = reasonsOf(row).map((reason) => plainWords(reason.words, this.rows.people));
    return `Not allowed: ${words}. ${first ?? ""}`;
  }
}
