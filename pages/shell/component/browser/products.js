// A score in the making: a query and a key as strips of cells, their products end to end, and what becomes of the sum.

import { ink, mixed } from "./colour.js";
import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { clip } from "./sentence_line.js";
import { filled, fixed, widthOf } from "./text.js";

// Pixels: a strip, a bar, the gap between lines, type, numbers in cells.
const [STRIP, BAR, GAP, TYPE, NUMBER] = [29, 20, 6, 15, 13];
// How many bars high the products are where some of them go back.
const MIXED = 1.6;
// The widest cell, and the narrowest in which a number is written.
const [CELL, READ] = [84, 44];
// Letters of a word beside its strip.
const SHORT = 16;
// Of more features, the largest products stand alone and the others together.
const [FEW, LARGEST] = [8, 4];
// Of more features than these nobody multiplies and adds in the picture: its numbers have as many decimals for every pair.
const [ADDED, DECIMALS] = [4, 2];

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
        this.cell(`${line} ${at}`, one[which] / most, this.written(one, which), {
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
    const bottom = this.bars(left, room, y, { large, font }) + GAP * large;
    Object.entries({ width, height: bottom, "font-size": TYPE * large }).forEach((pair) =>
      this.svg.setAttribute(...pair),
    );
  }

  // A number of a feature: of the query, of the key, or their product.
  written(one, which) {
    const isAdded = this.sent.products.products.length <= ADDED;
    return isAdded ? one[3 + which] : fixed(one[which], DECIMALS);
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

  // Products end to end: forward what is positive, back below it what is negative; where that ends is the sum.
  bars(left, room, y, { large, font }) {
    const {
      labels: { lines },
      products: {
        total: [total],
        score: [score],
      },
    } = this.sent;
    const parts = this.pieces();
    const forward = parts.reduce((sum, { product }) => sum + Math.max(product, 0), 0);
    const low = Math.min(0, total, score);
    const reads =
      Math.max(...[lines.total, lines.reads].map((text) => widthOf(text, (TYPE + 2) * large, font))) + 16 * large;
    const unit = (room - reads) / (Math.max(forward, score) - low || 1);
    const at = (number) => left + (number - low) * unit;
    const isMixed = parts.some(({ product }) => product < 0);
    const bar = (isMixed ? MIXED : 1) * BAR * large;
    const high = bar / (isMixed ? 2 : 1);
    this.name("products", lines.products, left - 10 * large, y + bar / 2, large);
    let [plus, minus, isRead] = [0, forward, false];
    parts.forEach(({ product, text, key }) => {
      const isBack = product < 0;
      const start = isBack ? minus + product : plus;
      const wide = Math.abs(product) * unit;
      if (isBack) minus += product;
      else plus += product;
      const box = { x: at(start), y: y + (isBack ? high : 0), width: Math.max(wide - 1.5, 0.5), height: high - 1 };
      this.scene.put(`product ${key}`, "rect", { class: isBack ? "att-product att-back" : "att-product", ...box });
      if (widthOf(text, NUMBER * large, font) + 6 > wide || high < 1.1 * NUMBER * large) return;
      isRead ||= isBack;
      this.scene.put(
        `product ${key} text`,
        "text",
        {
          class: "att-product-in",
          x: box.x + box.width / 2,
          y: box.y + high / 2 + 0.36 * NUMBER * large,
          "font-size": NUMBER * large,
        },
        this.svg,
        text,
      );
    });
    // Where no part that goes back has room for its number, what goes back in all stands beside it.
    if (isMixed && !isRead) {
      const place = {
        x: at(minus) - 4 * large,
        y: y + 1.5 * high + 0.36 * NUMBER * large,
        "font-size": NUMBER * large,
      };
      const back = fixed(minus - forward, DECIMALS);
      this.scene.put("back", "text", { class: "att-back-number", ...place }, this.svg, back);
    }
    this.scene.put(
      "total",
      "text",
      {
        class: "att-total",
        x: at(Math.max(forward, total, 0)) + 8 * large,
        y: y + bar / 2 + 0.36 * TYPE * large,
        "font-size": (TYPE + 1) * large,
      },
      this.svg,
      lines.total,
    );
    const below = y + bar + GAP * large;
    this.name("score", lines.score, left - 10 * large, below + (BAR * large) / 2, large);
    this.scene.put("score", "rect", {
      class: "att-score-bar",
      x: at(Math.min(score, 0)),
      y: below,
      width: Math.max(Math.abs(score) * unit, 1.5),
      height: BAR * large,
    });
    this.scene.put(
      "reads",
      "text",
      {
        class: "att-total",
        x: at(Math.max(score, 0)) + 8 * large,
        y: below + (BAR * large) / 2 + 0.36 * TYPE * large,
        "font-size": TYPE * large,
      },
      this.svg,
      lines.reads,
    );
    if (low < 0)
      this.scene.put("zero", "line", {
        class: "att-zero",
        x1: at(0),
        x2: at(0),
        y1: y - 3,
        y2: below + BAR * large + 3,
      });
    // Of products of one sign there is as much room: what stands below stays where it is.
    return y + (MIXED * BAR + GAP + BAR) * large;
  }

  pieces() {
    const { products } = this.sent.products;
    const all = products.map((one, key) => ({ product: one[2], text: this.written(one, 2), key }));
    if (all.length <= FEW) return all;
    const sorted = [...all].sort((a, b) => Math.abs(b.product) - Math.abs(a.product));
    const others = sorted.slice(LARGEST);
    const sum = (sign) => others.reduce((total, { product }) => total + (Math.sign(product) === sign ? product : 0), 0);
    const together = [1, -1].map((sign) => ({
      product: sum(sign),
      text: "",
      key: `others ${sign}`,
      count: others.filter(({ product }) => Math.sign(product) === sign).length,
    }));
    for (const one of together)
      one.text = `${filled(this.words.ui.products_others, { count: one.count })}: ${fixed(one.product, 2)}`;
    return [...sorted.slice(0, LARGEST), ...together.filter(({ count }) => count)];
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
