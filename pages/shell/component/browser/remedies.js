// One row of weights under several remedies: a column each, with bars over the words and what has become of the row, and
// below them a line each with the largest weight at every factor by which queries are stretched, as far as they are. What
// the row is without a remedy is dashed in the columns of the others.

import { Scene } from "./scene.js";
import { clip } from "./sentence_line.js";
import { SvgFigure } from "./svg_figure.js";
import { broken, fixed, widthOf } from "./text.js";

// Pixels: type, that of a number at a bar and that of a verdict; the bars, between two columns, the widest column and
// place of a word, a line of largest weights; all but type again where there is little room, which is below the last.
const [TYPE, NUMBER, VERDICT] = [14, 12, 19];
const WIDE = { bars: 118, gap: 40, column: 420, word: 110, line: 26 };
const NARROW = { bars: 66, gap: 18, column: 420, word: 110, line: 24, below: 700 };
// Pixels between two lines, and in type between a line and what stands before and after it.
const [BETWEEN, BESIDE] = [7, 0.6];
// The least share that has its number at its bar, and the part of a bar's place between the words and what no word gets.
const [TOLD, APART] = [0.1, 0.4];
const MARKS = { holds: "✓", gives: "✕", flat: "≈" };

export class Remedies extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-remedies");
    this.scene = new Scene(this.svg);
  }

  picture({ width, colours }) {
    const { remedies } = this.sent;
    const { large, font } = colours;
    const type = TYPE * large;
    const isNarrow = width < NARROW.below * large;
    const sizes = isNarrow ? NARROW : WIDE;
    const count = remedies.weights.length;
    const across = isNarrow ? Math.min(count, 2) : count;
    const gap = sizes.gap * large;
    const wide = Math.min((width - (across - 1) * gap) / across, sizes.column * large);
    this.layout = { large, font, type, wide, high: sizes.bars * large, ...this.places(wide, type, font, sizes) };
    const lines = Math.ceil(count / across);
    const below = lines * this.layout.column + (lines - 1) * 1.2 * type;
    const hasLines = remedies.factors.length > 0;
    const said = broken(this.sent.labels.largest, width, type, font);
    const from = below + 12 * large;
    const under = from + (1 + 1.3 * said.length) * type;
    const height = hasLines ? under + count * (sizes.line + BETWEEN) * large + 3.1 * type : below;
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", this.sent.note);
    this.scene.draw(() => {
      remedies.weights.forEach((_, at) => {
        const line = Math.floor(at / across);
        this.column(at, (at % across) * (wide + gap), line * (this.layout.column + 1.2 * type));
      });
      if (!hasLines) return;
      said.forEach((part, at) => this.write(`largest ${at}`, part, { x: 0, y: from + (1 + 1.3 * at) * type }));
      this.lines(width, under, sizes.line * large);
    });
  }

  // Of a column: the place of a word, and where its parts stand from its top on.
  places(wide, type, font, sizes) {
    const { labels, remedies } = this.sent;
    const hasNowhere = remedies.nowhere.some((share) => share !== null);
    const heads = [...remedies.tokens.map((token) => clip(token)), ...(hasNowhere ? [labels.nowhere] : [])];
    const step = Math.min(wide / (heads.length + (hasNowhere ? APART : 0)), sizes.word * (type / TYPE));
    const isSlanted = heads.some((token) => widthOf(token, type, font) > step - 3);
    const whys = labels.whys.map((why) => broken(why, wide, type, font));
    const foot = (1.35 + 1.25 * Math.max(...whys.map((why) => why.length))) * type + 8 + sizes.bars * (type / TYPE);
    const under = foot + (isSlanted ? 4 : 1.9) * type;
    const isJudged = remedies.states.some((states) => states.length);
    return { heads, step, isSlanted, whys, foot, under, column: under + (isJudged ? 3.4 * type : 0) };
  }

  column(at, x, y) {
    const { labels, remedies } = this.sent;
    const { type, whys, foot, under, heads, step, large } = this.layout;
    this.write(`name ${at}`, labels.names[at], { x, y: y + type, class: "att-remedy" });
    whys[at].forEach((why, line) =>
      this.write(`why ${at} ${line}`, why, { x, y: y + (2.35 + 1.25 * line) * type, class: "att-why" }),
    );
    const bottom = y + foot;
    this.bars(at, x, bottom);
    // Of words that stand closer than their type is high, some.
    const every = Math.ceil(type / step);
    heads.forEach((head, place) => {
      const isWord = place < remedies.tokens.length;
      if ((isWord && place % every) || (!isWord && remedies.nowhere[at] === null)) return;
      this.token(head, `${at} ${place}`, x + (place + 0.5 + (isWord ? 0 : APART)) * step, bottom + 1.2 * type);
    });
    const state = remedies.states[at][remedies.at];
    if (!state) return;
    const place = { x, y: y + under + 1.2 * type, class: `att-verdict att-${state}`, "font-size": VERDICT * large };
    this.write(`verdict ${at}`, `${MARKS[state]} ${labels.verdicts[at]}`, place);
    this.write(`takes ${at}`, labels.takes[at], { x, y: y + under + 2.7 * type });
  }

  write(name, text, attributes) {
    return this.scene.put(name, "text", attributes, this.svg, text);
  }

  line(name, attributes) {
    this.scene.put(name, "line", attributes);
  }

  token(token, name, x, y) {
    const place = this.layout.isSlanted
      ? { "text-anchor": "end", transform: `rotate(-62 ${x} ${y})` }
      : { "text-anchor": "middle", transform: null };
    this.write(`token ${name}`, token, { x, y, ...place });
  }

  bars(line, x, bottom) {
    const { weights, nowhere } = this.sent.remedies;
    const { step } = this.layout;
    const count = weights[line].length;
    this.line(`base ${line}`, { class: "att-base", x1: x, x2: x + count * step, y1: bottom, y2: bottom });
    weights[line].forEach((weight, at) => {
      this.bar(`${line} ${at}`, "att-weight", weight, line ? weights[0][at] : null, x + at * step, bottom);
    });
    if (nowhere[line] === null) return;
    this.bar(`${line} nowhere`, "att-nowhere", nowhere[line], null, x + (count + APART) * step, bottom);
  }

  // dashed: the share without a remedy.
  bar(name, kind, share, dashed, x, bottom) {
    const { step, high, large } = this.layout;
    const box = { x: x + 0.1 * step, width: 0.8 * step };
    this.scene.put(`frame ${name}`, "rect", { class: "att-room", ...box, y: bottom - high, height: high });
    const size = { y: bottom - share * high, height: share * high };
    this.scene.put(`bar ${name}`, "rect", { class: kind, ...box, ...size });
    if (dashed !== null) {
      const y = bottom - dashed * high;
      this.line(`dashed ${name}`, { class: "att-untamed", x1: box.x, x2: box.x + box.width, y1: y, y2: y });
    }
    const type = NUMBER * large;
    if ((kind === "att-weight" && share < TOLD) || box.width < 2.1 * type) return;
    // Above the bar, and where there is no room, in it.
    const isAbove = (1 - share) * high > 1.3 * type;
    let y = isAbove ? size.y - 0.35 * type : size.y + 1.1 * type;
    // A dashed line that would run through the number has it above, too, where there is room.
    const mark = dashed === null ? y : bottom - dashed * high;
    if (isAbove && mark < y && mark > y - 1.1 * type && (1 - dashed) * high > 1.3 * type) y = mark - 0.35 * type;
    const middle = { x: box.x + box.width / 2, y, "text-anchor": "middle", "font-size": type };
    this.write(`number ${name}`, fixed(share, 2), { class: isAbove ? "att-share" : "att-share att-inside", ...middle });
  }

  // The largest weights over one axis, a line a remedy, with what has become of the row where the last of them stands.
  lines(width, top, high) {
    const { labels, remedies } = this.sent;
    const { type, font, large } = this.layout;
    const beside = BESIDE * type;
    const x = Math.max(...labels.names.map((name) => widthOf(name, type, font))) + beside;
    const wide = width - x - beside - 1.2 * type;
    const step = wide / remedies.factors.length;
    const here = x + (remedies.at + 1) * step;
    remedies.largest.forEach((of, line) => {
      const bottom = top + line * (high + BETWEEN * large) + high;
      const middle = bottom - high / 2 + 0.35 * type;
      this.write(`line ${line}`, labels.names[line], { x: 0, y: middle });
      this.scene.put(`room ${line}`, "rect", { class: "att-room", x, width: wide, y: bottom - high, height: high });
      of.slice(0, remedies.at + 1).forEach((share, at) => {
        const place = { x: x + at * step, width: step, y: bottom - share * high, height: share * high };
        this.scene.put(`most ${line} ${at}`, "rect", { class: `att-most att-${remedies.states[line][at]}`, ...place });
      });
      const mark = this.scene.put(`here ${line}`, "g");
      mark.style.transform = `translate(${here + beside}px, 0)`;
      const state = remedies.states[line][remedies.at];
      const place = { x: 0, y: middle, class: `att-verdict att-${state}` };
      this.scene.put(`mark ${line}`, "text", place, mark, MARKS[state]);
    });
    this.axis(x, step, top + remedies.largest.length * (high + BETWEEN * large));
  }

  axis(x, step, bottom) {
    const { labels, remedies } = this.sent;
    const { type, large } = this.layout;
    const wide = step * remedies.factors.length;
    remedies.ticks.forEach((tick, at) => {
      const place = { x: x + (remedies.factors.indexOf(Number(tick)) + 0.5) * step, y: bottom + type };
      // Where there is little room, every third one.
      if (wide > 36 * large * remedies.ticks.length || at % 3 === 0)
        this.write(`factor ${at}`, tick, { ...place, "text-anchor": "middle" });
    });
    this.write("factor", labels.factor, { x: x + wide / 2, y: bottom + 2.4 * type, "text-anchor": "middle" });
  }

  headAndLines() {
    const { labels, remedies } = this.sent;
    const share = (of) => (of === null ? "" : fixed(of, 2));
    return [
      [labels.remedy, ...remedies.tokens, labels.nowhere, labels.most, labels.verdict],
      remedies.weights.map((weights, line) => [
        labels.names[line],
        ...weights.map(share),
        share(remedies.nowhere[line]),
        share(Math.max(...weights)),
        labels.verdicts[line],
      ]),
    ];
  }
}
