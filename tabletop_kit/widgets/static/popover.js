// One small box that floats over the widget, beside the button that opened it.
import { make } from "./dom.js";

const EDGE = 8;

export class Popover {
  constructor(root) {
    this.root = root;
    this.box = null;
    this.button = null;
    this.onPointer = (event) => {
      if (!this.box) return;
      const inside = event.composedPath();
      if (!inside.includes(this.box) && !inside.includes(this.button)) this.close();
    };
    document.addEventListener("pointerdown", this.onPointer);
  }

  get open() {
    return this.box !== null;
  }

  toggle(button, label, className, children, above = false) {
    if (this.open) {
      const again = this.button === button;
      this.close();
      if (again) return;
    }
    const about = { class: `tk-pop ${className}`, role: "dialog", "aria-label": label };
    this.box = make("div", { ...about, tabindex: "-1" }, make("h4", {}, label), children);
    this.button = button;
    this.root.append(this.box);
    this.place(above);
    button.setAttribute("aria-expanded", "true");
    const first = this.box.querySelector("textarea, button:not([disabled])") || this.box;
    first.focus({ preventScroll: true });
  }

  place(above) {
    const around = this.root.getBoundingClientRect();
    const button = this.button.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.box;
    const left = Math.min(around.width - width - EDGE, button.left - around.left - 12);
    const below = button.bottom - around.top + 6;
    const over = button.top - around.top - height - EDGE;
    const room = Math.min(around.bottom, window.innerHeight) - around.top;
    const upward = above || (below + height + EDGE > room && over > EDGE);
    this.box.style.left = `${Math.max(EDGE, left)}px`;
    this.box.style.top = `${upward ? Math.max(EDGE, over) : below}px`;
  }

  close() {
    if (!this.open) return;
    const { box, button } = this;
    const inside = box.contains(document.activeElement);
    this.box = null;
    this.button = null;
    box.remove();
    button.removeAttribute("aria-expanded");
    if (inside) button.focus({ preventScroll: true });
  }

  // The buttons of the box in a ring: left and right go from one to the next.
  walk(direction) {
    const buttons = [...this.box.querySelectorAll("button:not([disabled])")];
    if (!buttons.length) return;
    const next = buttons.indexOf(document.activeElement) + direction;
    buttons[(next + buttons.length) % buttons.length].focus();
  }

  // The face of a die by its number; a box without faces takes no numbers.
  press(number) {
    const face = this.box.querySelectorAll(".tk-faces button")[number - 1];
    if (face && !face.disabled) face.click();
  }

  remove() {
    this.close();
    document.removeEventListener("pointerdown", this.onPointer);
  }
}
