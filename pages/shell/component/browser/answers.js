// What a layer answers: a line a question with the answer, how sure it is, and how often it is right elsewhere.

import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { widthOf } from "./text.js";

// Pixels: a line, type.
const [HIGH, TYPE] = [31, 15];

export class Answers extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-answers");
    this.scene = new Scene(this.svg);
  }

  called(_, words) {
    return { kind: words.ui.answers, keys: "" };
  }

  picture({ width, colours: { large, font } }) {
    const {
      answers: { lines, wide },
      title,
      note,
    } = this.sent;
    const size = TYPE * large;
    this.svg.setAttribute("aria-label", `${title}. ${note}`);
    Object.entries({ width, height: lines.length * HIGH * large + 2, "font-size": size }).forEach((pair) =>
      this.svg.setAttribute(...pair),
    );
    const { asked, said, elsewhere } = this.sent.labels;
    const longest = (texts) => Math.max(0, ...texts.map((text) => widthOf(text, 1.08 * size, font))) + 14 * large;
    const [first, second] = [longest(asked), longest(said)];
    const frame = Math.max(
      24 * large,
      Math.min(wide * large, width - first - second - longest(elsewhere) - 12 * large),
    );
    this.scene.draw(() =>
      lines.forEach(({ isRight, share }, at) => {
        const y = at * HIGH * large + 1;
        const base = y + (HIGH / 2) * large + 0.26 * size;
        const kind = isRight ? "att-answer-line" : "att-answer-line att-failed";
        const line = this.scene.put(`line ${at}`, "g", { class: kind, "data-right": isRight });
        const text = (name, x, shown, of) =>
          this.scene.put(`${name} ${at}`, "text", { class: of, x, y: base }, line, shown);
        text("asked", 2, asked[at], "att-answer-asked");
        text("said", first, said[at], "att-answer-said");
        const place = { x: first + second, y: y + 6 * large, height: (HIGH - 12) * large };
        this.scene.put(`frame ${at}`, "rect", { class: "att-share-frame", ...place, width: frame }, line);
        this.scene.put(`sure ${at}`, "rect", { class: "att-sure", ...place, width: frame * share }, line);
        text("elsewhere", first + second + frame + 10 * large, elsewhere[at], "att-answer-elsewhere");
      }),
    );
  }

  headAndLines() {
    const {
      labels: { header, asked, said, sure, elsewhere },
    } = this.sent;
    return [header, asked.map((one, at) => [one, said[at], sure[at], elsewhere[at]])];
  }
}
