// Amounts that grow with each word: bars side by side or, if there is little room, below each other. Each bar is as
// long as its present amount; marks show the amounts at each word, before and after.

import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";

// Pixels: type, a bar, the gap between its words and it, the gap between bars, the menu beside them, and the width
// below which bars stand below each other.
const [TYPE, HIGH, NEAR, GAP, MENU, NARROW] = [15, 14, 8, 28, 44, 760];

export class Balance extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-balance");
    this.scene = new Scene(this.svg);
  }

  picture({ width, colours }) {
    const { large } = colours;
    const type = TYPE * large;
    const { amounts, prices, at } = this.sent.balance;
    const isAcross = width >= NARROW * large;
    const count = amounts.length;
    const room = width - MENU;
    const wide = isAcross ? (room - (count - 1) * GAP) / count : room;
    const step = type + NEAR + HIGH * large + (isAcross ? 0 : NEAR);
    const height = isAcross ? step + 2 : count * step;
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", this.sent.note);
    this.scene.draw(() => {
      amounts.forEach((all, bar) => {
        const [x, y] = isAcross ? [bar * (wide + GAP), 0] : [0, bar * step];
        this.bar(bar, all, at, { x, y: y + type + NEAR, wide, high: HIGH * large });
        this.scene.put(`said ${bar}`, "text", { x, y: y + 0.9 * type }, this.svg, this.sent.labels.said[bar]);
        this.scene.get(`full ${bar}`).setAttribute("class", prices[bar] ? "att-price" : "att-gain");
      });
    });
  }

  bar(bar, all, at, { x, y, wide, high }) {
    const along = (amount) => (amount / all.at(-1)) * wide;
    this.scene.put(`track ${bar}`, "rect", { class: "att-track", x, y, width: wide, height: high }, this.svg);
    // The length is a style, so that a transition animates it.
    const full = this.scene.put(`full ${bar}`, "rect", { x, y, width: wide, height: high }, this.svg);
    full.style.transform = `scaleX(${along(all[at]) / wide})`;
    full.style.transformOrigin = `${x}px 0`;
    const marks = all.slice(0, -1).map((amount) => `M${(x + along(amount)).toFixed(1)},${y}v${high}`);
    this.scene.put(`marks ${bar}`, "path", { class: "att-marks", d: marks.join("") }, this.svg);
  }

  headAndLines() {
    const { labels, balance } = this.sent;
    const lines = balance.words.map((word, at) => [word, ...balance.amounts.map((all) => all[at].toLocaleString())]);
    return [[labels.word, ...labels.names], lines];
  }
}
