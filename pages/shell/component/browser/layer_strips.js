// Layers of models as rows of cells, one for each layer, beside a bar for the size of the caches. Kinds differ in
// height as well as in colour.

import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { widthOf } from "./text.js";

// Pixels: type, a row, a cell, names and bars beside the cells, the width below which names stand above.
const [TYPE, ROW, CELL, NAMES, BARS, NARROW] = [14, 26, 18, 140, 190, 800];
// Pixels of the words behind the cells.
const ROOM = 60;
// The height of a cell as a share of the row, by kind: full, window, chunk, chosen, linear.
const HEIGHTS = [1, 0.55, 0.55, 0.8, 0.25];

export class LayerStrips extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-strips");
    this.scene = new Scene(this.svg);
  }

  picture({ width, colours }) {
    const { strips } = this.sent;
    const { large } = colours;
    const type = TYPE * large;
    const isNarrow = width < NARROW * large;
    const names = isNarrow ? 0 : NAMES * large;
    const bars = isNarrow ? 0 : BARS * large;
    const above = isNarrow ? 1.5 * type : 0;
    const row = ROW * large + above;
    const longest = Math.max(...strips.map(({ cells }) => cells.length));
    const cell = (width - names - bars) / longest;
    const most = Math.max(...strips.map(({ keeps }) => keeps));
    this.scene.draw(() => {
      const top = this.signs(width, type, colours);
      strips.forEach((strip, at) => {
        const bottom = top + at * row + above + CELL * large;
        this.name(at, { isNarrow, width, bottom, large, type });
        this.cells(at, strip, { x: names, bottom, cell, large });
        this.own(at, strip, { x: names, bottom, cell, large, end: width - bars });
        if (!isNarrow) this.bar(at, strip, { x: width - bars + 12 * large, bottom, bars, most, large });
      });
      const height = top + strips.length * row + 6;
      Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    });
    this.svg.setAttribute("aria-label", this.sent.note);
  }

  // The meaning of the kinds, above the rows, in as many lines as it needs.
  signs(width, type, { font, large }) {
    let [x, line] = [0, 0];
    this.sent.labels.kinds.forEach((kind, at) => {
      const takes = widthOf(kind, type, font) + 3.4 * type;
      if (x && x + takes > width) [x, line] = [0, line + 1];
      const bottom = (line + 1) * 1.7 * type;
      this.rect(`sign ${at}`, at, { x, bottom, width: 1.1 * type, large: (large * type) / CELL / large });
      this.scene.put(`kind ${at}`, "text", { x: x + 1.5 * type, y: bottom - 0.1 * type }, this.svg, kind);
      x += takes;
    });
    return (line + 1) * 1.7 * type + 14 * large;
  }

  name(at, { isNarrow, width, bottom, large, type }) {
    const y = isNarrow ? bottom - CELL * large - 0.4 * type : bottom - 3 * large;
    this.scene.put(`name ${at}`, "text", { x: 0, y }, this.svg, this.sent.labels.names[at]);
    if (!isNarrow) return;
    const place = { x: width, y, "text-anchor": "end" };
    this.scene.put(`kept ${at}`, "text", place, this.svg, this.sent.labels.kept[at]);
  }

  cells(at, { cells, kinds, reads }, { x, bottom, cell, large }) {
    cells.forEach((said, layer) => {
      const box = { x: x + layer * cell, bottom, width: Math.max(cell - 1, 0.6 * cell), large };
      const drawn = this.rect(`cell ${at} ${layer}`, kinds[said], box, reads.includes(said));
      const words = `${layer + 1}: ${this.sent.labels.says[at][said]}`;
      this.scene.put(`says ${at} ${layer}`, "title", {}, drawn, words);
    });
  }

  // For models whose layers share keys and values: how many layers have their own, behind the cells if there is room.
  own(at, { cells, reads }, { x, bottom, cell, large, end }) {
    const place = x + cells.length * cell + 8 * large;
    if (!reads.length || place + ROOM * large > end) return;
    this.scene.put(`own ${at}`, "text", { x: place, y: bottom - 3 * large }, this.svg, this.sent.labels.owns[at]);
  }

  rect(name, kind, { x, bottom, width, large }, reads = false) {
    const height = CELL * large * HEIGHTS[kind];
    const kinds = `att-layer att-layer-${kind}${reads ? " att-borrows" : ""}`;
    const box = { x, y: bottom - height, width, height, class: kinds };
    return this.scene.put(name, "rect", box);
  }

  bar(at, { keeps }, { x, bottom, bars, most, large }) {
    const room = bars - 96 * large;
    const width = Math.max((keeps / most) * room, 1);
    const height = 10 * large;
    this.scene.put(`bar ${at}`, "rect", { class: "att-kept", x, y: bottom - height - 3 * large, width, height });
    const place = { x: x + room + 8 * large, y: bottom - 3 * large };
    this.scene.put(`kept ${at}`, "text", place, this.svg, this.sent.labels.kept[at]);
  }

  headAndLines() {
    const { labels, strips } = this.sent;
    const told = ({ cells }, at) =>
      runs(cells).map(([first, last, said]) => `${first}–${last}: ${labels.says[at][said]}`);
    return [
      [labels.model, labels.layers, labels.own, labels.cache],
      strips.map((strip, at) => [labels.names[at], told(strip, at).join("; "), labels.owns[at], labels.kept[at]]),
    ];
  }
}

// Runs of equal layers: the first and the last layer, from 1, and their words.
function runs(cells) {
  const found = [];
  cells.forEach((said, at) => {
    const last = found.at(-1);
    if (last && last[2] === said) last[1] = at + 1;
    else found.push([at + 1, at + 1, said]);
  });
  return found;
}
