// A replay in a page of its own: the study without a kernel, on frames that stand in the page.
import { iconButton, make, makeIcon, setAttribute } from "./dom.js";
import { render } from "./study.js";

// What repeats is written once; where it stands there is only its number in the list.
function whole(value, shared) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((one) => whole(one, shared));
  if ("$" in value) return whole(shared[value.$], shared);
  const entries = Object.entries(value).map(([name, one]) => [name, whole(one, shared)]);
  return Object.fromEntries(entries);
}

// A frame leaves out what follows from its place and from the frame before it.
function unpacked({ ids, shared, frames }) {
  const told = [];
  frames.forEach((packed, id) => {
    const frame = { id, parent: id - 1, kind: "event", ...whole(packed, shared) };
    frame.heading ??= told[frame.parent]?.heading ?? "";
    const { set } = frame;
    if (set) frame.set = {};
    for (let at = 0; at < set?.length; at += set[at] < 0 ? 1 : 2) {
      if (set[at] < 0) frame.set[ids[-1 - set[at]]] = null;
      else frame.set[ids[set[at]]] = set[at + 1];
    }
    told.push(frame);
  });
  return told;
}

// What a widget's model is to the study; nobody listens, and nothing is asked.
function modelOf(state) {
  const nothing = () => {};
  return {
    get: (name) => state[name],
    set: (name, value) => { state[name] = value; },
    on: nothing,
    off: nothing,
    save_changes: nothing,
    send: nothing,
  };
}

// ---- inside another page

function frameAround() {
  try {
    return window.frameElement;
  } catch {
    return null;
  }
}

// The frame is as tall as what is in it.
function fitFrame(frame, host) {
  document.documentElement.toggleAttribute("data-framed", true);
  const fit = () => {
    const height = Math.ceil(host.getBoundingClientRect().height);
    if (height) frame.style.height = `${height}px`;
  };
  new ResizeObserver(fit).observe(host);
}

// ---- the theme: that of the page around, else of the reader's system, until a button is pressed

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

// The ground behind an element; null where none is painted.
function darkBehind(element) {
  for (let at = element; at; at = at.parentElement) {
    const [red, green, blue, alpha = 1] = getComputedStyle(at).backgroundColor
      .match(/^rgb.*/)?.[0].match(/[\d.]+/g).map(Number) ?? [0, 0, 0, 0];
    if (alpha > 0.5) return 0.3 * red + 0.6 * green + 0.1 * blue < 128;
  }
  return null;
}

function isDarkAround(frame) {
  if (!frame) return prefersDark.matches;
  const page = frame.ownerDocument.documentElement;
  const byItself = () => getComputedStyle(page).colorScheme.includes("dark") && prefersDark.matches;
  return darkBehind(frame.parentElement) ?? byItself();
}

class Theme {
  constructor(view, frame) {
    this.places = [document.documentElement, view.firstElementChild];
    this.frame = frame;
    this.chosen = null;
    this.button = iconButton("moon", "Dark colors", () => this.turn());
    prefersDark.addEventListener("change", () => this.show());
    if (frame) this.watch(frame.ownerDocument);
    this.show();
  }

  watch(page) {
    const observer = new MutationObserver(() => this.show());
    for (const one of [page.documentElement, page.body]) {
      observer.observe(one, { attributes: true });
    }
  }

  get dark() {
    return this.chosen ?? isDarkAround(this.frame);
  }

  turn() {
    this.chosen = !this.dark;
    this.show();
  }

  show() {
    const { button, dark, places } = this;
    places.forEach((one) => { one.dataset.tkTheme = dark ? "dark" : "light"; });
    const words = dark ? "Light colors" : "Dark colors";
    button.replaceChildren(makeIcon(dark ? "sun" : "moon"));
    setAttribute(button, "title", words);
    setAttribute(button, "aria-label", words);
  }
}

// What stands in the file is squeezed: JSON, deflated, in letters.
async function readData() {
  const letters = document.getElementById("replay").textContent;
  const squeezed = new Blob([Uint8Array.from(atob(letters), (sign) => sign.charCodeAt(0))]);
  const whole = squeezed.stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(whole).json();
}

async function start() {
  const data = await readData();
  const host = document.querySelector("main");
  const view = host.appendChild(make("div"));
  const state = { meta: data.meta, at: 0, frames: unpacked(data) };
  render({ model: modelOf(state), el: view });
  const frame = frameAround();
  view.querySelector(".tk-st-tools").prepend(new Theme(view, frame).button);
  if (frame) fitFrame(frame, host);
  document.body.dataset.ready = "true";
}

start();
