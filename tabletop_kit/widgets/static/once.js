// What frames repeat is kept once: most kinds of action and most answers come again unchanged, and
// so does what is drawn of whoever acts next.

export class Once {
  constructor() {
    this.parts = new Map();
  }

  keep(part) {
    const words = JSON.stringify(part);
    if (!this.parts.has(words)) this.parts.set(words, part);
    return this.parts.get(words);
  }

  keepOf({ question, set }) {
    for (const id in set) set[id] = this.keep(set[id]);
    if (!question) return;
    for (const kind of question.kinds) kind.options = kind.options.map((one) => this.keep(one));
    question.kinds = question.kinds.map((kind) => this.keep(kind));
  }
}
