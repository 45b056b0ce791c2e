// A score in the making: a query and a key as strips of cells, and below them their products and the score as bars.

import { ink, mixed } from "./colour.js";
import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { bars, GAP, NUMBER, TYPE, written } from "./product_bars.js";
import { clip } from "./sentence_line.js";
import { widthOf } from "./text.js";

// Pixels: the height of a strip.
const STRIP = 29;
// The widest cell, and the narrowest cell with a number, in pixels.
const [CELL, READ] = [84, 44];
// The most letters of a word beside its strip.
const SHORT = 16;

export class ProductsFigure extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-products");
    this.scene = new Scene(this.svg);
  }

  update(sent, labels, words) {
    this.svg.setAttribute("aria-label", sent.note);
    super.update(sent, labels, words);
  }

  called(_, words) {
    return { kind: words.ui.products, keys: "" };
  }

  picture(due) {
    this.scene.draw(() => this.compose(due));
  }

  compose({ width, colours }) {
    const { large, font } = colours;
    const {
      labels: { lines },
      products: { products, asking, answering },
    } = this.sent;
    const chips = [asking, answering].map((token) => clip(token, SHORT));
    const chip = Math.min(
      150 * large,
      Math.max(...chips.map((token) => widthOf(token, TYPE * large, font))) + 20 * large,
    );
    const name = Math.max(
      ...["query", "key", "products", "score"].map(
        (line) =>
          widthOf(lines[line], TYPE * large, font) + (line === "query" || line === "key" ? chip + 8 * large : 0),
      ),
    );
    const left = Math.min(0.42 * width, name + 12 * large);
    const room = width - left - 4;
    const cell = Math.min(CELL * large, room / products.length);
    const most = Math.max(...products.flatMap(([q, k]) => [Math.abs(q), Math.abs(k)])) || 1;
    let y = 2;
    [
      ["query", asking, 0, "att-asks"],
      ["key", answering, 1, "att-answers"],
    ].forEach(([line, token, which, kind]) => {
      this.name(line, lines[line], left - chip - 18 * large, y + (STRIP * large) / 2, large);
      this.chip(line, clip(token, SHORT), {
        x: left - chip - 10 * large,
        y: y + 2,
        wide: chip,
        high: STRIP * large - 4,
        kind,
        large,
      });
      products.forEach((one, at) =>
        this.cell(`${line} ${at}`, one[which] / most, written(products, one, which), {
          x: left + at * cell,
          y,
          wide: cell,
          large,
          colours,
        }),
      );
      this.scene.put(`${line} around`, "rect", {
        class: `att-strip-frame ${kind}`,
        x: left - 1,
        y: y - 1,
        width: cell * products.length,
        height: STRIP * large + 1,
        rx: 3,
      });
      y += (STRIP + GAP) * large;
    });
    y += 2 * large;
    const bottom = bars(this, { left, room, y, large, font }) + GAP * large;
    Object.entries({ width, height: bottom, "font-size": TYPE * large }).forEach((pair) =>
      this.svg.setAttribute(...pair),
    );
  }

  name(line, text, right, middle, large) {
    this.scene.put(
      `name ${line}`,
      "text",
      { class: "att-product-name", x: right, y: middle + 0.34 * TYPE * large },
      this.svg,
      text,
    );
  }

  chip(line, text, { x, y, wide, high, kind, large }) {
    this.scene.put(`chip ${line}`, "rect", { class: `att-chip-box ${kind}`, x, y, width: wide, height: high, rx: 6 });
    this.scene.put(
      `chipped ${line}`,
      "text",
      { class: `att-chip-text ${kind}`, x: x + wide / 2, y: y + high / 2 + 0.34 * TYPE * large },
      this.svg,
      text,
    );
  }

  cell(name, share, text, { x, y, wide, large, colours }) {
    const rgb = mixed(colours.signed, (share + 1) / 2).map(Math.round);
    this.scene.put(name, "rect", {
      x,
      y,
      width: Math.max(wide - (wide > 6 ? 2 : 0), 0.5),
      height: STRIP * large - 1,
      fill: `rgb(${rgb})`,
      rx: wide > 6 ? 2 : 0,
    });
    if (wide < READ * large) return;
    this.scene.put(
      `${name} text`,
      "text",
      {
        class: "att-product-number",
        x: x + wide / 2,
        y: y + (STRIP * large) / 2 + 4 * large,
        "font-size": NUMBER * large,
        style: `fill: ${ink(rgb)}`,
      },
      this.svg,
      text,
    );
  }

  headAndLines() {
    const {
      labels: { lines },
      products: { products, total, score },
    } = this.sent;
    const { words } = this;
    const head = [words.ui.products_feature, lines.query, lines.key, words.ui.products_product];
    const each = products.map((one, at) => [String(at + 1), one[3], one[4], one[5]]);
    return [head, [...each, [words.ui.products_sum, "", "", total[1]], [lines.score, "", "", score[1]]]];
  }
}
