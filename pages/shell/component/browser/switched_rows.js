// Lines of heads. A click on a line opens its head, and the words stand once, over the weights. Beside a line is the
// place of a guess and, after that, the switch that takes the head out of the model. The switch reveals the rest of the
// answer without it, and what the head itself adds to it.

import { Asking } from "./asking.js";
import { pressed } from "./pressed.js";
import { clip } from "./sentence_line.js";
import { shown, widthOf } from "./text.js";

// Pixels: a switch; the height of the headers above the lines, and their type; a line, and the columns beside it, with
// guesses or with switches.
const [WIDE, HIGH] = [30, 16];
const [HEADER, TYPE] = [20, 13];
const LINES = { guesses: 34, switches: 28, narrow: 26 };
const COLUMNS = { guesses: 112, switches: 234, pushed: 334 };
// The widest box of a weight, beside guesses and beside switches.
const CELLS = { guesses: 140, switches: 54 };
// A word over its weights: its type, the room between two of them, and the least width for a leaning one.
const [WORD, APART, LEANS] = [12, 6, 13];
// Pixels from a switch to the bar of the rest; that bar, the gap to its number, and the number's room.
const [BESIDE, BAR, GAP, NUMBER] = [60, 90, 6, 34];
// Pixels from a switch to the push of its head; the push's bar, and the part of that to the left of zero.
const [PUSHED, PUSH, ZERO] = [216, 50, 0.3];
// The place of a guess, and the least width of a picture with columns beside its lines.
const [PLACE, LEAST] = [92, 640];
// The parts of a narrow line that its name and its text may take.
/** @type {[number, number]} */
const NARROW = [0.43, 0.32];
const MARKS = { right: "✓", wrong: "✗" };

export class SwitchedRows extends Asking {
  constructor(report) {
    super(report);
    this.root.classList.add("att-switched-rows");
    this.svg.setAttribute("role", "group");
  }

  get isOpen() {
    return Boolean(this.sent.asking.guesses[0]?.sets);
  }

  option(isChosen, label) {
    return { role: "button", tabindex: isChosen ? 0 : -1, "aria-pressed": isChosen, "aria-label": label };
  }

  // The button of a guess is removed by the guess; the focus of a keyboard user moves to the opened head.
  picture(due) {
    const held = this.svg.contains(document.activeElement) ? document.activeElement : null;
    super.picture(due);
    if (held && !held.isConnected) this.options.find((one) => one.tabIndex === 0)?.focus({ preventScroll: true });
  }

  compose({ width, colours: { large, font } }) {
    const { asks, switches } = this.sent.asking;
    const beside = this.isOpen ? "guesses" : "switches";
    const headers = this.isOpen ? [] : this.sent.labels.headers;
    const columns = headers[2] ? "pushed" : beside;
    this.root.classList.toggle("att-is-open", this.isOpen);
    this.cell = CELLS[beside];
    const isWide = width > LEAST * large;
    const wide = isWide ? width - COLUMNS[columns] * large : width;
    const line = (isWide ? LINES[beside] : LINES.narrow) * large;
    const each = isWide ? line : 2 * line + 6 * large;
    const start = (isWide ? wide + 12 : 8) * large;
    const room = this.room(wide, large, font, isWide ? undefined : NARROW);
    const over = this.over(this.boxes({ x: 0, wide, large, room }), large, font);
    // In a narrow picture the words stand below the headers of the switches.
    const head = headers.length ? HEADER * large : 0;
    const top = isWide ? Math.max(head, over.high) : head + over.high;
    const size = { width, height: top + asks.length * each + 2, "font-size": (isWide ? 15 : 14) * large };
    Object.entries(size).forEach((pair) => this.svg.setAttribute(...pair));
    const base = isWide ? top - 0.3 * HEADER * large : 0.7 * HEADER * large;
    headers.forEach((text, at) =>
      this.write(`header ${at}`, start + [0, BESIDE, PUSHED][at] * large, base, text, large, this.svg),
    );
    over.words(top - 4 * large);
    return asks.map((ask, at) => {
      const y = top + at * each + 1;
      const rule = { class: "att-row-rule", x1: 0, x2: width, y1: y + each - 2, y2: y + each - 2 };
      this.scene.put(`rule ${at}`, "line", rule, this.svg);
      const option = this.head(ask, at, { x: 0, y, wide, high: line, large, room });
      option.classList.toggle("att-off", !switches[at].on);
      const middle = (isWide ? y : y + line) + (line - 3) / 2;
      if (this.isOpen) this.guess(at, start, middle, large);
      else this.switch(at, start, middle, large);
      return option;
    });
  }

  // The words over the weights, leaning if they are too long to stand, none if there is no room: their height, and a
  // function that writes them.
  over({ start, one }, large, font) {
    const { tokens } = this.sent.asking;
    const size = WORD * large;
    const longest = Math.max(...tokens.map((token) => widthOf(clip(token), size, font)));
    const stands = longest + APART <= one;
    if (!stands && one < LEANS * large) return { high: 0, words: () => {} };
    const turned = stands ? "" : " rotate(-60)";
    return {
      high: (stands ? size : 0.87 * longest + 4 * large) + 6 * large,
      words: (bottom) =>
        tokens.forEach((token, at) => {
          const x = start + (at + 0.5) * one + (stands ? 0 : 0.3 * size);
          const place = { class: "att-row-word", "font-size": size, "text-anchor": stands ? "middle" : "start" };
          const transform = `translate(${x},${bottom})${turned}`;
          this.scene.put(`word ${at}`, "text", { ...place, transform }, this.svg, clip(token));
        }),
    };
  }

