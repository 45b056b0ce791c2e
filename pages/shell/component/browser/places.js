// Two words on a line of places: each is dragged or moved by key; the line that joins them moves both.

import { Dragged } from "./dragged.js";
import { put } from "./plane.js";
import { filled } from "./text.js";

// Pixels: the height of the picture, the box around a word, the area that a finger hits, the menu beside the line.
const [HEIGHT, BOX, TARGET, MENU] = [124, 26, 44, 44];
const [TYPE, TICK, PAGE] = [15, 8, 8];
const [QUERY, KEY, BOTH] = [0, 1, 2];

export class Places extends Dragged {
  // The word that was moved last.
  moved = BOTH;

  constructor(sets) {
    super(sets, { height: HEIGHT });
    this.root.classList.add("att-places");
    this.keyedInside();
    this.back = put(this.svg, "g", { "aria-hidden": "true" });
    this.handles = [BOTH, QUERY, KEY].map((which) => this.handle(which));
    // Drawn before the stems of the words, so that it is below them.
    this.numbers = put(this.svg, "g", { "aria-hidden": "true" });
  }

  handle(which) {
    const group = put(this.svg, "g", { role: "slider", tabindex: 0, "data-holds": ["query", "key", "both"][which] });
    const parts =
      which === BOTH
        ? {
            span: put(group, "line", { class: "att-span" }),
            apart: put(group, "text", { class: "att-apart" }),
            grip: put(group, "rect", { class: "att-grip", height: BOX }),
          }
        : {
            stem: put(group, "line", { class: "att-stem" }),
            box: put(group, "rect", { class: "att-word-box", height: BOX, rx: 5 }),
            name: put(group, "text", { class: "att-name" }),
            grip: put(group, "rect", { class: "att-grip", height: TARGET }),
          };
    this.holds(group, group, which);
    return { which, group, ...parts };
  }

  known({ places }) {
    return places.at;
  }

  picture({ width, colours }) {
    const {
      labels,
      places: { most },
    } = this.sent;
    this.large = colours.large;
    Object.entries({ width, "font-size": TYPE * this.large }).forEach((pair) => this.svg.setAttribute(...pair));
    this.handles
      .filter(({ name }) => name)
      .forEach(({ which, name }) => {
        name.textContent = [labels.query, labels.key][which];
      });
    // A word at an end stays inside the picture.
    this.left = 12;
    this.right = width - MENU;
    this.step = (this.right - 2 * this.left) / most;
    this.back.replaceChildren();
    this.numbers.replaceChildren();
    const y = HEIGHT / 2;
    put(this.back, "line", { class: "att-road", x1: this.left, x2: this.right - this.left, y1: y, y2: y });
    for (let at = 0; at <= most; at += 1) {
      const long = at % TICK === 0;
      put(this.back, "line", {
        class: "att-road",
        x1: this.x(at),
        x2: this.x(at),
        y1: y - (long ? 7 : 3),
        y2: y + (long ? 7 : 3),
      });
      if (long)
        put(this.numbers, "text", { class: "att-tick", x: this.x(at), y: y + 20 * this.large }).textContent =
          String(at);
    }
  }

  x(at) {
    return this.left + at * this.step;
  }

  // Draw the words at their present places, which may be ahead of the scores.
  place() {
    super.place();
    const {
      labels,
      places: { most },
    } = this.sent;
    this.root.dataset.at = String(this.at);
    const set = (element, attributes) => Object.entries(attributes).forEach((pair) => element.setAttribute(...pair));
    for (const { which, group, stem, box, name, grip, span, apart } of this.handles) {
      const [low, high] = [Math.min(...this.at), Math.max(...this.at)];
      const value = which === BOTH ? low : this.at[which];
      const [far, told] =
        which === BOTH
          ? [most - (high - low), filled(labels.distance, { places: high - low })]
          : [most, filled(labels.at, { place: value })];
      set(group, {
        "aria-label": [labels.query, labels.key, labels.both][which],
        "aria-valuemin": 0,
        "aria-valuemax": far,
        "aria-valuenow": value,
        "aria-valuetext": told,
      });
      const y = HEIGHT / 2;
      if (which === BOTH) {
        set(span, { x1: this.x(low), x2: this.x(high), y1: y, y2: y });
        this.between(apart, told, this.x(low), this.x(high), y - 12);
        // Two words at one place can still be held together.
        const short = Math.max(0, 24 - (this.x(high) - this.x(low))) / 2;
        set(grip, { x: this.x(low) - short, width: this.x(high) - this.x(low) + 2 * short, y: y - BOX / 2 });
        continue;
      }
      const wide = Math.max(name.getComputedTextLength() + 16, TARGET);
      const middle = Math.min(Math.max(this.x(value), wide / 2), this.right - wide / 2);
      const top = which === QUERY ? 6 : HEIGHT - 6 - BOX;
      set(stem, { x1: this.x(value), x2: this.x(value), y1: which === QUERY ? top + BOX : top, y2: y });
      set(box, { x: middle - wide / 2, width: wide, y: top });
      set(grip, { x: middle - wide / 2, width: wide, y: which === QUERY ? 0 : HEIGHT - TARGET });
      set(name, { x: middle, y: top + BOX / 2 + 0.35 * TYPE * this.large });
    }
  }

  // The distance of the words: above the line that joins them or, if that is short, beside both words.
  between(text, told, low, high, y) {
    text.textContent = told;
    const wide = text.getComputedTextLength() + 12;
    const beside = high + wide < this.right ? high + wide / 2 : low - wide / 2;
    const x = high - low > wide ? (low + high) / 2 : beside;
    Object.entries({ x, y }).forEach((pair) => text.setAttribute(...pair));
  }

  follow(event) {
    const { which, x } = this.held;
    this.move(which, this.from, Math.round((event.clientX - x) / this.step));
  }

  // Move by some places from where the drag began, within the line.
  move(which, from, by) {
    this.moved = which;
    const { most } = this.sent.places;
    const moved = from.filter((_, at) => which === BOTH || which === at);
    const inside = Math.min(Math.max(by, -Math.min(...moved)), most - Math.max(...moved));
    this.at = from.map((at, index) => (which === BOTH || which === index ? at + inside : at));
    this.place();
  }

  question() {
    const [query, key] = this.at;
    return { query, key, alone: ["query", "key", ""][this.moved] };
  }

  moves(which) {
    const { most } = this.sent.places;
    const by = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -PAGE,
      PageUp: PAGE,
      Home: -most,
      End: most,
    };
    return Object.fromEntries(Object.entries(by).map(([key, far]) => [key, () => this.move(which, this.at, far)]));
  }

  headAndLines() {
    const {
      labels,
      places: { at },
    } = this.sent;
    return [[], [labels.query, labels.key].map((name, index) => [name, filled(labels.at, { place: at[index] })])];
  }
}
