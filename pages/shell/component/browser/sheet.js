// A sheet of n rows and n columns beside blocks of n rows, to one scale: what grows with n² and what grows with n.

import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { filled } from "./text.js";

// Pixels: the height of the blocks, type, between two blocks, from the names to the blocks, the narrowest ruler.
const [HEIGHT, TYPE, GAP, NAMES, RULER] = [380, 14, 10, 74, 60];

export class Sheet extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-sheet");
    this.scene = new Scene(this.svg);
  }

  picture({ width, colours }) {
    const { labels, sheet } = this.sent;
    const { large } = colours;
    const type = TYPE * large;
    const top = NAMES * large;
    const high = Math.min(HEIGHT * large, 0.8 * width);
    const gaps = (sheet.columns.length - 1) * GAP * large;
    const total = sheet.columns.reduce((sum, one) => sum + one, 0);
    // All blocks are in sight, whatever n is.
    const scale = Math.min((width - gaps) / total, high / sheet.n);
    const height = top + high + 2.6 * type;
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", this.sent.note);
    this.scene.draw(() => {
      let x = 0;
      sheet.columns.forEach((columns, at) => {
        const wide = Math.max(columns * scale, 1);
        this.block(at, { x, y: top, width: wide, height: Math.max(sheet.n * scale, 1) });
        this.name(at, (at * width) / sheet.columns.length, x + Math.min(wide / 2, 60 * large), top, type);
        x += wide + GAP * large;
      });
      this.ruler(scale, height, type, large);
    });
  }

  block(at, box) {
    this.scene.put(`block ${at}`, "rect", { class: at ? "att-block" : "att-block att-square", ...box });
  }

  // What a block is stands above it, with a line to it.
  name(at, x, to, top, type) {
    const { labels } = this.sent;
    this.scene.put(`name ${at}`, "text", { class: "att-called", x, y: type }, this.svg, labels.names[at]);
    this.scene.put(`said ${at}`, "text", { x, y: 2.4 * type }, this.svg, labels.said[at]);
    const d = `M${x + 2},${2.9 * type} L${to},${top - 4}`;
    this.scene.put(`line ${at}`, "path", { class: "att-leads", d });
  }

  // The length of a round number of tokens.
  ruler(scale, height, type, large) {
    const tokens = 10 ** Math.ceil(Math.log10((RULER * large) / scale));
    const [y, wide] = [height - 1.2 * type, tokens * scale];
    const d = `M1,${y - 5} V${y + 5} M1,${y} H${1 + wide} M${1 + wide},${y - 5} V${y + 5}`;
    this.scene.put("ruler", "path", { class: "att-leads", d });
    const said = filled(this.sent.labels.ruler, { tokens: tokens.toLocaleString("en") });
    this.scene.put("tokens", "text", { x: 8 + wide, y: y + 0.35 * type }, this.svg, said);
  }

  headAndLines() {
    const { labels } = this.sent;
    return [[labels.part, labels.takes], labels.names.map((name, at) => [name, labels.said[at]])];
  }
}
