// Scores with a tile that wanders over them, and beside each row what is kept of it (kept_bars.js). No other scores are
// drawn, since no others are in memory: grey is what was seen and thrown away, hatched what the mask has skipped. A
// click on a row, or an arrow key, follows it: below stands why it is corrected, and what comes out of it.

import { Corrections, bars, followed, reason } from "./kept_bars.js";
import { give } from "./give.js";
import { decoded, paint } from "./pixels.js";
import { put } from "./plane.js";
import { Scene } from "./scene.js";
import { clip } from "./sentence_line.js";
import { SvgFigure } from "./svg_figure.js";
import { grown, isOnWall, tall } from "./tall.js";
import { widthOf } from "./text.js";

const HIDDEN = 255;
// Pixels: the highest line, on a desk and on a phone, and the lowest; type, of names the most, between scores and bars, and
// below which there is room for bars alone; of the menu.
const [LINE, LOW_LINE, LEAST, TYPE, NAME, BETWEEN, NARROW, MENU] = [32, 17, 9, 14, 84, 48, 760, 60];
const HATCH = "att-running-hatch";

// What is left of a box beside the tile: its words do not stand on the frame.
function clear([top, bottom, left, right], [first, last, from, to]) {
  if (bottom <= first || top >= last || right <= from || left >= to) return [top, bottom, left, right];
  return from > left ? [top, bottom, left, from] : [top, bottom, Math.min(to, right), right];
}

