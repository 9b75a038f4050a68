// A course: how values went along the line of the story one is on. It follows the step of a study
// in the same page, and moves it; nothing of that asks the kernel.
import { make, setAttribute, setText, whenChanged } from "./dom.js";
import { takeKeys } from "./ownkeys.js";
import { Plot } from "./plot.js";
import { Trail, figure, isKnown } from "./trail.js";

const SAVE_DELAY = 150;

const KEYS = {
  ArrowLeft: ({ position }) => position - 1,
  ArrowRight: ({ position }) => position + 1,
  Home: () => 0,
  End: ({ line }) => line.length - 1,
  PageUp: ({ line, position }) => line.headingFrom(position, -1),
  PageDown: ({ line, position }) => line.headingFrom(position, 1),
};

// From line to line, as they stand at the right.
const LINE_KEYS = { ArrowUp: -1, ArrowDown: 1 };

// Null where the page has no such model, or does not tell of any.
async function studyOf(model) {
  try {
    return (await model.widget_manager.get_model(model.get("study_model"))) || null;
  } catch {
    return null;
  }
}

class Course {
  constructor(model, host) {
    this.model = model;
    this.study = null;
    this.awaited = null;
    this.trail = new Trail(model.get("rows"));
    this.plot = new Plot(this.trail);
    this.drawPlot = whenChanged(() => this.plot.draw(model.get("lines"), this.width));
    this.drawTable = whenChanged(() => this.fillTable());
    this.width = 0;
    this.build(host);
    this.showTrouble();
    this.trail.go(model.get("at"));
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(this.slider);
    this.measure();
  }

  build(host) {
    const { title, unit } = this.model.get("about");
    this.unit = unit;
    this.where = make("span", { class: "tk-co-where" });
    const head = make(
      "div", { class: "tk-co-head" },
      title ? make("span", { class: "tk-co-title" }, title) : null,
      make("span", { class: "tk-co-unit" }, `${unit}, step by step`),
      this.where,
    );
    this.slider = make("div", {
      class: "tk-co-slider", tabindex: "0", role: "slider", "aria-valuemin": "1",
      "aria-label": title ? `${title}: ${unit}` : `Course of ${unit}`,
    }, this.plot.svg, this.plot.tip);
    this.note = make("div", { class: "tk-note tk-error", role: "alert", hidden: true });
    this.table = make("table");
    this.fold = make(
      "details", { class: "tk-co-fold", ontoggle: () => this.update() },
      make("summary", {}, "The chart in words"),
      make("div", { class: "tk-co-words", tabindex: "0", role: "group", "aria-label": unit },
        this.table),
    );
    this.root = make("div", {
      class: "tk-root tk-course", role: "group",
      "aria-label": title || `Course of ${unit}`,
    }, head, this.note, this.slider, this.fold);
    takeKeys(this.root);
    this.listen();
    host.replaceChildren(this.root);
  }

  // ---- what is shown

  measure() {
    const width = this.slider.clientWidth;
    if (!width || width === this.width) return;
    this.width = width;
    this.update();
  }

  update() {
    if (!this.width || !this.trail.frame) return;
    this.drawPlot(`${this.trail.key} ${this.model.get("lines").length} ${this.width}`);
    this.step();
    this.tell();
  }

  // As cheap as can be: this is done while somebody drags.
  step() {
    const { trail, slider } = this;
    const { position } = trail;
    const { length } = trail.line;
    const heading = trail.headingAt(position);
    const words = `step ${position + 1} of ${length}${heading ? `, ${heading}` : ""}`;
    this.plot.step(position);
    setText(this.where, `at ${words}`);
    setAttribute(slider, "aria-valuemax", length);
    setAttribute(slider, "aria-valuenow", position + 1);
    setAttribute(slider, "aria-valuetext", `${words}: ${this.inWords(position)}`);
    if (this.fold.open) this.drawTable(`${trail.key} ${position} ${this.plot.shown.length}`);
  }

  inWords(position) {
    const values = this.trail.valuesAt(position);
    const all = this.plot.shown.filter(({ key }) => isKnown(values[key]));
    const isFirst = ({ key }) => this.isChosen && key === this.followed;
    const known = [...all.filter(isFirst), ...all.filter((line) => !isFirst(line))];
    return known.map(({ key, name }) => `${name} ${figure(values[key])}`).join(", ");
  }

  fillTable() {
    const { trail, plot } = this;
    const moments = trail.line.starts.map((position) => [trail.headingAt(position), position]);
    moments.push(["Now", trail.position]);
    const head = ["", ...plot.shown.map(({ name }) => name)];
    const row = ([words, position]) => {
      const values = trail.valuesAt(position);
      const cell = ({ key }) => (isKnown(values[key]) ? figure(values[key]) : "–");
      return make(
        "tr", {}, make("th", { scope: "row" }, words),
        plot.shown.map((line) => make("td", {}, cell(line))),
      );
    };
    const top = head.map((words) => (words ? make("th", { scope: "col" }, words) : make("td")));
    this.table.replaceChildren(
      make("thead", {}, make("tr", {}, top)),
      make("tbody", {}, moments.map(row)),
    );
  }

  showTrouble() {
    const words = this.model.get("trouble");
    this.note.hidden = !words;
    setText(this.note, words);
  }

  // ---- the line that is pointed at, or followed by keyboard

