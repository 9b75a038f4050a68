// A sum in numbers over words: what was added, what was taken away, what came out.
import { hide, keepEach, make, setText } from "./dom.js";

function makeSign() {
  const element = make("u");
  const show = (sign) => {
    hide(element, !sign);
    setText(element, sign);
  };
  return { element, show };
}

function makeNumber() {
  const number = make("b");
  const words = make("i");
  const element = make("span", {}, number, words);
  const show = (part) => {
    setText(number, String(part.number ?? "?"));
    setText(words, part.words);
    element.classList.toggle("tk-eq", Boolean(part.comesOut));
  };
  return { element, show };
}

export class Sum {
  constructor() {
    this.element = make("div", { class: "tk-sum" });
    this.showEach = keepEach(this.element, (index) => (index % 2 ? makeNumber() : makeSign()));
  }

  show({ parts, total }) {
    const shown = parts.flatMap(([sign, number, words], index) => {
      const plain = sign === "-" ? "−" : sign || "";
      return [index || plain !== "+" ? plain : "", { number, words }];
    });
    if (total) shown.push("=", { number: total[0], words: total[1], comesOut: true });
    this.showEach(shown);
  }
}
