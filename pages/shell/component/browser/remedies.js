// One row of weights under several remedies: bars over the words, what no word gets as a bar of its own, and the largest
// weight as a curve over the factor by which queries are stretched, with the place of the chosen one. What the row is
// without a remedy is dashed in the lines of the others.

import { Scene } from "./scene.js";
import { clip } from "./sentence_line.js";
import { SvgFigure } from "./svg_figure.js";
import { fixed, widthOf } from "./text.js";

// Pixels: a line of bars, and where there is little room; type, that of a number at a bar, the names beside the bars,
// between bars and curve, the width below which names stand above, the widest place of a word.
const [BARS, LOW, TYPE, NUMBER, NAMES, BETWEEN, NARROW, WIDEST] = [62, 44, 14, 12, 290, 44, 700, 110];
// The least share that has its number at its bar, and the part of a bar's place between the words and what no word gets.
const [TOLD, APART] = [0.1, 0.4];

export class Remedies extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-remedies");
    this.scene = new Scene(this.svg);
  }

  picture({ width, colours }) {
    const { labels, remedies } = this.sent;
    const { large, font } = colours;
    const type = TYPE * large;
    const isNarrow = width < NARROW * large;
    const names = isNarrow ? 0 : NAMES * large;
    const high = (isNarrow ? LOW : BARS) * large;
    const line = high + 10 * large + (isNarrow ? 1.6 * type : 0);
    const bars = { x: names, width: isNarrow ? 0.56 * width : 0.48 * (width - names) };
    const from = bars.x + bars.width + (isNarrow ? 22 : BETWEEN) * large;
    const curve = { x: from, width: width - from - 44 * large };
    const count = remedies.tokens.length;
    const places = count + (remedies.nowhere.some((share) => share !== null) ? 1 + APART : 0);
    const step = Math.min(bars.width / places, WIDEST * large);
    const heads = [...remedies.tokens.map((token) => clip(token)), labels.nowhere];
    const isSlanted = heads.some((token) => widthOf(token, type, font) > step - 4);
    const top = (isSlanted ? 4 : 2.2) * type;
    const height = top + remedies.weights.length * line + 2.8 * type;
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", this.sent.note);
    this.scene.draw(() => {
      // Of words that stand closer than their type is high, some.
      const every = Math.ceil(type / step);
      heads.forEach((token, at) => {
        const isWord = at < count;
        if (isWord && at % every) return;
        const x = bars.x + (at + 0.5 + (isWord ? 0 : APART)) * step;
        this.token(token, at, x, top, isSlanted, type);
      });
      this.write("largest", labels.largest, { x: curve.x, y: type });
      remedies.weights.forEach((_, at) => {
        const place = { bottom: top + (at + 1) * line - 6 * large, high, large, type };
        this.names(at, place, isNarrow, font);
        this.bars(at, bars.x, step, place);
        this.curve(at, curve, place, isNarrow);
      });
      this.axis(curve, height, type, isNarrow ? width : 0);
    });
  }

  // What is done to the scores, and below it, or where there is little room beside it, what that is for.
  names(at, { bottom, high, large, type }, isNarrow, font) {
    const { names, whys } = this.sent.labels;
    const y = isNarrow ? bottom - high - 0.5 * type : bottom - 0.55 * high;
    this.write(`name ${at}`, names[at], { x: 0, y, class: "att-remedy" });
    const place = isNarrow ? { x: widthOf(names[at], 1.1 * type, font) + 10 * large, y } : { x: 0, y: y + 1.35 * type };
    this.write(`why ${at}`, whys[at], { ...place, class: "att-why" });
  }

  write(name, text, attributes) {
    return this.scene.put(name, "text", attributes, this.svg, text);
  }

  line(name, attributes) {
    this.scene.put(name, "line", attributes);
  }

  token(token, at, x, top, isSlanted, type) {
    const y = top - 0.6 * type;
    const place = isSlanted
      ? { "text-anchor": "start", transform: `rotate(-50 ${x} ${y})` }
      : { "text-anchor": "middle", transform: null };
    this.write(`token ${at}`, token, { x, y, ...place });
  }

  bars(line, x, step, place) {
    const { weights, nowhere } = this.sent.remedies;
    const { bottom } = place;
    const count = weights[line].length;
    this.line(`base ${line}`, { class: "att-base", x1: x, x2: x + count * step, y1: bottom, y2: bottom });
    weights[line].forEach((weight, at) => {
      const dashed = line ? weights[0][at] : null;
      this.bar(`${line} ${at}`, "att-weight", weight, dashed, x + at * step, step, place);
    });
    if (nowhere[line] === null) return;
    this.bar(`${line} nowhere`, "att-nowhere", nowhere[line], null, x + (count + APART) * step, step, place);
  }

  // dashed: the share without a remedy.
  bar(name, kind, share, dashed, x, step, { bottom, high, large }) {
    const box = { x: x + 0.14 * step, width: 0.72 * step };
    this.scene.put(`frame ${name}`, "rect", { class: "att-room", ...box, y: bottom - high, height: high });
    const size = { y: bottom - share * high, height: share * high };
    this.scene.put(`bar ${name}`, "rect", { class: kind, ...box, ...size });
    if (dashed !== null) {
      const y = bottom - dashed * high;
      this.line(`dashed ${name}`, { class: "att-untamed", x1: box.x, x2: box.x + box.width, y1: y, y2: y });
    }
    const type = NUMBER * large;
    if ((kind === "att-weight" && share < TOLD) || box.width < 2.2 * type) return;
    // Above the bar, and where there is no room, in it.
    const isAbove = (1 - share) * high > 1.3 * type;
    let y = isAbove ? size.y - 0.35 * type : size.y + 1.1 * type;
    // A dashed line that would run through the number has it above, too, where there is room.
    const mark = dashed === null ? y : bottom - dashed * high;
    if (isAbove && mark < y && mark > y - 1.1 * type && (1 - dashed) * high > 1.3 * type) y = mark - 0.35 * type;
    const middle = { x: box.x + box.width / 2, y, "text-anchor": "middle", "font-size": type };
    this.write(`number ${name}`, fixed(share, 2), { class: isAbove ? "att-share" : "att-share att-inside", ...middle });
  }

  curve(line, { x, width }, { bottom, high, large, type }, isNarrow) {
    const { labels, remedies } = this.sent;
    const [own, raw] = [remedies.largest[line], remedies.largest[0]];
    const across = (at) => x + along(remedies.factors, remedies.factors[at]) * width;
    const path = (of) =>
      `M${of.map((share, at) => `${across(at).toFixed(1)},${(bottom - share * high).toFixed(1)}`).join(" L")}`;
    this.scene.put(`room ${line}`, "rect", { class: "att-room", x, y: bottom - high, width, height: high });
    if (line) this.scene.put(`untamed ${line}`, "path", { class: "att-untamed", d: path(raw) });
    this.scene.put(`curve ${line}`, "path", { class: line ? "att-curve" : "att-untamed att-bare", d: path(own) });
    const here = across(remedies.at);
    const now = this.scene.put(`now ${line}`, "g");
    now.style.transform = `translate(${here}px, ${bottom - high}px)`;
    this.scene.put(`rule ${line}`, "line", { class: "att-now", x1: 0, x2: 0, y1: 0, y2: high }, now);
    const dot = this.scene.put(`here ${line}`, "g");
    dot.style.transform = `translate(${here}px, ${bottom - own[remedies.at] * high}px)`;
    this.scene.put(`dot ${line}`, "circle", { class: "att-here", cx: 0, cy: 0, r: 6 * large }, dot);
    const beside = { x: x + width + 8 * large, y: bottom - 0.4 * high, class: "att-largest" };
    this.write(`share ${line}`, fixed(own[remedies.at], 2), beside);
    if (isNarrow) return;
    // Each name at the end of its line: below it where there is room, and away from the other line.
    const ends = [own, raw].map((of) => bottom - of.at(-1) * high);
    const below = (y) => y + 1.15 * type < bottom;
    const place = (y) => ({ x: x + width - 6 * large, y: below(y) ? y + 1.05 * type : y - 0.4 * type });
    const words = { class: "att-of-line", "text-anchor": "end" };
    this.write(`line ${line}`, labels.names[line], { ...words, ...place(ends[0]) });
    if (line && ends[0] - ends[1] > 2.4 * type)
      this.write(`other ${line}`, labels.names[0], { ...words, class: "att-of-line att-why", ...place(ends[1]) });
  }

  // end: where its name ends, 0 for below its middle.
  axis({ x, width }, height, type, end) {
    const { labels, remedies } = this.sent;
    remedies.ticks.forEach((tick, at) => {
      const place = { x: x + along(remedies.factors, Number(tick)) * width, y: height - 1.7 * type };
      // Where there is little room, every other one.
      if (width > 30 * remedies.ticks.length || at % 3 === 0)
        this.write(`factor ${at}`, tick, { ...place, "text-anchor": "middle" });
    });
    this.write("factor", labels.factor, {
      x: end || x + width / 2,
      y: height - 0.3 * type,
      "text-anchor": end ? "end" : "middle",
    });
  }

  headAndLines() {
    const { labels, remedies } = this.sent;
    const share = (of) => (of === null ? "" : fixed(of, 2));
    return [
      [labels.remedy, ...remedies.tokens, labels.nowhere, labels.largest],
      remedies.weights.map((weights, line) => [
        labels.names[line],
        ...weights.map(share),
        share(remedies.nowhere[line]),
        share(remedies.largest[line][remedies.at]),
      ]),
    ];
  }
}

// How far along the axis a factor stands: the same way for each tenfold.
function along(factors, factor) {
  const [first, last] = [factors[0], factors.at(-1)].map(Math.log);
  return (Math.log(factor) - first) / (last - first);
}
