// All that a layer computes for a text, as areas that grow with it; below the slider of n, how the share of the pairs goes.

import { Scene } from "./scene.js";
import { areas, besideSquare } from "./sheet_areas.js";
import { track } from "./sheet_track.js";
import { SvgFigure } from "./svg_figure.js";
import { widthOf } from "./text.js";

// Pixels: the side of the frame, type, a line of the key, its sample, the key and what lies beside it, what names take on the
// left and on the right of the areas; the width below which the key stands under them.
const [FRAME, TYPE, LINE, SAMPLE, KEY, APART, LEFT, RIGHT, NARROW] = [300, 15, 44, 16, 340, 48, 28, 18, 760];
// The columns of the key, of the widest text of each.
const COLUMN = 18;
// Lines of type above and below the areas.
const [ABOVE, BELOW] = [1.4, 2];
// Of a sample of the pairs how many cells a side has; pixels of a large one, and what lies before it.
const [CELLS, PAIRS, AWAY] = [4, 112, 120];

export class Sheet extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-sheet");
    this.scene = new Scene(this.svg);
  }

  picture({ width, colours }) {
    const { large, font } = colours;
    const type = TYPE * large;
    const isNarrow = width < NARROW * large;
    const left = isNarrow ? LEFT * large : (KEY + APART) * large;
    const { sheet } = this.sent;
    // At each n the same, so that nothing beside or below it moves.
    const most = FRAME * large;
    const frame = Math.min(most, (most * (width - left - RIGHT * large)) / (most + besideSquare(most, sheet)));
    const x = left + besideSquare(frame, sheet);
    this.scene.draw(() => {
      const start = track(this.scene, this.sent, { width, type, large, font });
      const ground = start + ABOVE * type + frame;
      areas(this.scene, this.sent, { x, ground, frame, type, font });
      this.pair(x + frame + AWAY * large, ground, { width, type, large });
      const foot = ground + BELOW * type;
      const key = this.key(isNarrow ? foot : start, { type, large, font });
      const end = this.said(key, type);
      const height = Math.max(foot, end);
      Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
      this.svg.setAttribute("aria-label", this.sent.note);
    });
  }

  // Which text it is and what all of it takes, how many times that is what half of it takes, and what the scale is.
  said(start, type) {
    const { once, takes, grown, scale } = this.sent.labels;
    const line = (name, text, y, attributes = {}) =>
      this.scene.put(name, "text", { x: 0, y, ...attributes }, this.svg, text);
    line("once text", `${once}: ${takes}`, start + 0.9 * type, { class: "att-called" });
    line("grown", grown, start + 2.4 * type);
    line("scale", scale, start + 3.9 * type, { class: this.sent.sheet.before ? "att-called" : "att-means" });
    return start + 4.6 * type;
  }

  // A few pairs as cells, one of them marked, where there is room beside the areas.
  pair(x, ground, { width, type, large }) {
    const side = PAIRS * large;
    if (x + side + type > width) return;
    const box = { x, y: ground - side, width: side, height: side };
    this.scene.put("pairs", "rect", { class: "att-block att-part-0", ...box });
    this.scene.put("pair cells", "path", { class: "att-cells", d: cells(box) });
    const cell = side / CELLS;
    const one = { x: x + 2 * cell, y: box.y + cell, width: cell, height: cell };
    this.scene.put("pair", "rect", { class: "att-one", ...one });
    const { pair, query, key } = this.sent.labels;
    const text = (name, said, at) => this.scene.put(name, "text", { "font-size": 0.87 * type, ...at }, this.svg, said);
    const middle = one.x + cell / 2;
    text("pair key", key, { x: middle, y: box.y - 0.4 * type, "text-anchor": "middle" });
    text("pair query", query, { x: x - 5, y: one.y + cell / 2 + 0.3 * type, "text-anchor": "end" });
    text("pair said", pair, { x, y: ground + 1.3 * type });
  }

  // What each block is, which part of the whole, what it takes and, below, what is computed in it.
  key(start, { type, large, font }) {
    const { names, shares, said, means } = this.sent.labels;
    const widest = (texts, weight) => Math.max(...texts.map((text) => widthOf(text, type, font, weight)));
    const name = (SAMPLE + 8) * large;
    const share = name + widest(names, 700) + COLUMN * large + widthOf("00.0%", type, font, 700);
    names.forEach((called, at) => {
      const y = start + at * LINE * large + 1.2 * type;
      const box = { x: 0, y: y - 0.85 * type, width: SAMPLE * large, height: SAMPLE * large };
      this.scene.put(`sample ${at}`, "rect", { class: `att-block att-part-${at}`, ...box });
      if (!at) this.scene.put("cells", "path", { class: "att-cells", d: cells(box) });
      this.scene.put(`name ${at}`, "text", { class: "att-called", x: name, y }, this.svg, called);
      const end = { class: "att-called", x: share, y, "text-anchor": "end" };
      this.scene.put(`share ${at}`, "text", end, this.svg, shares[at]);
      this.scene.put(`takes ${at}`, "text", { x: share + COLUMN * large, y }, this.svg, said[at]);
      const below = { class: "att-means", x: name, y: y + 1.25 * type, "font-size": 0.87 * type };
      this.scene.put(`means ${at}`, "text", below, this.svg, means[at]);
    });
    return start + names.length * LINE * large + 0.8 * type;
  }

  headAndLines() {
    const { labels } = this.sent;
    return [
      [labels.part, labels.share, labels.half, labels.once, labels.times],
      labels.names.map((name, at) => [
        name,
        ...[labels.shares[at], labels.said_half[at], labels.said[at], labels.factors[at]],
      ]),
    ];
  }
}

// The lines between the cells of a square.
function cells({ x, y, width, height }) {
  const inside = Array.from({ length: CELLS - 1 }, (_, at) => (at + 1) / CELLS);
  return inside.map((part) => `M${x + part * width},${y}v${height}M${x},${y + part * height}h${width}`).join("");
}
