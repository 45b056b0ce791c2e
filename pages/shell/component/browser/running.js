// Scores with a tile that wanders over them, and beside each row what is kept of it: its maximum and its sum as bars, its
// output as cells. No other scores are drawn, since no others are in memory.

import { mixed } from "./colour.js";
import { decoded, paint } from "./pixels.js";
import { Scene } from "./scene.js";
import { clip } from "./sentence_line.js";
import { SvgFigure } from "./svg_figure.js";
import { grown, tall } from "./tall.js";
import { widthOf } from "./text.js";

const [SHADES, HIDDEN] = [254, 255];
// Pixels: the highest and the lowest line, type, of names the most, between scores and bars, and below which bars stand
// under the scores.
const [LINE, LEAST, TYPE, NAME, BETWEEN, NARROW] = [32, 9, 14, 84, 48, 760];

export class Running extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-running");
    this.scene = new Scene(this.svg);
    this.pixels = document.createElement("canvas");
  }

  picture({ width, colours }) {
    const { running } = this.sent;
    const large = grown(colours.large);
    const type = TYPE * large;
    const count = running.rows.length;
    const isNarrow = width < NARROW * large;
    // On a wall lines grow less than type, which leaves room for the player above them.
    const line = Math.max(Math.min(LINE, 400 / count) * tall(), LEAST);
    const widest = Math.max(...running.rows.map((token) => widthOf(clip(token), type, colours.font)));
    const name = Math.min(widest + 8, NAME * large);
    const wide = (isNarrow ? width : 0.46 * width) - name;
    const cell = { width: Math.min(wide / running.columns.length, 1.5 * line), height: line };
    const isSlanted = running.columns.some((token) => widthOf(clip(token), type, colours.font) > cell.width - 4);
    const top = (isSlanted ? 4.2 : 2) * type;
    const high = top + count * line;
    const right = name + running.columns.length * cell.width + BETWEEN * large;
    const bars = isNarrow
      ? { x: name, y: high + 3.2 * type, width: width - name }
      : { x: right, y: top, width: width - right };
    const height = isNarrow ? bars.y + count * line + 6 : high + 6;
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", this.sent.note);
    this.scene.draw(() => {
      this.matrix(name, top, cell, isSlanted, type, colours);
      this.names("names", 0, top, line, type);
      if (isNarrow) this.names("names below", 0, bars.y, line, type);
      this.kept(bars, line, type, colours);
    });
  }

  write(name, text, attributes) {
    return this.scene.put(name, "text", attributes, this.svg, text);
  }

  names(id, x, y, line, type) {
    const { rows, tile } = this.sent.running;
    rows.forEach((token, at) => {
      const isRead = at >= tile[0] && at < tile[1];
      // Of lines that are too low for their type, none but those of the tile.
      const isWritten = line >= type || isRead;
      const place = { x, y: y + (at + 0.5) * line + 0.35 * type, class: isRead ? "att-read" : null };
      if (isWritten) this.write(`${id} ${at}`, clip(token), place);
    });
  }

  matrix(x, y, cell, isSlanted, type, colours) {
    const { rows, columns, scores, tile } = this.sent.running;
    const [first, last, from, to] = tile;
    columns.forEach((token, at) => {
      const [middle, base] = [x + (at + 0.5) * cell.width, y - 0.5 * type];
      const side = isSlanted
        ? { "text-anchor": "start", transform: `rotate(-50 ${middle} ${base})` }
        : { "text-anchor": "middle", transform: null };
      if (cell.width >= 0.8 * type || (at >= from && at < to))
        this.write(`column ${at}`, clip(token), { x: middle, y: base, ...side });
    });
    const all = decoded(scores);
    const place = (index) => [Math.floor(index / columns.length), index % columns.length];
    const isIn = (index) => {
      const [row, column] = place(index);
      return row >= first && row < last && column >= from && column < to;
    };
    const size = { width: columns.length * cell.width, height: rows.length * cell.height };
    const shades = all.map((shade, index) => (isIn(index) ? shade : HIDDEN));
    paint(this.pixels, [shades], rows.length, columns.length, "signed", colours);
    const href = this.pixels.toDataURL();
    this.scene.put("in memory", "image", { x, y, ...size, preserveAspectRatio: "none", href });
    this.scene.put("around", "rect", { class: "att-around", x, y, ...size });
    const box = {
      x: x + from * cell.width,
      y: y + first * cell.height,
      width: (to - from) * cell.width,
      height: (last - first) * cell.height,
    };
    this.scene.put("tile", "rect", { class: "att-tile-frame", ...box });
  }

  kept({ x, y, width }, line, type, colours) {
    const { labels, running } = this.sent;
    const parts = [0.36, 0.32, 0.32].map((share) => share * width);
    const [maximum, sum, output] = [x, x + parts[0], x + parts[0] + parts[1]];
    const shades = decoded(running.output);
    const [half, most] = [(parts[0] - 24) / 2, parts[1] - 3.6 * type];
    // Above the line that its bars begin at, where its words have room there.
    const isRoomy = widthOf(labels.maximum, type, colours.font) < half;
    ["maximum", "sum", "output"].forEach((name, at) =>
      this.write(name, labels[name], { x: [maximum + (isRoomy ? half : 0), sum, output][at], y: y - 0.6 * type }),
    );
    const high = 0.62 * line;
    const isWritten = line >= type;
    running.rows.forEach((_, at) => {
      const middle = y + (at + 0.5) * line;
      const box = { y: middle - high / 2, height: high };
      const share = running.maximum[at] ?? 0;
      const centre = maximum + half;
      this.scene.put(`zero ${at}`, "line", {
        class: "att-base",
        x1: centre,
        x2: centre,
        y1: middle - line / 2,
        y2: middle + line / 2,
      });
      const end = centre + share * (half - 3 * type);
      this.scene.put(`maximum ${at}`, "rect", {
        class: "att-maximum",
        x: Math.min(centre, end),
        width: Math.abs(end - centre),
        ...box,
      });
      this.scene.put(`sum ${at}`, "rect", {
        class: "att-sum-bar",
        x: sum,
        width: (running.sum[at] ?? 0) * most,
        ...box,
      });
      if (isWritten) {
        const [m, l] = labels.written[at];
        const side = share < 0 ? { x: end - 4, "text-anchor": "end" } : { x: end + 4, "text-anchor": "start" };
        this.write(`m ${at}`, m, { ...side, y: middle + 0.35 * type });
        this.write(`l ${at}`, l, { x: sum + (running.sum[at] ?? 0) * most + 4, y: middle + 0.35 * type });
      }
      const wide = Math.min(parts[2] / running.features, 1.4 * line);
      for (let feature = 0; feature < running.features; feature += 1) {
        const shade = shades[at * running.features + feature];
        const fill =
          running.maximum[at] === null
            ? "transparent"
            : `rgb(${mixed(colours.signed, shade / SHADES).map(Math.round)})`;
        const cell = { class: "att-out-cell", x: output + feature * wide, width: wide, ...box };
        this.scene.put(`output ${at} ${feature}`, "rect", { ...cell, fill });
      }
    });
  }

  headAndLines() {
    const { labels, running } = this.sent;
    return [
      [labels.queries, labels.maximum, labels.sum],
      running.rows.map((token, at) => [token, ...labels.written[at]]),
    ];
  }
}