  // At the pointer where it is near a line, else the followed one at the cursor.
  tell() {
    const { plot, hover } = this;
    const pointed = hover ? plot.nearest(hover.x, hover.y) : -1;
    const followed = plot.shown.findIndex(({ key }) => key === this.followed);
    if (pointed >= 0) plot.showTip(pointed, plot.positionAt(hover.x));
    else if (followed >= 0) plot.showTip(followed, this.trail.position);
    else plot.choose(-1);
  }

  follow(key, isChosen = false) {
    this.followed = key;
    this.isChosen = isChosen;
    this.hover = null;
    this.update();
  }

  // Whoever comes by keyboard is told of the uppermost line first.
  onFocus() {
    if (this.slider.matches(":focus-visible")) this.follow(this.inOrder()[0]?.key);
  }

  onBlur() {
    this.follow(undefined);
  }

  inOrder() {
    const { plot } = this;
    const rows = plot.shown.map((line, index) => ({ line, y: plot.rowOf(index) }));
    return rows.sort((one, other) => one.y - other.y).map(({ line }) => line);
  }

  toLine(direction) {
    const order = this.inOrder();
    if (!order.length) return;
    const now = order.findIndex(({ key }) => key === this.followed);
    const next = now < 0 ? 0 : (now + direction + order.length) % order.length;
    this.follow(order[next].key, true);
  }

  // ---- going to a step

  // A step that is not known yet comes with the next rows.
  go(id) {
    this.awaited = this.trail.go(id) ? null : id;
    this.update();
  }

  hear(message) {
    if (message?.tell !== "rows") return;
    this.trail.takeIn(this.model.get("rows"));
    this.go(this.awaited ?? message.at);
  }

  moveTo(position) {
    const frame = this.trail.line.at(position);
    if (!frame || frame === this.trail.frame) return;
    if (this.study) this.moveStudy(frame.id);
    else this.model.set("at", frame.id);
  }

  // A study that has just gone somewhere by itself does not listen at once. The kernel is told at
  // once, so that an older place it still repeats is not the last word; of a drag, its end.
  moveStudy(id) {
    const { study } = this;
    this.wanted = id;
    clearTimeout(this.moving);
    study.set("at", id);
    if (study.get("at") !== id) this.moving = setTimeout(() => this.moveStudy(id), SAVE_DELAY);
    else if (!this.dragging) study.save_changes();
  }

  // The study went there: what was asked of it before does not count any more.
  followStudy() {
    clearTimeout(this.moving);
    this.go(this.study.get("at"));
  }

  listen() {
    const { slider } = this;
    slider.addEventListener("keydown", (event) => this.onKey(event));
    slider.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      this.left = slider.getBoundingClientRect().left;
      slider.setPointerCapture(event.pointerId);
      this.dragging = true;
      this.wanted = null;
      this.point(event);
    });
    slider.addEventListener("pointermove", (event) => this.onMove(event));
    slider.addEventListener("pointerleave", () => this.onLeave());
    slider.addEventListener("focus", () => this.onFocus());
    slider.addEventListener("blur", () => this.onBlur());
    for (const type of ["pointerup", "pointercancel"]) {
      slider.addEventListener(type, () => this.drop());
    }
  }

  onMove(event) {
    const { left, top } = this.slider.getBoundingClientRect();
    this.hover = { x: event.clientX - left, y: event.clientY - top };
    if (this.dragging) this.point(event);
    this.tell();
  }

  onLeave() {
    this.hover = null;
    this.tell();
  }

  drop() {
    const moved = this.dragging && this.study && this.wanted !== null;
    this.dragging = false;
    if (moved) this.moveStudy(this.wanted);
  }

  point(event) {
    this.moveTo(this.plot.positionAt(event.clientX - this.left));
  }

  onKey(event) {
    const target = KEYS[event.key];
    const direction = LINE_KEYS[event.key];
    const isOurs = target || direction;
    if (!isOurs || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (direction) this.toLine(direction);
    else this.moveTo(target(this.trail));
  }

  remove() {
    this.observer.disconnect();
    this.root.remove();
  }
}

// ---- the two entries of the widget

// New rows are kept in the list the model already holds, so that every view has them.
function keepRows(model, fresh) {
  const kept = model.get("rows");
  kept.push(...fresh.filter((row) => row.id >= kept.length));
}

function initialize({ model }) {
  const hear = (message) => {
    if (message?.tell === "rows") keepRows(model, message.rows);
  };
  model.on("msg:custom", hear);
  return () => model.off("msg:custom", hear);
}

function listenTo(model, subscriptions) {
  for (const [name, call] of Object.entries(subscriptions)) model.on(name, call);
  return () => {
    for (const [name, call] of Object.entries(subscriptions)) model.off(name, call);
  };
}

function render({ model, el }) {
  let course = new Course(model, el);
  const begin = () => {
    const { study } = course;
    course.remove();
    course = Object.assign(new Course(model, el), { study });
  };
  const leave = [listenTo(model, {
    "change:at": () => course.study || course.go(model.get("at")),
    "change:lines": () => course.update(),
    "change:about": begin,
    "change:trouble": () => course.showTrouble(),
    "msg:custom": (message) => course.hear(message),
  })];
  studyOf(model).then((study) => {
    if (!study || !leave.length) return;
    course.study = study;
    leave.push(listenTo(study, { "change:at": () => course.followStudy() }));
  });
  return () => {
    leave.splice(0).forEach((call) => call());
    course.remove();
  };
}

export default { initialize, render };
