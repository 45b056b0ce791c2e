// The answers of a layer, one line for each question: the answer, how sure the layer is, and another number if there is
// one.

import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { widthOf } from "./text.js";

// Pixels: a line and its type; the line above the columns and its type.
const [HIGH, TYPE, OVER, SMALL] = [31, 15, 24, 14];

export class Answers extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-answers");
    this.scene = new Scene(this.svg);
  }

  called(_, words) {
    return { kind: words.ui.answers, keys: "" };
  }

  picture({ width, colours: { large, font, series } }) {
    const {
      answers: { lines, wide, zero = 0, colours = [], off = [] },
      title,
      note,
    } = this.sent;
    const size = TYPE * large;
    const { asked, said, sure, elsewhere, over } = this.sent.labels;
    const top = over ? OVER * large : 0;
    this.svg.setAttribute("aria-label", `${title}. ${note}`);
    const longest = (texts) => Math.max(0, ...texts.map((text) => widthOf(text, 1.08 * size, font))) + 14 * large;
    const [first, second] = [longest(asked), longest(said)];
    // The width of the bars' numbers, if they have any; the words above have room of their own.
    const number = over ? longest(sure) : 0;
    const last = longest(elsewhere);
    const least = over ? longest([over]) - number : 0;
    const frame = Math.max(
      24 * large,
      least,
      Math.min(wide * large, width - first - second - number - last - 12 * large),
    );
    const right = first + second + frame + number + 10 * large;
    // All columns are shrunk until they fit the width.
    const [whole, high] = [Math.max(width, right + last), top + lines.length * HIGH * large + 2];
    Object.entries({
      width,
      height: (high * width) / whole,
      viewBox: `0 0 ${whole} ${high}`,
      "font-size": size,
    }).forEach((pair) => this.svg.setAttribute(...pair));
    this.scene.draw(() => {
      const above = { x: first + second, y: 0.7 * top, "font-size": SMALL * large };
      if (over) this.scene.put("over", "text", { class: "att-answer-elsewhere", ...above }, this.svg, over);
      lines.forEach(({ isRight, share }, at) => {
        const y = top + at * HIGH * large + 1;
        const base = y + (HIGH / 2) * large + 0.26 * size;
        const kind = isRight ? "att-answer-line" : "att-answer-line att-failed";
        const line = this.scene.put(`line ${at}`, "g", { class: kind, "data-right": isRight });
        const text = (name, x, shown, of) =>
          this.scene.put(`${name} ${at}`, "text", { class: of, x, y: base }, line, shown);
        text("asked", 2, asked[at], "att-answer-asked");
        text("said", first, said[at], "att-answer-said");
        const place = { x: first + second, y: y + 6 * large, height: (HIGH - 12) * large };
        this.scene.put(`frame ${at}`, "rect", { class: "att-share-frame", ...place, width: frame }, line);
        line.classList.toggle("att-off", off.includes(at));
        const bar = { ...place, x: place.x + frame * (zero + Math.min(0, share)), width: frame * Math.abs(share) };
        const drawn = this.scene.put(`sure ${at}`, "rect", { class: "att-sure", ...bar }, line);
        if (colours.length) {
          drawn.style.fill = series[colours[at] % series.length];
          const x = place.x + frame * zero;
          const side = { class: "att-from-zero", x1: x, x2: x, y1: y, y2: y + HIGH * large };
          this.scene.put(`zero ${at}`, "line", side, line);
        }
        if (over) text("number", first + second + frame + 6 * large, sure[at], "att-answer-asked");
        text("elsewhere", right, elsewhere[at], "att-answer-elsewhere");
      });
    });
  }

  headAndLines() {
    const {
      labels: { header, asked, said, sure, elsewhere },
    } = this.sent;
    return [header, asked.map((one, at) => [one, said[at], sure[at], elsewhere[at]].slice(0, header.length))];
  }
}
