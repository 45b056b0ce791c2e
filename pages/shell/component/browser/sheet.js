// All that a layer computes as one frame: the n × n pairs, and beside them what grows with n alone, by area. The frame stays as
// it is at each n, so that what moves is the share; in each block the half of the text takes its part.

import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { widthOf } from "./text.js";

// Pixels: the height of the frame, type, between two blocks, from the names to the frame; beside a name; the width below which
// the two lines below the frame do not stand in one.
const [HEIGHT, TYPE, GAP, NAMES, PAD, NARROW] = [390, 15, 3, 64, 12, 700];
// Of a sample of what is dashed, with its gap; of the button above the frame, at its end.
const [SAMPLE, BUTTON] = [46, 56];

export class Sheet extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-sheet");
    this.scene = new Scene(this.svg);
  }

  picture({ width, colours }) {
    const { columns } = this.sent.sheet;
    const { large, font } = colours;
    const [type, top] = [TYPE * large, NAMES * large];
    const high = Math.min(HEIGHT * large, 0.9 * width);
    const isNarrow = width < NARROW * large;
    const height = top + high + (isNarrow ? 4.2 : 2.6) * type;
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", this.sent.note);
    const room = width - (columns.length - 1) * GAP;
    const whole = columns.reduce((sum, one) => sum + one, 0);
    let x = 0;
    const boxes = columns.map((one) => {
      const box = { x, y: top, width: Math.max((room * one) / whole, 1), height: high };
      x += box.width + GAP;
      return box;
    });
    const below = top + high + 1.7 * type;
    this.scene.draw(() => {
      boxes.forEach((box, at) => {
        this.scene.put(`block ${at}`, "rect", { class: `att-block${at ? "" : " att-square"}`, ...box });
        this.half(box, at, { type, font, middle: room / 2 });
      });
      this.names(boxes, { width: width - BUTTON, type, top, font });
      this.meeting(room / 2, { top, high, below, type, font, width });
      this.sample(below + (isNarrow ? 1.7 * type : 0), { width, type, font, isNarrow });
    });
  }

  // What half of the text takes: of the pairs half the rows and half the columns, of the other blocks half the rows.
  half({ x, y, width, height }, at, { type, font, middle }) {
    const box = { x, y: y + height / 2, width: at ? width : width / 2, height: height / 2 };
    const kind = at ? "att-half" : "att-half att-in-square";
    this.scene.put(`half ${at}`, "rect", { class: kind, ...box });
    const said = this.sent.labels.halves[at];
    const wide = widthOf(said, 1.3 * type, font) + 2 * PAD;
    // At its end or, where the line in the middle is in the way, at its beginning.
    const isFree = (from) => middle <= from || middle >= from + wide;
    const from = [box.x + box.width - wide, box.x].find(isFree);
    if (box.width < wide || from === undefined) return;
    const place = { x: from + PAD, y: y + height - PAD, "font-size": 1.3 * type };
    this.scene.put(`part ${at}`, "text", { class: at ? "" : "att-in-square", ...place }, this.svg, said);
  }

  // What a block is stands in it; where it is too narrow for that, above it, with a line down to its middle.
  names(boxes, { width, type, top, font }) {
    const { labels } = this.sent;
    const longest = (at, said) =>
      PAD +
      Math.max(
        widthOf(labels.names[at], type, font, 700),
        widthOf(labels.shares[at], 1.5 * type, font),
        widthOf(said, type, font),
      );
    const isIn = boxes.map((box, at) => box.width >= longest(at, labels.said[at]) + PAD);
    const lengths = boxes.map((_, at) => longest(at, ""));
    // Of those above, none covers another, and none reaches the button.
    const left = boxes.map(({ x }) => x);
    const above = boxes.map((_, at) => at).filter((at) => !isIn[at]);
    above.forEach((at, place) => {
      if (place) left[at] = Math.max(left[at], left[above[place - 1]] + lengths[above[place - 1]]);
    });
    above.reduceRight((end, at) => (left[at] = Math.min(left[at], end - lengths[at])), width);
    boxes.forEach((box, at) => {
      const x = isIn[at] ? box.x + PAD : left[at];
      const y = isIn[at] ? top + 1.6 * type : type;
      const inside = isIn[at] && !at ? "att-in-square" : "";
      this.scene.put(`name ${at}`, "text", { class: `att-called ${inside}`, x, y }, this.svg, labels.names[at]);
      const share = { class: inside, x, y: y + 1.7 * type, "font-size": 1.5 * type };
      this.scene.put(`share ${at}`, "text", share, this.svg, labels.shares[at]);
      if (isIn[at]) {
        this.scene.put(`takes ${at}`, "text", { class: inside, x, y: y + 3.2 * type }, this.svg, labels.said[at]);
        return;
      }
      const d = `M${x + PAD},${2.95 * type} V${3.5 * type} H${box.x + box.width / 2} V${top - 2}`;
      this.scene.put(`line ${at}`, "path", { class: "att-leads", d });
    });
  }

  // The middle of the frame, which the pairs reach where they take as much as the rest; the line keeps clear of names.
  meeting(x, { top, high, below, type, font, width }) {
    const d = `M${x},${top + 6 * type} V${top + high + 0.5 * type}`;
    this.scene.put("meeting", "path", { class: "att-leads att-meeting", d });
    const said = this.sent.labels.meeting;
    const half = widthOf(said, type, font, 700) / 2;
    const place = { x: Math.min(Math.max(x, half), width - half), y: below, "text-anchor": "middle" };
    this.scene.put("meeting text", "text", { class: "att-called", ...place }, this.svg, said);
  }

  // What is dashed: on the right or, with a line of its own, on the left.
  sample(y, { width, type, font, isNarrow }) {
    const said = this.sent.labels.half;
    const x = isNarrow ? SAMPLE : width - widthOf(said, type, font);
    this.scene.put("half text", "text", { x, y }, this.svg, said);
    const d = `M${x - SAMPLE},${y - 0.35 * type} h${SAMPLE - 8}`;
    this.scene.put("half sample", "path", { class: "att-half", d });
  }

  headAndLines() {
    const { labels } = this.sent;
    return [[labels.part, labels.takes], labels.names.map((name, at) => [name, labels.said[at]])];
  }
}