  guess(at, x, middle, large) {
    const { button, named } = this.sent.labels;
    const group = this.pressable(`guess ${at}`, this.sent.asking.guesses[at].sets, {
      class: "att-row-guess",
      role: "button",
      "aria-label": `${button}: ${named[at]}`,
    });
    const box = { x, y: middle - 10 * large, width: PLACE * large, height: 20 * large, rx: 10 * large };
    this.scene.put(`guess ${at} box`, "rect", { class: "att-guess-box", ...box }, group);
    const text = this.write(`guess ${at} text`, x + (PLACE / 2) * large, middle + 4.5 * large, button, large, group);
    text.setAttribute("text-anchor", "middle");
  }

  switch(at, x, middle, large) {
    const { on, sets, left, push } = this.sent.asking.switches[at];
    const [named, written, pushed] = this.sent.labels.switches[at];
    const [id, round, from] = [`switch ${at}`, (HIGH / 2) * large, x + BESIDE * large];
    if (sets) {
      const group = this.pressable(id, sets, {
        class: on ? "att-row-switch" : "att-row-switch att-off",
        role: "switch",
        "aria-checked": on,
        "aria-label": named,
      });
      const hit = { x: x - 4 * large, y: middle - 12 * large, width: (WIDE + 8) * large, height: 24 * large };
      this.scene.put(`${id} hit`, "rect", { class: "att-hit", ...hit }, group);
      const track = { x, y: middle - round, width: WIDE * large, height: HIGH * large, rx: round, class: "att-track" };
      this.scene.put(`${id} track`, "rect", track, group);
      const cx = x + (on ? WIDE * large - round : round);
      this.scene.put(`${id} knob`, "circle", { class: "att-knob", cx, cy: middle, r: round - 3 * large }, group);
    }
    if (written) this.bar(id, from, middle, left, written, large);
    if (pushed) this.push(id, x + PUSHED * large, middle, push, pushed, large);
    const { verdict } = this.sent.asking.guesses[at] ?? {};
    if (!verdict) return;
    const to = from + (BAR + GAP + NUMBER) * large;
    this.write(`verdict ${at}`, to, middle + 5 * large, MARKS[verdict], large, this.svg, `att-${verdict}`);
  }

  // The head's own push on the score of the answer: a bar to the right of zero if it adds, to the left if it takes
  // away.
  push(id, x, middle, push, written, large) {
    const { switches } = this.sent.asking;
    const [wide, high] = [PUSH * large, 12 * large];
    const most = Math.max(
      1,
      ...switches.map((one) => one.push ?? 0),
      ...switches.map((one) => -(one.push ?? 0) / ZERO),
    );
    const zero = x + ZERO * wide;
    const long = (Math.abs(push) / most) * (1 - ZERO) * wide;
    const bar = {
      class: "att-left",
      x: push < 0 ? zero - long : zero,
      y: middle - high / 2,
      width: long,
      height: high,
    };
    this.scene.put(`${id} push`, "rect", bar, this.svg);
    const ends = { x1: zero, x2: zero, y1: middle - high / 2 - 2 * large, y2: middle + high / 2 + 2 * large };
    this.scene.put(`${id} zero`, "line", { class: "att-zero", ...ends }, this.svg);
    this.write(`${id} pushed`, x + wide + GAP * large, middle + 5 * large, written, large, this.svg);
  }

  // The rest of the answer, in a frame for a probability of 1; without a bar if the reader is to find it out. A line
  // marks the former probability.
  bar(id, x, middle, left, written, large) {
    const { before } = this.sent.asking;
    const [wide, high] = [BAR * large, 12 * large];
    const y = middle - high / 2;
    this.scene.put(`${id} frame`, "rect", { class: "att-share-frame", x, y, width: wide, height: high }, this.svg);
    if (left !== null) {
      const share = Math.min(Math.max(left, 0), 1);
      this.scene.put(`${id} left`, "rect", { class: "att-left", x, y, width: share * wide, height: high }, this.svg);
    }
    const was = x + Math.min(Math.max(before, 0), 1) * wide;
    const mark = { class: "att-was", x1: was, x2: was, y1: y - 2 * large, y2: y + high + 2 * large };
    this.scene.put(`${id} was`, "line", mark, this.svg);
    this.write(`${id} number`, x + wide + GAP * large, middle + 5 * large, written, large, this.svg);
  }

  write(id, x, y, text, large, parent, kind = "") {
    const given = { class: `att-row-words ${kind}`.trim(), x, y, "font-size": TYPE * large };
    return this.scene.put(id, "text", given, parent, text);
  }

  pressable(id, sets, given) {
    const group = this.scene.put(id, "g", { tabindex: 0, ...given }, this.svg);
    pressed(group, sets);
    return group;
  }

  headAndLines() {
    const [head, lines] = super.headAndLines();
    if (this.isOpen) return [head, lines];
    const { switches } = this.sent.asking;
    const [of, name, carried] = this.sent.labels.headers;
    const left = switches.map(({ on, left }) => (left === null ? (on ? "–" : "0") : shown(left)));
    const pushes = switches.map(({ push }) => (push === null ? "–" : shown(push)));
    const beside = carried ? [[carried, ...pushes]] : [];
    return [head, [...lines, [[of, name].join(", "), ...left], ...beside]];
  }
}
