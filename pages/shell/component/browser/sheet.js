// All that a layer computes for a text as blocks by area, and on the same scale the blocks of twice the text: that of the
// pairs is twice as wide and twice as high, the others are twice as high. Above, how the share of the pairs goes with n.

import { Scene } from "./scene.js";
import { track } from "./sheet_track.js";
import { SvgFigure } from "./svg_figure.js";
import { widthOf } from "./text.js";

// Pixels: the height of the blocks of a text, type, between two blocks, between the two texts, a line of the key to the blocks,
// its sample, the width below which the key stands above both; beside them, of the button.
const [HEIGHT, TYPE, GAP, APART, LINE, SAMPLE, NARROW] = [150, 15, 2, 40, 44, 16, 760];
const BUTTON = 48;
// Lines of type above the blocks, for factors that have no room in theirs.
const ABOVE = 1.6;
// The columns of the key, of the widest text of each.
const COLUMN = 18;

export class Sheet extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-sheet");
    this.scene = new Scene(this.svg);
  }

  picture({ width, colours }) {
    const { parts } = this.sent.sheet;
    const { large, font } = colours;
    const type = TYPE * large;
    const isNarrow = width < NARROW * large;
    const key = parts.length * LINE * large + 0.6 * type;
    const apart = isNarrow ? APART / 2 : APART * large;
    // Where all are pairs, twice the text is twice as wide: the scale is the same at each n.
    const beside = isNarrow ? 0 : BUTTON;
    const unit = (width - beside - apart - 2 * (parts.length - 1) * GAP) / 3;
    const high = Math.min(HEIGHT * large, 1.2 * unit);
    this.scene.draw(() => {
      const start = track(this.scene, this.sent, { width, type, large, font });
      const ground = start + (isNarrow ? key : 0) + ABOVE * type + 2 * high;
      this.key(start, { type, large, font });
      this.blocks("once", { x: 0, unit, high, ground, wide: 1, times: 1, type, font });
      const x = unit + (parts.length - 1) * GAP + apart;
      this.blocks("twice", { x, unit, high, ground, wide: 2, times: 2, type, font });
      this.said("once", 0, ground, { type, isNarrow, labels: [this.sent.labels.once, this.sent.labels.takes] });
      const { twice, takes_twice: takes } = this.sent.labels;
      this.said("twice", x, ground, { type, isNarrow, labels: [twice, takes] });
      const height = ground + (isNarrow ? 3.6 : 2.2) * type;
      Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
      this.svg.setAttribute("aria-label", this.sent.note);
    });
  }

  // The blocks of a text, from its foot up: the first is as many times wider.
  blocks(name, { x, unit, high, ground, wide, times, type, font }) {
    const { factors } = this.sent.labels;
    let [at, end] = [x, x];
    this.sent.sheet.parts.forEach((part, index) => {
      const box = {
        x: at,
        y: ground - times * high,
        width: Math.max(part * unit * (index ? 1 : wide), 1),
        height: times * high,
      };
      this.scene.put(`${name} ${index}`, "rect", { class: `att-block att-part-${index}`, ...box });
      at += box.width + GAP;
      if (times === 1) return;
      const size = 1.5 * type;
      const fits = widthOf(factors[index], size, font, 700) + type < box.width;
      // Above those without room, the next one beside it.
      const start = Math.max(box.x, end);
      if (!fits) end = start + widthOf(factors[index], type, font, 700) + 4;
      const place = fits
        ? { x: box.x + box.width / 2, y: box.y + box.height / 2 + 0.35 * size, "text-anchor": "middle" }
        : { x: start, y: box.y - 0.4 * type, "text-anchor": "start" };
      const kind = `att-called${index || !fits ? "" : " att-in-square"}`;
      const written = { class: kind, "font-size": fits ? size : type, ...place };
      this.scene.put(`times ${index}`, "text", written, this.svg, factors[index]);
    });
  }

  // Which text it is and what all of it takes; on a narrow screen in two lines.
  said(name, x, ground, { type, isNarrow, labels: [text, takes] }) {
    const y = ground + 1.5 * type;
    this.scene.put(`${name} text`, "text", { class: "att-called", x, y }, this.svg, text);
    const place = isNarrow ? { x, y: y + 1.4 * type } : { x: x + 8.5 * type, y };
    this.scene.put(`takes ${name}`, "text", place, this.svg, takes);
  }

  // What each block is, which part of the whole, what it takes and, below, what is computed in it.
  key(start, { type, large, font }) {
    const { names, shares, said, means } = this.sent.labels;
    const widest = (texts, weight) => Math.max(...texts.map((text) => widthOf(text, type, font, weight)));
    const name = (SAMPLE + 8) * large;
    const share = name + widest(names, 700) + COLUMN * large + widthOf("00.0%", type, font, 700);
    names.forEach((called, at) => {
      const y = start + at * LINE * large + 1.2 * type;
      const box = { x: 0, y: y - 0.85 * type, width: SAMPLE * large, height: SAMPLE * large };
      this.scene.put(`sample ${at}`, "rect", { class: `att-block att-part-${at}`, ...box });
      this.scene.put(`name ${at}`, "text", { class: "att-called", x: name, y }, this.svg, called);
      const end = { class: "att-called", x: share, y, "text-anchor": "end" };
      this.scene.put(`share ${at}`, "text", end, this.svg, shares[at]);
      this.scene.put(`takes ${at}`, "text", { x: share + COLUMN * large, y }, this.svg, said[at]);
      const below = { class: "att-means", x: name, y: y + 1.25 * type, "font-size": 0.87 * type };
      this.scene.put(`means ${at}`, "text", below, this.svg, means[at]);
    });
  }

  headAndLines() {
    const { labels } = this.sent;
    return [
      [labels.part, labels.share, labels.once, labels.twice, labels.times],
      labels.names.map((name, at) => [
        name,
        ...[labels.shares[at], labels.said[at], labels.said_twice[at], labels.factors[at]],
      ]),
    ];
  }
}
