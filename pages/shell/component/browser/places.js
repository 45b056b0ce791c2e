// Two words on a line of places: each is dragged or moved by key, and what joins them moves both.

import { Asks } from "./asks.js";
import { Frame, put as write } from "./figure.js";
import { put } from "./plane.js";
import { copied } from "./svg.js";
import { filled } from "./text.js";

// Pixels: of the picture, of the box around a word, of what a finger hits.
const [HEIGHT, BOX, TARGET] = [150, 26, 44];
const [TYPE, TICK, PAGE] = [13, 8, 8];
// Presses that follow each other quickly are one question to the server.
const WAIT = 250;
const [QUERY, KEY, BOTH] = [0, 1, 2];

export class Places extends Frame {
  constructor(ask) {
    super();
    this.hatch.hidden = true;
    this.root.classList.add("att-places");
    // What takes the keys are the words, and what joins them.
    this.plot.removeAttribute("tabindex");
    this.plot.setAttribute("role", "group");
    this.svg = put(this.canvas, "svg", { height: HEIGHT });
    this.back = put(this.svg, "g", { "aria-hidden": "true" });
    this.handles = [BOTH, QUERY, KEY].map((which) => this.handle(which));
    this.asks = new Asks((places) => ask(places), () => this.next());
  }

  handle(which) {
    const group = put(this.svg, "g", { role: "slider", tabindex: 0, "data-holds": ["query", "key", "both"][which] });
    const parts = which === BOTH
      ? { span: put(group, "line", { class: "att-span" }), grip: put(group, "rect", { class: "att-grip", height: BOX }) }
      : {
        stem: put(group, "line", { class: "att-stem" }), box: put(group, "rect", { class: "att-word-box", height: BOX, rx: 5 }),
        name: put(group, "text", { class: "att-name" }), grip: put(group, "rect", { class: "att-grip", height: TARGET }),
      };
    group.addEventListener("pointerdown", (event) => this.grab(event, which, group));
    group.addEventListener("pointermove", (event) => this.held && this.follow(event));
    group.addEventListener("pointerup", () => this.held && this.release());
    group.addEventListener("pointercancel", () => this.giveUp());
    group.addEventListener("keydown", (event) => this.key(event, which));
    return { which, group, ...parts };
  }

  update(sent, _, words) {
    // What arrives while a visitor moves a word is the answer to an earlier question.
    if (!this.moving) this.at = sent.places.at;
    const isAnswer = this.sent && this.sent.stamp !== sent.stamp;
    const { kind, keys } = sent.labels;
    this.say(sent, words, { formula: "", kind, keys });
    this.draw();
    this.tabulate();
    if (isAnswer) this.asks.answered();
  }

  draw() {
    const due = this.due();
    if (due) this.picture(due);
    if (!this.step || !this.inSight) return;
    this.place();
    this.root.dataset.drawn = this.sent.stamp;
  }

  picture({ width, colours }) {
    const { labels, places: { most } } = this.sent;
    this.large = colours.large;
    Object.entries({ width, "font-size": TYPE * this.large }).forEach((pair) => this.svg.setAttribute(...pair));
    this.handles.filter(({ name }) => name).forEach(({ which, name }) => { name.textContent = [labels.query, labels.key][which]; });
    // A word at an end keeps inside.
    this.left = 12;
    this.step = (width - 2 * this.left) / most;
    this.width = width;
    this.back.replaceChildren();
    const y = HEIGHT / 2;
    put(this.back, "line", { class: "att-road", x1: this.left, x2: width - this.left, y1: y, y2: y });
    for (let at = 0; at <= most; at += 1) {
      const long = at % TICK === 0;
      put(this.back, "line", { class: "att-road", x1: this.x(at), x2: this.x(at), y1: y - (long ? 7 : 3), y2: y + (long ? 7 : 3) });
      if (long) put(this.back, "text", { class: "att-tick", x: this.x(at), y: y + 20 * this.large }).textContent = String(at);
    }
  }

  x(at) {
    return this.left + at * this.step;
  }

