// A sheet of n rows and n columns beside blocks of n rows, to one scale: what grows with n² and what grows with n. The scale
// stays while n grows; where the picture is full, everything is drawn half as large, and the picture says so.

import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { filled, widthOf } from "./text.js";

// Pixels: the height of the blocks, type, between two blocks, from the names to the blocks, the narrowest ruler; beside a
// name; the width below which the scale has a line of its own.
const [HEIGHT, TYPE, GAP, NAMES, RULER, PAD, NARROW] = [330, 15, 10, 64, 60, 12, 700];

export class Sheet extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-sheet");
    this.scene = new Scene(this.svg);
  }

  picture({ width, colours }) {
    const { sheet } = this.sent;
    const { large, font } = colours;
    const type = TYPE * large;
    const top = NAMES * large;
    const high = Math.min(HEIGHT * large, 0.65 * width);
    const gaps = (sheet.columns.length - 1) * GAP * large;
    const { scale, smaller } = this.scale(width - gaps, high);
    const isNarrow = width < NARROW * large;
    const height = top + high + (isNarrow ? 4 : 2.6) * type;
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", this.sent.note);
    let x = 0;
    const boxes = sheet.columns.map((columns) => {
      const box = { x, y: top, width: Math.max(columns * scale, 1), height: Math.max(sheet.n * scale, 1) };
      x += box.width + GAP * large;
      return box;
    });
    this.scene.draw(() => {
      boxes.forEach((box, at) => this.block(at, box));
      this.half(boxes, { width, height, type, font });
      this.names(boxes, { width, type, top, font });
      this.ruler(scale, smaller, { height, type, large, font, isNarrow });
    });
  }

  // Pixels of a token, and how many times smaller that is than for a short text. The blocks beside the sheet leave room for a
  // sheet as high as the picture, or for three tenths of its width; a longer text halves everything until
  // all blocks are in sight.
  scale(wide, high) {
    const { n, columns } = this.sent.sheet;
    const rest = columns.slice(1).reduce((sum, one) => sum + one, 0);
    const isIn = (scale) => n * scale <= high && (n + rest) * scale <= wide;
    const most = Math.max(wide - high, 0.7 * wide) / rest;
    let smaller = 1;
    while (!isIn(most / smaller)) smaller *= 2;
    return { scale: most / smaller, smaller };
  }

  block(at, box) {
    this.scene.put(`block ${at}`, "rect", { class: at ? "att-block" : "att-block att-square", ...box });
  }

  // What half of the text takes: a quarter of the sheet, and half of each other block. It is named in the sheet or, where that
  // is too small, below.
  half([sheet, ...others], { width, height, type, font }) {
    const d = `M${sheet.x + sheet.width / 2},${sheet.y} v${sheet.height / 2} h${-sheet.width / 2}`;
    this.scene.put("half", "path", { class: "att-half att-in-square", d });
    others.forEach((box, at) => {
      const line = `M${box.x},${box.y + box.height / 2} h${box.width}`;
      this.scene.put(`half ${at}`, "path", { class: "att-half", d: line });
    });
    const said = this.sent.labels.half;
    const long = widthOf(said, type, font);
    const isIn = sheet.width / 2 > long + 2 * PAD && sheet.height / 2 > 4.2 * type;
    const place = isIn
      ? { x: sheet.x + PAD, y: sheet.y + sheet.height / 2 - 0.7 * type, class: "att-in-square" }
      : { x: width - long, y: height - 0.85 * type, class: "att-ruler" };
    this.scene.put("half text", "text", place, this.svg, said);
    const sample = isIn ? "M0,0" : `M${width - long - 46},${height - 1.2 * type} h38`;
    this.scene.put("half sample", "path", { class: "att-half att-ruler", d: sample });
  }

  // What a block is stands in it; where it is too small for that, above it, with a line down to its middle.
  names(boxes, { width, type, top, font }) {
    const { labels } = this.sent;
    const lengths = boxes.map(
      (_, at) =>
        Math.max(widthOf(labels.names[at], 1.1 * type, font), widthOf(labels.shares[at], 1.6 * type, font)) + PAD,
    );
    const isIn = boxes.map((box, at) => box.width >= lengths[at] + PAD && box.height >= 6 * type);
    // Of those above, none covers another, and none leaves the picture.
    const left = boxes.map(({ x }) => x);
    const above = boxes.map((_, at) => at).filter((at) => !isIn[at]);
    above.forEach((at, place) => {
      if (place) left[at] = Math.max(left[at], left[above[place - 1]] + lengths[above[place - 1]]);
    });
    above.reduceRight((end, at) => (left[at] = Math.min(left[at], end - lengths[at])), width);
    boxes.forEach((box, at) => {
      const x = isIn[at] ? box.x + PAD : left[at];
      const y = isIn[at] ? top + 1.6 * type : type;
      const inside = isIn[at] && !at ? " att-in-square" : "";
      this.scene.put(`name ${at}`, "text", { class: `att-called${inside}`, x, y }, this.svg, labels.names[at]);
      const share = { class: inside.trim(), x, y: y + 1.7 * type, "font-size": 1.5 * type };
      this.scene.put(`share ${at}`, "text", share, this.svg, labels.shares[at]);
      if (isIn[at]) return;
      const d = `M${x + PAD},${(labels.shares[at] ? 2.95 : 1.4) * type} V${3.5 * type} H${box.x + box.width / 2} V${top - 2}`;
      this.scene.put(`line ${at}`, "path", { class: "att-leads", d });
    });
  }

  // The length of a round number of tokens, and how much smaller than for a short text everything is.
  ruler(scale, smaller, { height, type, large, font, isNarrow }) {
    const least = (RULER * large) / scale;
    const power = 10 ** Math.floor(Math.log10(least));
    const tokens = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= least);
    const [y, wide] = [height - 1.2 * type, tokens * scale];
    const d = `M1,${y - 5} V${y + 5} M1,${y} H${1 + wide} M${1 + wide},${y - 5} V${y + 5}`;
    this.scene.put("ruler", "path", { class: "att-leads att-ruler", d });
    const said = filled(this.sent.labels.ruler, { tokens: tokens.toLocaleString("en") });
    this.scene.put("tokens", "text", { class: "att-ruler", x: 8 + wide, y: y + 0.35 * type }, this.svg, said);
    if (smaller === 1) return;
    const place = isNarrow
      ? { x: 0, y: y - 1.1 * type }
      : { x: 36 + wide + widthOf(said, type, font), y: y + 0.35 * type };
    const told = filled(this.sent.labels.smaller, { times: smaller });
    this.scene.put("smaller", "text", { class: "att-ruler att-called", ...place }, this.svg, told);
  }

  headAndLines() {
    const { labels } = this.sent;
    return [[labels.part, labels.takes], labels.names.map((name, at) => [name, labels.said[at]])];
  }
}