export class Running extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-running");
    const pattern = put(put(this.svg, "defs"), "pattern", {
      id: HATCH,
      width: 7,
      height: 7,
      patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)",
    });
    put(pattern, "rect", { class: "att-hatch-page", width: 7, height: 7 });
    put(pattern, "rect", { class: "att-hatch-line", width: 2, height: 7 });
    this.scene = new Scene(put(this.svg, "g"));
    this.pixels = document.createElement("canvas");
    this.corrections = new Corrections();
    this.plot.addEventListener("keydown", (event) => this.key(event));
  }

  picture({ width, colours }) {
    const { running } = this.sent;
    const large = grown(colours.large);
    const type = TYPE * large;
    const count = running.rows.length;
    const isNarrow = width < NARROW * large;
    // On a wall lines grow less than type, which leaves room for the player above them.
    const line = Math.max(Math.min(isNarrow ? LOW_LINE : LINE, (isOnWall() ? 290 : 400) / count) * tall(), LEAST);
    const widest = Math.max(...running.rows.map((token) => widthOf(clip(token), type, colours.font)));
    const name = Math.min(widest + 8, NAME * large);
    const wide = (isNarrow ? 0.62 : 0.46) * width - name;
    const cell = { width: Math.min(wide / running.columns.length, 1.5 * line), height: line };
    const isSlanted = running.columns.some((token) => widthOf(clip(token), type, colours.font) > cell.width - 4);
    // Slanted names leave room above the bars.
    const isBeside = isSlanted && !isNarrow;
    const above = isBeside ? 0 : 2 * type;
    const top = above + (isSlanted ? 4.2 : 2) * type;
    const high = top + count * line;
    const right = name + running.columns.length * cell.width + (isNarrow ? 10 : BETWEEN * large);
    const draws = { scene: this.scene, sent: this.sent, line, type, colours, isNarrow };
    this.svg.setAttribute("aria-label", this.sent.note);
    this.corrections.begin(running.tile, running.size);
    let height = high;
    this.scene.draw(() => {
      const start = isBeside ? right : 0;
      this.held(start, isBeside ? width - MENU * large : isNarrow ? width : right - BETWEEN * large, { type, colours });
      bars(draws, { x: right, y: top, width: width - right }, this.corrections);
      this.matrix(name, top, cell, isSlanted, type, colours);
      this.names(top, line, type);
      const y = high + 1.9 * type;
      // On a wall all of it is to be seen above the bar of the lecture.
      height = isOnWall() ? reason(draws, y) : followed(draws, { y, width });
      this.rows(top, line, width);
    });
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.corrections.play();
  }

  // Over all that stands in a row: what a click meets.
  rows(y, line, width) {
    const { rows } = this.sent.running;
    rows.forEach((_, at) => {
      const box = { x: 0, y: y + at * line, width, height: line };
      this.scene.put(`row ${at}`, "rect", { class: "att-row-taken", ...box }).onclick = () => this.take(at);
    });
  }

  take(row) {
    give(this.sent.running.sets[row]);
  }

  key(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step) return;
    const { followed, rows } = this.sent.running;
    this.take(Math.min(Math.max(followed.row + step, 0), rows.length - 1));
    event.preventDefault();
    event.stopPropagation();
  }

  write(name, text, attributes) {
    return this.scene.put(name, "text", attributes, undefined, text);
  }

  // How many of all scores are in memory: in words, and as a part of a bar.
  held(start, end, { type, colours }) {
    const { labels, running } = this.sent;
    this.write("held", labels.held, { x: start, y: 1.3 * type, class: "att-held" });
    const x = start + widthOf(labels.held, type, colours.font, 700) + type;
    const place = { x, y: 0.4 * type, height: type };
    this.scene.put("all held", "rect", { class: "att-all-held", ...place, width: Math.max(end - x, 0) });
    this.scene.put("is held", "rect", { class: "att-is-held", ...place, width: Math.max(running.held * (end - x), 0) });
  }

  names(y, line, type) {
    const { rows, tile } = this.sent.running;
    rows.forEach((token, at) => {
      const isRead = at >= tile[0] && at < tile[1];
      // Of lines that are too low for their type, none but those of the tile.
      const isWritten = line >= type || isRead;
      const place = { x: 0, y: y + (at + 0.5) * line + 0.35 * type, class: isRead ? "att-read" : null };
      if (isWritten) this.write(`names ${at}`, clip(token), place);
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
    const boxOf = ([top, bottom, left, right]) => ({
      x: x + left * cell.width,
      y: y + top * cell.height,
      width: (right - left) * cell.width,
      height: (bottom - top) * cell.height,
    });
    this.scene.put("page", "rect", { class: "att-hatch-page", x, y, ...size });
    this.toCome(boxOf, type);
    this.seen(boxOf, type, colours);
    const shades = all.map((shade, index) => (isIn(index) ? shade : HIDDEN));
    paint(this.pixels, [shades], rows.length, columns.length, "signed", colours);
    const href = this.pixels.toDataURL();
    this.scene.put("in memory", "image", { x, y, ...size, preserveAspectRatio: "none", href });
    this.scene.put("around", "rect", { class: "att-around", x, y, ...size });
    this.scene.put("tile", "rect", { class: "att-tile-frame", ...boxOf(tile) });
  }

  // The tiles that are still to come, as dashed lines with their numbers: the way that the tile takes.
  toCome(boxOf, type) {
    const { rows, columns, size, number } = this.sent.running;
    const across = Math.ceil(columns.length / size[1]);
    const count = across * Math.ceil(rows.length / size[0]);
    for (let at = number; at < count; at++) {
      const [top, left] = [Math.floor(at / across) * size[0], (at % across) * size[1]];
      const bottom = Math.min(top + size[0], rows.length);
      const { x, y, width, height } = boxOf([top, bottom, left, Math.min(left + size[1], columns.length)]);
      // Below and on the right, so that no line is drawn twice.
      const d = `M${x + width},${y}v${height}h${-width}`;
      this.scene.put(`to come ${at}`, "path", { class: "att-to-come", d });
      const said = String(at + 1);
      if (height < 1.2 * type || width < (0.6 * said.length + 0.4) * type) continue;
      const middle = { x: x + width / 2, y: y + height / 2 + 0.35 * type, "text-anchor": "middle" };
      this.write(`number ${at}`, said, { ...middle, class: "att-to-come-number" });
    }
  }

  // What was in memory before, tile by tile, and what never is.
  seen(boxOf, type, { font }) {
    const { columns, tile, size, gone, skipped } = this.sent.running;
    const { labels } = this.sent;
    const [first, last, from] = tile;
    const bands = [
      [0, first, 0, columns.length],
      [first, last, 0, from],
    ].filter(([top, bottom, left, right]) => bottom > top && right > left);
    const edges = (start, end, step) =>
      Array.from({ length: Math.ceil((end - start) / step) - 1 }, (_, at) => start + (at + 1) * step);
    bands.forEach((band, at) => {
      const [top, bottom, left, right] = band;
      this.scene.put(`seen ${at}`, "rect", { class: "att-seen", ...boxOf(band) });
      const lines = [
        ...edges(top, bottom, size[0]).map((row) => [row, row, left, right]),
        ...edges(left, right, size[1]).map((column) => [top, bottom, column, column]),
      ].map(boxOf);
      const d = lines.map((one) => `M${one.x},${one.y}l${one.width},${one.height}`).join(" ");
      if (d) this.scene.put(`cuts ${at}`, "path", { class: "att-cuts", d });
    });
    skipped.forEach((box, at) => {
      this.scene.put(`skipped ${at}`, "rect", { class: "att-skipped", fill: `url(#${HATCH})`, ...boxOf(box) });
    });
    const named = [...(gone ? [[gone, labels.gone]] : []), ...skipped.map((box) => [box, labels.skipped_here])];
    named.forEach(([box, said], at) => {
      const { x, y, width, height } = boxOf(clear(box, tile));
      if (width < widthOf(said, type, font) + 8 || height < 1.3 * type) return;
      const middle = { x: x + width / 2, y: y + height / 2 + 0.35 * type, "text-anchor": "middle" };
      const words = this.write(`said ${at}`, said, { ...middle, class: "att-said-there" });
      // Once the frame has left.
      this.corrections.add(words, { opacity: 0 }, { opacity: 1 }, true);
    });
  }

  headAndLines() {
    const { labels, running } = this.sent;
    return [
      [labels.queries, labels.maximum, labels.factor, labels.sum, labels.by_tiles, labels.usual],
      running.rows.map((token, at) => {
        const [maximum, sum] = labels.written[at];
        const results = at === running.followed.row ? labels.results : ["", ""];
        return [token, maximum, labels.factors[at], sum, ...results];
      }),
    ];
  }
}
