// A state after each of several facts as small matrices side by side, a line a rule, and at its end what is read. A
// frame is around the row that a fact is written to.

import { ink, mixed } from "./colour.js";
import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { fixed, shown, widthOf } from "./text.js";

// Pixels: type, that of answers, numbers in cells, a cell, the names of rules, of rows, between states, the answers; the
// width below which names and answers stand above their line.
const [TYPE, LARGE, NUMBER, CELL, NAMES, ROWS, BETWEEN, ANSWERS, NARROW] = [15, 22, 12, 44, 130, 44, 28, 210, 760];
// Smaller numbers are none that a cell shows.
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
    const line = rows * cell.height + (isNarrow ? 2.6 : 1.4) * type;
    const places = filmstrip.written.map((_, at) => first + at * (room / count + between));
    const sizes = { type, cell, places, first, isNarrow, line, large, columns, rows, width };
    const height = head + filmstrip.states.length * line + below;
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", `${labels.question} ${this.said()}`);
    this.scene.draw(() => {
      this.facts(head, sizes);
      filmstrip.states.forEach((states, rule) => {
        const top = head + rule * line + (isNarrow ? 1.5 * type : 0);
        this.named(rule, top, sizes);
        states.forEach((state, at) => this.state(state, rule, at, top, sizes, colours));
      });
      this.under(head + filmstrip.states.length * line - type, sizes);
    });
  }

  write(name, text, attributes) {
    return this.scene.put(name, "text", attributes, this.svg, text);
  }

  // What is told, above the states that follow from it.
  facts(head, { type, places, isNarrow, cell, columns, width }) {
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
    if (!isNarrow)
      this.write("question", labels.question, { x: width - 36, y: head - 0.8 * type, "text-anchor": "end" });
  }

  named(rule, top, { type, isNarrow, cell, rows, first, large, width }) {
    const { labels, filmstrip } = this.sent;
    const middle = top + (rows * cell.height) / 2;
    const isLong = isNarrow ? { x: 0, y: top - 0.5 * type } : { x: 0, y: middle + 0.35 * type };
    this.write(`name ${rule}`, labels.names[rule], { ...isLong, class: "att-rule" });
    filmstrip.keys.forEach((key, row) =>
      this.write(`key ${rule} ${row}`, key, {
        x: first - 8,
        y: top + (row + 0.5) * cell.height + 0.35 * type,
        "text-anchor": "end",
        class: row ? "" : "att-rule",
      }),
    );
    const answer = isNarrow
      ? { y: top - 0.5 * type, "font-size": type }
      : { y: top + 0.5 * cell.height + 0.35 * LARGE * large, "font-size": LARGE * large };
    const text = isNarrow ? `${labels.question} ${labels.answers[rule]}` : labels.answers[rule];
    this.write(`answer ${rule}`, text, { x: width, ...answer, "text-anchor": "end", class: "att-answer" });
  }

  state(state, rule, at, top, { cell, places, columns, rows, large }, colours) {
    const { filmstrip } = this.sent;
    const left = places[at];
    const name = (...parts) => [rule, at, ...parts].join(" ");
    state.forEach((numbers, row) =>
      numbers.forEach((number, column) => {
        const box = { x: left + column * cell.width, y: top + row * cell.height };
        const rgb = mixed(colours.signed, (Math.max(-1, Math.min(1, number / filmstrip.bound)) + 1) / 2).map(
          Math.round,
        );
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
      }),
    );
    this.scene.put(name("room"), "rect", {
      class: "att-room",
      x: left,
      y: top,
      width: columns * cell.width,
      height: rows * cell.height,
    });
    // Around the cells, none of which it covers.
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
  under(top, { type, places, cell, isNarrow }) {
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
    return names.map((name, rule) => `${name}: ${answers[rule]}`).join(". ");
  }

  headAndLines() {
    const { labels, filmstrip } = this.sent;
    const { keys, values, states } = filmstrip;
    const names = keys.flatMap((key) => values.map((value) => `${key} ${value}`));
    return [
      [labels.rule, labels.fact, ...names],
      states.flatMap((facts, rule) =>
        facts.map((state, at) => [
          labels.names[rule],
          labels.facts[at],
          ...state.flat().map((number) => shown(number, 3)),
        ]),
      ),
    ];
  }
}