  // Where the words are now, which may be ahead of the scores.
  place() {
    const { labels, places: { most, at: known } } = this.sent;
    this.root.dataset.at = String(this.at);
    this.root.toggleAttribute("data-moving", String(this.at) !== String(known));
    write(this.shape, filled(labels.distance, { places: Math.abs(this.at[0] - this.at[1]) }));
    const set = (element, attributes) => Object.entries(attributes).forEach((pair) => element.setAttribute(...pair));
    for (const { which, group, stem, box, name, grip, span } of this.handles) {
      const [low, high] = [Math.min(...this.at), Math.max(...this.at)];
      const value = which === BOTH ? low : this.at[which];
      const [far, told] = which === BOTH ? [most - (high - low), filled(labels.distance, { places: high - low })] : [most, filled(labels.at, { place: value })];
      set(group, { "aria-label": [labels.query, labels.key, labels.both][which], "aria-valuemin": 0, "aria-valuemax": far, "aria-valuenow": value, "aria-valuetext": told });
      const y = HEIGHT / 2;
      if (which === BOTH) {
        set(span, { x1: this.x(low), x2: this.x(high), y1: y, y2: y });
        // Two words at one place are still to be held together.
        const short = Math.max(0, 24 - (this.x(high) - this.x(low))) / 2;
        set(grip, { x: this.x(low) - short, width: this.x(high) - this.x(low) + 2 * short, y: y - BOX / 2 });
        continue;
      }
      const wide = Math.max(name.getComputedTextLength() + 16, TARGET);
      const middle = Math.min(Math.max(this.x(value), wide / 2), this.width - wide / 2);
      const top = which === QUERY ? 6 : HEIGHT - 6 - BOX;
      set(stem, { x1: this.x(value), x2: this.x(value), y1: which === QUERY ? top + BOX : top, y2: y });
      set(box, { x: middle - wide / 2, width: wide, y: top });
      set(grip, { x: middle - wide / 2, width: wide, y: which === QUERY ? 0 : HEIGHT - TARGET });
      set(name, { x: middle, y: top + BOX / 2 + 0.35 * TYPE * this.large });
    }
  }

  grab(event, which, group) {
    event.preventDefault();
    group.focus({ preventScroll: true });
    group.setPointerCapture(event.pointerId);
    clearTimeout(this.timer);
    this.held = { which, from: this.at, x: event.clientX };
    this.before = this.at;
    this.moving = true;
    this.asks.forget();
  }

  follow(event) {
    const { which, from, x } = this.held;
    this.move(which, from, Math.round((event.clientX - x) / this.step));
    this.asks.soon();
  }

  // By so many places from where they were, as far as the line goes.
  move(which, from, by) {
    const { most } = this.sent.places;
    const moved = from.filter((_, at) => which === BOTH || which === at);
    const inside = Math.min(Math.max(by, -Math.min(...moved)), most - Math.max(...moved));
    this.at = from.map((at, index) => (which === BOTH || which === index ? at + inside : at));
    this.place();
  }

  // What to ask when nothing else is under way: the scores follow the words while they are dragged.
  next() {
    if (!this.held) this.moving = false;
    const [query, key] = this.at;
    return String(this.at) === String(this.sent.places.at) ? null : { query, key };
  }

  release() {
    this.held = null;
    this.asks.now();
  }

  giveUp() {
    this.at = this.before ?? this.sent.places.at;
    this.held = null;
    this.place();
    this.asks.now();
  }

  key(event, which) {
    const { most } = this.sent.places;
    const moves = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -PAGE, PageUp: PAGE, Home: -most, End: most };
    if (event.key === "Escape") {
      clearTimeout(this.timer);
      this.giveUp();
    } else if (event.key in moves) {
      if (!this.moving) this.before = this.at;
      this.asks.forget();
      this.moving = true;
      this.move(which, this.at, moves[event.key]);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.release(), WAIT);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  asSvg() {
    return copied(this.svg);
  }

  fill() {
    const { labels, places: { at } } = this.sent;
    const table = document.createElement("table");
    table.createCaption().textContent = this.sent.title;
    const body = table.createTBody();
    [labels.query, labels.key].forEach((name, index) => {
      const line = body.insertRow();
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = name;
      line.append(head);
      line.insertCell().textContent = filled(labels.at, { place: at[index] });
    });
    this.table.replaceChildren(table);
  }

  remove() {
    clearTimeout(this.timer);
    this.asks.end();
    super.remove();
  }
}
