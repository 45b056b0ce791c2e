// One row of weights under several remedies: bars over the words, and the largest of them as a curve over the factor by
// which queries are stretched, with the place of the chosen one.

import { Scene } from "./scene.js";
import { clip } from "./sentence_line.js";
import { SvgFigure } from "./svg_figure.js";
import { fixed, widthOf } from "./text.js";

// Pixels: a line of bars, type, the names beside the bars, between bars and curve, the width below which names stand above.
const [BARS, TYPE, NAMES, BETWEEN, NARROW] = [52, 14, 270, 76, 700];

export class Remedies extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-remedies");
    this.scene = new Scene(this.svg);
  }

  picture({ width, colours }) {
    const { labels, remedies } = this.sent;
    const { large } = colours;
    const type = TYPE * large;
    const isNarrow = width < NARROW * large;
    const names = isNarrow ? 0 : NAMES * large;
    const line = (BARS + 10) * large + (isNarrow ? 1.6 * type : 0);
    const bars = { x: names, width: isNarrow ? 0.56 * width : 0.5 * (width - names) };
    const from = bars.x + bars.width + (isNarrow ? 30 : BETWEEN) * large;
    const curve = { x: from, width: width - from - 44 * large };
    const step = bars.width / remedies.tokens.length;
    const isSlanted = remedies.tokens.some((token) => widthOf(clip(token), type, colours.font) > step - 4);
    const top = (isSlanted ? 4 : 2.2) * type;
    const height = top + remedies.weights.length * line + 2.8 * type;
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", this.sent.note);
    this.scene.draw(() => {
      remedies.tokens.forEach((token, at) => this.token(token, at, bars.x + (at + 0.5) * step, top, isSlanted, type));
      this.write("largest", labels.largest, { x: curve.x, y: type });
      remedies.weights.forEach((weights, at) => {
        const bottom = top + (at + 1) * line - 6 * large;
        this.names(at, bottom, isNarrow, large, type, colours.font);
        this.bars(at, weights, bars, step, bottom, large);
        this.curve(at, curve, bottom, large);
      });
      this.axis(curve, height, type, isNarrow ? width : 0);
    });
  }

  // What is done to the scores, and below it, or where there is little room beside it, what that means.
  names(at, bottom, isNarrow, large, type, font) {
    const { names, whys } = this.sent.labels;
    const y = isNarrow ? bottom - BARS * large - 0.5 * type : bottom - 0.55 * BARS * large;
    this.write(`name ${at}`, names[at], { x: 0, y, class: "att-remedy" });
    const place = isNarrow ? { x: widthOf(names[at], 1.1 * type, font) + 10 * large, y } : { x: 0, y: y + 1.35 * type };
    this.write(`why ${at}`, whys[at], { ...place, class: "att-why" });
  }

  write(name, text, attributes) {
    return this.scene.put(name, "text", attributes, this.svg, text);
  }

  token(token, at, x, top, isSlanted, type) {
    const y = top - 0.6 * type;
    const place = isSlanted
      ? { "text-anchor": "start", transform: `rotate(-50 ${x} ${y})` }
      : { "text-anchor": "middle", transform: null };
    this.write(`token ${at}`, clip(token), { x, y, ...place });
  }

  bars(line, weights, { x, width }, step, bottom, large) {
    const high = BARS * large;
    this.scene.put(`base ${line}`, "line", { class: "att-base", x1: x, x2: x + width, y1: bottom, y2: bottom });
    weights.forEach((weight, at) => {
      const box = { x: x + at * step + 0.14 * step, width: 0.72 * step };
      this.scene.put(`frame ${line} ${at}`, "rect", { class: "att-room", ...box, y: bottom - high, height: high });
      const size = { y: bottom - weight * high, height: weight * high };
      this.scene.put(`bar ${line} ${at}`, "rect", { class: "att-weight", ...box, ...size });
    });
  }

  curve(line, { x, width }, bottom, large) {
    const { remedies } = this.sent;
    const high = BARS * large;
    const largest = remedies.largest[line];
    const across = (at) => x + (at / (largest.length - 1)) * width;
    const points = largest.map((share, at) => `${across(at).toFixed(1)},${(bottom - share * high).toFixed(1)}`);
    const known = remedies.known[line];
    const path = (end) => `M${points.slice(0, Math.min(end, known)).join(" L")}`;
    this.scene.put(`room ${line}`, "rect", { class: "att-room", x, y: bottom - high, width, height: high });
    // How it goes on; what is asked is not drawn, wherever the slider is.
    this.scene.put(`whole ${line}`, "path", { class: "att-curve att-pale", d: path(largest.length) });
    if (known < largest.length) {
      const middle = { x: across((known + largest.length) / 2 - 1), y: bottom - 0.36 * high };
      this.write(`open ${line}`, "?", { ...middle, class: "att-open", "text-anchor": "middle" });
    }
    this.scene.put(`curve ${line}`, "path", { class: "att-curve", d: path(remedies.at + 1) });
    if (remedies.at >= known) return;
    const here = this.scene.put(`here ${line}`, "g");
    here.style.transform = `translate(${across(remedies.at)}px, ${bottom - largest[remedies.at] * high}px)`;
    this.scene.put(`dot ${line}`, "circle", { class: "att-here", cx: 0, cy: 0, r: 6 * large }, here);
    const place = { x: x + width + 8 * large, y: bottom - 0.4 * high, class: "att-largest" };
    this.write(`share ${line}`, fixed(largest[remedies.at], 2), place);
  }

  // end: where its name ends, 0 for below its middle.
  axis({ x, width }, height, type, end) {
    const { labels, remedies } = this.sent;
    const last = remedies.factors.length - 1;
    remedies.factors.forEach((factor, at) => {
      const place = { x: x + (at / last) * width, y: height - 1.7 * type, "text-anchor": "middle" };
      // Where there is little room, every other one.
      if (width > 30 * remedies.factors.length || at % 3 === 0) this.write(`factor ${at}`, factor, place);
    });
    this.write("factor", labels.factor, {
      x: end || x + width / 2,
      y: height - 0.3 * type,
      "text-anchor": end ? "end" : "middle",
    });
  }

  headAndLines() {
    const { labels, remedies } = this.sent;
    return [
      [labels.remedy, ...remedies.tokens, labels.largest],
      remedies.weights.map((weights, line) => [
        labels.names[line],
        ...weights.map((weight) => fixed(weight, 2)),
        fixed(remedies.largest[line][remedies.at], 2),
      ]),
    ];
  }
}
