// What a canvas lacks: words for whoever does not see it, keys that leave the page its own, the
// wheel, and who says how much room there is. Belongs beside a canvas in one .tk-sandbox.
import { clauseWords } from "./clausewords.js";
import { make, makeIcon, setAttribute, setText, whenChanged } from "./dom.js";
import { takeKeys } from "./ownkeys.js";
import { Popover } from "./popover.js";
import { Work } from "./working.js";

const OURS = new Set([
  "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter", " ", "Escape", "Home", "End",
]);
const KEYS = [
  ["← →", "from one to the next"],
  ["Enter", "pick up, put down"],
  ["Esc", "put back"],
  ["Ctrl Z", "undo"],
];

const HINT = "Drag somebody to another place, or click on them and then on the place.";

function theme(model) {
  const wanted = model.get("theme");
  if (wanted !== "auto") return wanted;
  const said = document.body.dataset.jpThemeLight;
  if (said) return said === "false" ? "dark" : "light";
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function keyLine() {
  const each = KEYS.map(([key, words]) => (
    make("span", {}, make("kbd", { class: "tk-key" }, key), ` ${words} `)
  ));
  return make("p", { class: "tk-sb-keys" }, each);
}

// ---- why not

// The number of a clause; a press opens its words over the board.
class Chips {
  constructor(model) {
    this.model = model;
  }

  make(number) {
    const clause = this.model.get("clauses")[number];
    if (!clause) return make("span", { class: "tk-chip tk-chip-still" }, number);
    return make("button", {
      class: "tk-chip", type: "button", title: clause.title,
      onclick: (event) => this.open(event.currentTarget, number, clause),
    }, number);
  }

  open(chip, number, clause) {
    this.popover ??= new Popover(chip.closest(".tk-sandbox"));
    const words = clauseWords(number, clause);
    this.popover.toggle(chip, clause.title, "tk-pop-clause", words, true);
    this.popover.box?.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.popover.close();
    });
  }

  close() {
    this.popover?.close();
  }

  end() {
    this.popover?.remove();
  }
}

// ---- the panel

function button(icon, words, onclick) {
  return make(
    "button", { class: "tk-btn tk-btn-line", type: "button", onclick }, makeIcon(icon, 14), words,
  );
}

class Panel {
  constructor(model) {
    this.model = model;
    this.chips = new Chips(model);
    this.work = new Work(model, () => this.showWork());
    this.drawNote = whenChanged(() => this.fillNote());
    this.build();
    this.drawings = model.get("drawings");
    this.show();
  }

  build() {
    this.said = make("span");
    this.busy = make("span", { class: "tk-sb-busy" });
    this.stop = button("close", "Stop", () => this.stopWork());
    this.note = make("div", { class: "tk-note tk-error", role: "alert", hidden: true });
    this.text = make("pre", { class: "tk-sb-text" });
    this.undo = button("undo", "Undo", (event) => this.ask(event, "undo"));
    this.reset = button("first", "As it was", (event) => this.ask(event, "reset"));
    this.bar = make("i");
    const live = { class: "tk-sb-said", role: "status", "aria-live": "polite" };
    const now = make(
      "div", { class: "tk-sb-now" }, make("p", live, this.said, " ", this.busy), this.stop,
    );
    this.element = make(
      "div", { class: "tk-sb-panel" },
      make("div", { class: "tk-sb-bar", "aria-hidden": "true" }, this.bar),
      make(
        "div", { class: "tk-sb-row" },
        make("div", { class: "tk-sb-told" }, now, this.note),
        make("div", { class: "tk-sb-tools" }, this.undo, this.reset, keyLine()),
      ),
      make("details", {}, make("summary", {}, "The board in words"), this.text),
    );
  }

  get canvas() {
    return this.element.closest(".tk-sandbox")?.querySelector("canvas");
  }

  ask(event, what) {
    this.work.ask();
    this.model.send({ ask: what });
    this.canvas?.focus();
  }

  stopWork() {
    this.work.stop();
    this.canvas?.focus();
  }

  show() {
    const { model } = this;
    setText(this.said, model.get("said") || HINT);
    setText(this.text, model.get("text"));
    this.undo.disabled = this.reset.disabled = !model.get("moved");
    this.drawNote(JSON.stringify([model.get("note"), model.get("reasons")]));
    if (model.get("drawings") === this.drawings) this.showWork();
    else this.hear();
  }

  // The kernel has drawn: what was asked before was heard.
  hear() {
    this.drawings = this.model.get("drawings");
    this.work.be("");
  }

