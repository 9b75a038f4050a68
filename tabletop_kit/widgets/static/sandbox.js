// What a canvas lacks: words for whoever does not see it, keys that leave the page its own, the
// wheel, and who says how much room there is. Belongs beside a canvas in one .tk-sandbox.
import { make, makeIcon, setText } from "./dom.js";

const OURS = new Set([
  "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter", " ", "Escape", "Home", "End",
]);
const KEYS = [
  ["← →", "from one to the next"],
  ["Enter", "pick up, put down"],
  ["Esc", "put back"],
  ["Ctrl Z", "undo"],
];

function theme(model) {
  const wanted = model.get("theme");
  if (wanted !== "auto") return wanted;
  const said = document.body.dataset.jpThemeLight;
  if (said) return said === "false" ? "dark" : "light";
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function keyLine() {
  const each = KEYS.map(([key, words]) => [make("kbd", { class: "tk-key" }, key), ` ${words}  `]);
  return make("p", { class: "tk-sb-keys" }, each);
}

function panel(model) {
  const live = make("p", { class: "tk-sb-said", role: "status", "aria-live": "polite" });
  const note = make("div", { class: "tk-note tk-error", role: "alert", hidden: true });
  const text = make("pre", { class: "tk-sb-text" });
  const ask = (what) => (event) => {
    model.send({ ask: what });
    event.currentTarget.closest(".tk-sandbox")?.querySelector("canvas")?.focus();
  };
  const button = (icon, words, what) =>
    make(
      "button",
      { class: "tk-btn tk-btn-line", type: "button", onclick: ask(what) },
      makeIcon(icon, 14),
      words,
    );
  const undo = button("undo", "Undo", "undo");
  const reset = button("first", "As it was", "reset");
  const words = make("details", {}, make("summary", {}, "The board in words"), text);
  const tools = make("div", { class: "tk-sb-tools" }, undo, reset, keyLine());
  const show = () => {
    setText(live, model.get("said"));
    setText(note, model.get("note"));
    note.hidden = !model.get("note");
    setText(text, model.get("text"));
    undo.disabled = reset.disabled = !model.get("moved");
  };
  return { element: make("div", { class: "tk-sb-panel" }, live, note, tools, words), show };
}

class Beside {
  constructor(model, el) {
    this.model = model;
    this.el = el;
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
    root.dataset.lmSuppressShortcuts = "true";
    const catchIn = (event, heard) => {
      root.addEventListener(event, heard, true);
      this.stops.push(() => root.removeEventListener(event, heard, true));
    };
    catchIn("wheel", (event) => event.target === canvas && event.stopPropagation());
    catchIn("keydown", (event) => event.target === canvas && this.key(event));
    this.name();
  }

  // The canvas would keep every key for itself, Tab too: it gets none.
  key(event) {
    event.stopPropagation();
    const held = event.ctrlKey || event.metaKey;
    const undo = held && event.key.toLowerCase() === "z";
    if (!undo && (held || event.altKey || !OURS.has(event.key))) return;
    event.preventDefault();
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
  const { element, show } = panel(model);
  el.append(element);
  show();
  const beside = new Beside(model, el);
  beside.begin();
  model.on("change", show);
  return () => {
    model.off("change", show);
    beside.end();
  };
}

export default { render };
