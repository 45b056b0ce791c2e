// A matrix with one row for each word, and beside it the same numbers with one column for each word. At first, each row
// leaves its place and stands up as a column.

import { ink, mixed } from "./colour.js";
import { Coming } from "./coming.js";
import { clip } from "./sentence_line.js";
import { fixed, shown, widthOf } from "./text.js";

// Pixels: width and height of a cell with its number, and the narrowest such cell; type of names and of numbers; the
// title of a side, the gap between both sides, and the most letters of a name.
const [WIDE, HIGH, LEAST] = [46, 16, 36];
const [NAME, NUMBER, TITLE, APART, LONGEST] = [14, 11, 26, 60, 12];
// Milliseconds that a row travels, and by which each row starts after the one before.
const [TRAVEL, WAIT] = [900, 70];

export class Laid extends Coming {
  constructor() {
    super("att-laid");
  }

  compose({ width, colours }) {
    const { large, font } = colours;
    const { words, numbers } = this.sent.laid;
    const count = numbers[0].length;
    const names = words.map((word) => clip(word, LONGEST));
    const longest = Math.max(...names.map((name) => widthOf(name, NAME * large, font, 600)));
    const room = longest + 8 * large;
    const isFlat = room + count * WIDE * large + APART * large + words.length * WIDE * large <= width;
    // If both sides do not fit side by side, the columns stand below the rows.
    const wide = isFlat ? WIDE * large : Math.min(WIDE * large, (width - room) / Math.max(count, words.length));
    const high = HIGH * large;
    const turned = longest > wide - 4 * large;
    const above = (turned ? 0.87 * longest + NAME * large : (NAME + 6) * large) + TITLE * large;
    const rows = { x: room, y: TITLE * large, wide, high };
    const low = rows.y + words.length * high;
    const columns = isFlat
      ? { x: room + count * wide + APART * large, y: above, wide, high }
      : { x: room, y: low + 14 * large + above, wide, high };
    const layout = { names, large, colours };
    this.side("rows", rows, layout, (word, at) => [at, word]);
    this.side("columns", columns, { ...layout, turned }, (word, at) => [word, at]);
    if (isFlat) {
      const arrow = { class: "att-laid-arrow", x: columns.x - (APART / 2) * large, y: (rows.y + low) / 2 };
      this.scene.put("arrow", "text", arrow, undefined, "→");
    }
    const height = Math.max(low, columns.y + count * high) + 4 * large;
    Object.entries({ width, height, "font-size": NAME * large }).forEach((pair) => this.svg.setAttribute(...pair));
  }

  // placed: the column and the row of each number of a word.
  side(side, { x, y, wide, high }, { names, large, colours, turned = false }, placed) {
    const { numbers, focus, bound } = this.sent.laid;
    const isRows = side === "rows";
    const title = {
      class: "att-laid-title",
      x: isRows ? 0 : x,
      y: y - this.over(isRows, turned, names, large, colours),
    };
    this.scene.put(`${side} title`, "text", title, undefined, this.sent.labels[side]);
    numbers.forEach((row, word) => {
      row.forEach((number, at) => {
        const [across, down] = placed(word, at);
        const [left, top] = [x + across * wide, y + down * high];
        const rgb = mixed(colours.signed, 0.5 + number / (2 * bound || 1)).map(Math.round);
        const cell = this.scene.put(`${side} ${word} ${at}`, "g", { class: `att-laid-${side}`, "data-of": word });
        const box = { x: left, y: top, width: wide - 1, height: high - 1, fill: `rgb(${rgb})` };
        this.scene.put(`${side} box ${word} ${at}`, "rect", box, cell);
        if (wide < LEAST * large) return;
        const place = { class: "att-laid-number", x: left + wide / 2, y: top + 0.75 * high };
        const look = { ...place, "font-size": NUMBER * large, fill: ink(rgb) };
        this.scene.put(`${side} number ${word} ${at}`, "text", look, cell, fixed(number, 2));
      });
      this.name(side, word, { x, y, wide, high, turned, large }, names[word]);
    });
    const [across, down] = placed(focus, 0);
    const [right, low] = placed(focus, numbers[0].length - 1);
    this.scene.put(`${side} frame`, "rect", {
      ...{ class: "att-laid-frame", x: x + across * wide - 1.5, y: y + down * high - 1.5 },
      ...{ width: (right - across + 1) * wide + 2, height: (low - down + 1) * high + 2 },
    });
  }

  // The height of the title above its numbers.
  over(isRows, turned, names, large, { font }) {
    if (isRows) return 9 * large;
    const longest = Math.max(...names.map((name) => widthOf(name, NAME * large, font, 600)));
    return (turned ? 0.87 * longest + NAME * large : (NAME + 6) * large) + 9 * large;
  }

  name(side, word, { x, y, wide, high, turned, large }, text) {
    const kind = `att-laid-name${word === this.sent.laid.focus ? " att-strong" : ""}`;
    const middle = x + (word + 0.5) * wide;
    const place =
      side === "rows"
        ? { x: x - 6 * large, y: y + (word + 0.8) * high, "text-anchor": "end" }
        : turned
          ? { "text-anchor": "start", transform: `translate(${middle + 4},${y - 5 * large}) rotate(-60)` }
          : { x: middle, y: y - 5 * large, "text-anchor": "middle" };
    this.scene.put(`${side} name ${word}`, "text", { class: kind, ...place }, undefined, text);
  }

  // Move each number from its place among the rows to its place among the columns, row after row.
  come() {
    for (const cell of this.svg.querySelectorAll(".att-laid-columns")) {
      const [now, was] = [cell, this.scene.get(cell.dataset.name.replace("columns", "rows"))].map(({ firstChild }) => ({
        x: Number(firstChild.getAttribute("x")),
        y: Number(firstChild.getAttribute("y")),
      }));
      const from = `translate(${was.x - now.x}px, ${was.y - now.y}px)`;
      const frames = [{ transform: from }, { transform: "translate(0px, 0px)" }];
      const delay = WAIT * Number(cell.dataset.of);
      cell.animate(frames, { duration: TRAVEL, delay, fill: "backwards", easing: "ease-in-out" });
    }
  }

  headAndLines() {
    const { words, numbers } = this.sent.laid;
    return [
      [this.sent.labels.word, ...numbers[0].map((_, at) => String(at + 1))],
      words.map((word, at) => [word, ...numbers[at].map((number) => shown(number))]),
    ];
  }
}