  showWork() {
    const { words, share } = this.work;
    setText(this.busy, words);
    this.stop.hidden = !this.work.canStop;
    setAttribute(this.bar, "class", words ? `tk-on${share === null ? "" : " tk-part"}` : null);
    this.bar.style.width = share === null ? "" : `${Math.max(4, 100 * share)}%`;
    if (this.canvas) setAttribute(this.canvas, "aria-busy", words ? "true" : null);
  }

  fillNote() {
    const words = this.model.get("note");
    const reasons = this.model.get("reasons");
    const rows = reasons.map((reason) => make(
      "p", {}, make("span", {}, reason.words), reason.clause ? this.chips.make(reason.clause) : null,
    ));
    this.chips.close();
    this.note.replaceChildren(...(reasons.length ? rows : [words]));
    this.note.hidden = !words;
    this.note.scrollTop = 0;
    const isLong = this.note.scrollHeight > this.note.clientHeight + 1;
    setAttribute(this.note, "tabindex", isLong ? "0" : null);
  }

  end() {
    this.work.end();
    this.chips.end();
  }
}

class Beside {
  constructor(model, el, work) {
    this.model = model;
    this.el = el;
    this.work = work;
    this.stops = [];
    this.told = "";
    this.width = 0;
  }

  // The page puts this element beside the canvas after it was made.
  begin() {
    this.sized = new ResizeObserver(() => this.measure());
    this.sized.observe(this.el);
    this.seen = new IntersectionObserver((all) => {
      if (all.some((one) => one.isIntersecting) && this.root) this.model.send({ ask: "redraw" });
    });
    this.seen.observe(this.el);
    this.themes = new MutationObserver(() => this.measure());
    this.themes.observe(document.body, { attributeFilter: ["data-jp-theme-light"] });
    this.listen(this.model, "change", () => this.name());
  }

  listen(target, event, heard) {
    target.on(event, heard);
    this.stops.push(() => target.off(event, heard));
  }

  find() {
    const root = this.el.closest(".tk-sandbox");
    const canvas = root?.querySelector("canvas");
    if (!canvas || this.root) return;
    this.root = root;
    this.canvas = canvas;
    takeKeys(root);
    const catchIn = (event, heard) => {
      root.addEventListener(event, heard, true);
      this.stops.push(() => root.removeEventListener(event, heard, true));
    };
    catchIn("wheel", (event) => event.target === canvas && event.stopPropagation());
    catchIn("keydown", (event) => event.target === canvas && this.key(event));
    // Whoever is dragged stays in hand beyond the board, and is put back where it is let go there.
    catchIn("pointerdown", ({ target, pointerId }) => {
      if (target === canvas) canvas.setPointerCapture(pointerId);
    });
    for (const type of ["pointerdown", "pointerup"]) {
      catchIn(type, (event) => event.target === canvas && this.work.ask());
    }
    this.name();
  }

  // The canvas would keep every key for itself, Tab too: it gets none.
  key(event) {
    event.stopPropagation();
    const held = event.ctrlKey || event.metaKey;
    const undo = held && event.key.toLowerCase() === "z";
    if (!undo && (held || event.altKey || !OURS.has(event.key))) return;
    event.preventDefault();
    if (event.key === "Escape" && this.work.canStop) {
      this.work.stop();
      return;
    }
    this.work.ask();
    this.model.send(undo ? { ask: "undo" } : { ask: "key", key: event.key });
  }

  name() {
    if (!this.canvas) return;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-roledescription", "board");
    this.canvas.setAttribute("aria-label", this.model.get("alt"));
  }

  measure() {
    this.find();
    if (!this.root) return;
    const shown = theme(this.model);
    this.root.dataset.tkTheme = shown;
    // No width while it is hidden, as when the page changes its theme: then the last one holds.
    const width = Math.floor(this.el.getBoundingClientRect().width) || this.width;
    this.width = width;
    const density = Math.min(3, Math.max(1, window.devicePixelRatio || 1));
    const told = JSON.stringify([width, density, shown]);
    if (!width || told === this.told) return;
    this.told = told;
    this.model.send({ ask: "room", width, density, theme: shown });
  }

  end() {
    for (const stop of this.stops) stop();
    for (const observer of [this.sized, this.seen, this.themes]) observer.disconnect();
  }
}

function render({ model, el }) {
  const panel = new Panel(model);
  el.append(panel.element);
  const beside = new Beside(model, el, panel.work);
  const show = () => panel.show();
  beside.begin();
  model.on("change", show);
  return () => {
    model.off("change", show);
    beside.end();
    panel.end();
  };
}

export default { render };
