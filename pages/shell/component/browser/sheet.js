// A sheet of n rows and n columns beside blocks of n rows, to one scale: what grows with n² and what grows with n. A short text
// leaves the room that the sheet grows into; where a long one fills the picture, the same squares of it become ever more.

import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { filled, widthOf } from "./text.js";

// Pixels: the height of the blocks, type, between two blocks, from the names to the blocks, the narrowest ruler; beside a
// name; the width below which what else is said has lines of its own; between the blocks and how they have grown.
const [HEIGHT, TYPE, GAP, NAMES, RULER, PAD, NARROW, APART] = [410, 15, 10, 64, 60, 12, 700, 40];

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
    const high = Math.min(HEIGHT * large, 0.8 * width);
    const gaps = (sheet.columns.length - 1) * GAP * large;
    const scale = this.scale(width - gaps, high);
    const isNarrow = width < NARROW * large;
    const height = top + high + (isNarrow ? 5.4 : 2.6) * type;
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
      if (sheet.square) this.squares(boxes, scale, { width, height, top, high, type, font, isNarrow });
      else this.half(boxes, { width, height, type, font });
      this.names(boxes, { width, type, top, font });
      this.ruler(scale, { y: top + high + 1.4 * type, type, large });
    });
  }

  // Pixels of a token. The blocks beside the sheet leave room for a sheet as high as the picture, or for three tenths of its
  // width; of a longer text, as many as there is room for.
  scale(wide, high) {
    const { n, columns } = this.sent.sheet;
    const rest = columns.slice(1).reduce((sum, one) => sum + one, 0);
    const most = Math.max(wide - high, 0.7 * wide) / rest;
    return Math.min(most, high / n, wide / (n + rest));
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

  // What a text of a round length takes, again and again: the squares of the sheet are as its square many, the strips of the
  // other blocks as many. The numbers stand beside the blocks or, without room there, below.
  squares([sheet, ...others], scale, { width, height, top, high, type, font, isNarrow }) {
    const { square, n } = this.sent.sheet;
    const lines = Array.from({ length: Math.ceil(n / square) - 1 }, (_, at) => (at + 1) * square * scale);
    const ruled = lines.map(
      (to) => `M${sheet.x + to},${sheet.y}v${sheet.height}M${sheet.x},${sheet.y + to}h${sheet.width}`,
    );
    const side = square * scale;
    // Thin enough for the colour between them.
    const look = { class: "att-squares", "stroke-width": Math.min(1.5, 0.15 * side) };
    this.scene.put("squares", "path", { ...look, d: ruled.join("") });
    others.forEach((box, at) => {
      const d = lines.map((to) => `M${box.x},${box.y + to}h${box.width}`).join("");
      this.scene.put(`strips ${at}`, "path", { ...look, d });
    });
    this.scene.put("first", "rect", { class: "att-first", x: sheet.x, y: sheet.y, width: side, height: side });
    const { grown } = this.sent.labels;
    const large = 2.2 * type;
    const left = others.at(-1).x + others.at(-1).width + APART;
    const longest = Math.max(
      ...grown.flatMap(([times, of]) => [widthOf(times, large, font, 700), widthOf(of, type, font)]),
    );
    const isBeside = left + longest <= width;
    grown.forEach(([times, of], at) => {
      const y = isBeside ? top + 0.35 * high + at * 5 * type : height - (isNarrow ? 1.9 - 1.4 * at : 0.85) * type;
      if (isBeside) {
        const place = { class: "att-called", x: left, y, "font-size": large };
        this.scene.put(`times ${at}`, "text", place, this.svg, times);
        this.scene.put(`of ${at}`, "text", { x: left, y: y + 1.6 * type }, this.svg, of);
        return;
      }
      const said = `${times} ${of}`;
      const x = isNarrow
        ? 0
        : width - widthOf(said, type, font) - (at ? 0 : widthOf(` ${grown[1].join(" ")}`, type, font) + 24);
      this.scene.put(`times ${at}`, "text", { class: "att-ruler", x, y }, this.svg, said);
    });
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

  // The length of a round number of tokens.
  ruler(scale, { y, type, large }) {
    const least = (RULER * large) / scale;
    const power = 10 ** Math.floor(Math.log10(least));
    const tokens = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= least);
    const wide = tokens * scale;
    const d = `M1,${y - 5} V${y + 5} M1,${y} H${1 + wide} M${1 + wide},${y - 5} V${y + 5}`;
    this.scene.put("ruler", "path", { class: "att-leads att-ruler", d });
    const said = filled(this.sent.labels.ruler, { tokens: tokens.toLocaleString("en") });
    this.scene.put("tokens", "text", { class: "att-ruler", x: 8 + wide, y: y + 0.35 * type }, this.svg, said);
  }

  headAndLines() {
    const { labels } = this.sent;
    return [[labels.part, labels.takes], labels.names.map((name, at) => [name, labels.said[at]])];
  }
}
