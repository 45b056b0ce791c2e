// The state after each of several facts, as small matrices side by side: one line for each rule, and at its end the
// answer that is read. A frame marks the row to which a fact is written.

import { ink, mixed } from "./colour.js";
import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { fixed, shown, widthOf } from "./text.js";

// Pixels: type, type of answers, numbers in cells, a cell, the names of rules, of rows, between states, the answers;
// the width below which names and answers stand above their line. ARROW: the length of the arrow from the requested row
// to the value read from it.
const ARROW = 34;
const [TYPE, LARGE, NUMBER, CELL, NAMES, ROWS, BETWEEN, ANSWERS, NARROW] = [15, 22, 12, 44, 150, 48, 28, 250, 760];
// The smallest number that a cell shows.
const SEEN = 0.005;

// A number with the digits of the slider; 1 as 1.
const written = (number) => (Number.isInteger(number) ? shown(number, 1) : fixed(number, 2));

export class Filmstrip extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-filmstrip");
    this.scene = new Scene(this.svg);
  }

  picture({ width, colours }) {
    const { labels, filmstrip } = this.sent;
    const { large } = colours;
    const type = TYPE * large;
    const isNarrow = width < NARROW * large;
    const count = filmstrip.written.length;
    const first = ROWS * large + (isNarrow ? 0 : NAMES * large);
    const between = isNarrow ? 8 * large : BETWEEN * large;
    const room = width - first - (isNarrow ? 0 : ANSWERS * large) - (count - 1) * between;
    const [rows, columns] = [filmstrip.keys.length, filmstrip.values.length];
    const cell = { width: room / count / columns, height: Math.min(CELL * large, (room / count / columns) * 1.2) };
    const below = !isNarrow
      ? 1.6 * type
      : Math.max(...filmstrip.values.map((value) => widthOf(value, type, colours.font))) + 0.8 * type;
    const head = isNarrow ? 2.8 * type : 1.9 * type;
    const line = rows * cell.height + (isNarrow ? 2.7 : 1.4) * type;
    const places = filmstrip.written.map((_, at) => first + at * (room / count + between));
    const end = places.at(-1) + columns * cell.width;
    const sizes = { type, cell, places, first, isNarrow, line, large, columns, rows, width, end };
    const height = head + filmstrip.states.length * line + below;
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", `${labels.question} ${this.said()}`);
    this.scene.draw(() => {
      this.facts(head, sizes);
      filmstrip.states.forEach((states, rule) => {
        const top = head + rule * line + (isNarrow ? 1.5 * type : 0);
        this.named(rule, top, sizes);
        states.forEach((state, at) => this.state(state, [rule, at], top, sizes, colours));
      });
      this.under(head + filmstrip.states.length * line - type, sizes);
    });
  }

  write(name, text, attributes) {
    return this.scene.put(name, "text", attributes, this.svg, text);
  }

  // The facts, above the states that follow from them.
  facts(head, { type, places, isNarrow, cell, columns, end, large, first }) {
    const { labels } = this.sent;
    const middle = (columns * cell.width) / 2;
    places.forEach((x, at) => {
      const place = { x: x + middle, "text-anchor": "middle", class: "att-fact" };
      if (!isNarrow) return this.write(`fact ${at}`, labels.facts[at], { ...place, y: head - 0.8 * type });
      const words = labels.brief[at].split(" ");
      words.forEach((word, line) =>
        this.write(`fact ${at} ${line}`, word, { ...place, y: head - (1.7 - 1.15 * line) * type }),
      );
    });
    const y = head - 0.8 * type;
    if (!isNarrow) {
      this.write("question", labels.question, { x: end + ARROW * large, y });
      this.write("keys", labels.key_head, { x: first - 8, y, "text-anchor": "end", class: "att-axis" });
    }
  }

  named(rule, top, { type, isNarrow, cell, rows, first, large, width, end }) {
    const { labels, filmstrip } = this.sent;
    const middle = top + (rows * cell.height) / 2;
    const name = isNarrow ? { x: 0, y: top - 0.5 * type } : { x: 0, y: middle - 0.1 * type };
    this.write(`name ${rule}`, labels.names[rule], { ...name, class: "att-rule" });
    if (!isNarrow) this.write(`known ${rule}`, labels.known[rule], { x: 0, y: middle + 1.1 * type, class: "att-axis" });
    filmstrip.keys.forEach((key, row) =>
      this.write(`key ${rule} ${row}`, key, {
        x: first - 8,
        y: top + (row + 0.5) * cell.height + 0.35 * type,
        "text-anchor": "end",
        class: row ? "" : "att-rule",
      }),
    );
    if (isNarrow) {
      const text = `${labels.question} ${labels.answers[rule]}`.trim();
      const place = { x: width, y: top - 0.5 * type, "text-anchor": "end", "font-size": type };
      this.write(`answer ${rule}`, text, { ...place, class: "att-answer" });
      return;
    }
    const y = top + 0.5 * cell.height;
    const [from, to] = [end + 6 * large, end + (ARROW - 6) * large];
    this.scene.put(`arrow ${rule}`, "path", {
      class: "att-reads",
      d: `M${from},${y} H${to} m${-6 * large},${-5 * large} l${6 * large},${5 * large} l${-6 * large},${5 * large}`,
    });
    const place = { x: end + ARROW * large, y: y + 0.35 * LARGE * large, "font-size": LARGE * large };
    this.write(`answer ${rule}`, labels.answers[rule] || labels.open, { ...place, class: "att-answer" });
  }

  state(state, [rule, at], top, sizes, colours) {
    state.forEach((numbers, row) => {
      if (numbers) this.row(numbers, [rule, at, row], top, sizes, colours);
      else this.open([rule, at, row], top, sizes);
    });
    this.frames([rule, at], top, sizes);
  }

  row(numbers, [rule, at, row], top, { cell, places, large }, colours) {
    const { filmstrip } = this.sent;
    const left = places[at];
    const name = (...parts) => [rule, at, ...parts].join(" ");
    numbers.forEach((number, column) => {
      const box = { x: left + column * cell.width, y: top + row * cell.height };
      const rgb = mixed(colours.signed, (Math.max(-1, Math.min(1, number / filmstrip.bound)) + 1) / 2).map(Math.round);
      const isSeen = Math.abs(number) >= SEEN;
      this.scene.put(name("cell", row, column), "rect", {
        class: "att-cell",
        ...box,
        ...cell,
        style: isSeen ? `fill: rgb(${rgb})` : "",
      });
      if (!isSeen || cell.width < 26 * large) return;
      this.scene.put(
        name("number", row, column),
        "text",
        {
          class: "att-numbers",
          x: box.x + cell.width / 2,
          y: box.y + cell.height / 2 + 0.36 * NUMBER * large,
          "text-anchor": "middle",
          "font-size": NUMBER * large,
          style: `fill: ${ink(rgb)}`,
        },
        this.svg,
        written(number),
      );
    });
  }

  // A row that is guessed before it is shown.
  open([rule, at, row], top, { cell, places, columns, type }) {
    const [x, y] = [places[at] + (columns * cell.width) / 2, top + (row + 0.5) * cell.height + 0.36 * type];
    const place = { x, y, "text-anchor": "middle" };
    this.write(`open ${rule} ${at}`, this.sent.labels.open, { ...place, class: "att-answer" });
  }

  frames([rule, at], top, { cell, places, columns, rows, large }) {
    const { filmstrip } = this.sent;
    const left = places[at];
    const name = (part) => [rule, at, part].join(" ");
    this.scene.put(name("room"), "rect", {
      class: "att-room",
      x: left,
      y: top,
      width: columns * cell.width,
      height: rows * cell.height,
    });
    // A frame around the cells that covers none of them.
    const edge = 2 * large;
    this.scene.put(name("written"), "rect", {
      class: "att-written",
      x: left - edge,
      y: top + filmstrip.written[at] * cell.height - edge,
      width: columns * cell.width + 2 * edge,
      height: cell.height + 2 * edge,
    });
  }

  // The names of the columns, below the last line.
  under(top, { type, places, cell, isNarrow, first }) {
    if (!isNarrow) {
      const place = { x: first - 8, y: top + type, "text-anchor": "end", class: "att-axis" };
      this.write("values", this.sent.labels.value_head, place);
    }
    const { values } = this.sent.filmstrip;
    places.forEach((left, at) =>
      values.forEach((value, column) => {
        const x = left + (column + 0.5) * cell.width;
        const turned = { x, y: top, "text-anchor": "end", transform: `rotate(-90 ${x} ${top})`, dy: "0.35em" };
        const upright = { x, y: top + type, "text-anchor": "middle", transform: null };
        this.write(`value ${at} ${column}`, value, isNarrow ? turned : upright);
      }),
    );
  }

  said() {
    const { names, answers } = this.sent.labels;
    return names.map((name, rule) => `${name}: ${answers[rule] || this.sent.labels.open}`).join(". ");
  }

  headAndLines() {
    const { labels, filmstrip } = this.sent;
    const { keys, values, states } = filmstrip;
    const names = keys.flatMap((key) => values.map((value) => `${key} ${value}`));
    return [
      [labels.rule_head, labels.fact_head, ...names],
      states.flatMap((facts, rule) =>
        facts.map((state, at) => [
          labels.names[rule],
          labels.facts[at],
          ...state.flatMap((row) => row?.map((number) => shown(number, 3)) ?? values.map(() => labels.open)),
        ]),
      ),
    ];
  }
}
