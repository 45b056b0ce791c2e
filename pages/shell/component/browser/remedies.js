// One row of weights under several remedies: a column each, with its scores, bars over the words and what has become of the
// row, and below them a lane each with the largest weight at every factor by which queries are stretched, as far as they are.
// What the row is without a remedy is dashed in the columns of the others.

import { Scene } from "./scene.js";
import { clip } from "./sentence_line.js";
import { SvgFigure } from "./svg_figure.js";
import { broken, fixed, widthOf } from "./text.js";

// Pixels: type, and that of a number at a bar; the bars, the scores, a verdict, between two columns, the widest column and
// place of a word, a lane of largest weights; all but type again where there is little room, which is below the last.
const [TYPE, NUMBER] = [14, 12];
const WIDE = { bars: 92, scores: 44, verdict: 19, gap: 40, column: 420, word: 110, line: 28 };
const NARROW = { bars: 60, scores: 32, verdict: 15, gap: 18, column: 420, word: 110, line: 22, below: 700 };
// Pixels between two lanes, and from an end of the slider above to the middle of its thumb: a lane stands below it.
const [BETWEEN, THUMB] = [6, 6];
// The width of the menu at the right edge.
const MENU = 40;
// How far above its bar, in its type, the dashed line of an untamed weight is at least, to be named: the bar's number stands
// between them.
const NAMED = 1.5;
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
    // The menu has the right edge, beside the columns where these come first.
    const menu = isNarrow ? 0 : MENU * large;
    const wide = Math.min((width - menu - (across - 1) * gap) / across, sizes.column * large);
    this.layout = {
      large,
      font,
      type,
      wide,
      isNarrow,
      sizes,
      high: sizes.bars * large,
      ...this.places(wide, type, font, sizes),
    };
    const lines = Math.ceil(count / across);
    const below = lines * this.layout.column + (lines - 1) * 1.2 * type;
    const hasLines = remedies.factors.length > 0;
    const said = broken(this.sent.labels.largest, width - MENU * large, type, font);
    const under = (1 + 1.3 * said.length) * type;
    const lanes = hasLines ? under + count * this.lane() + 1.4 * type : 0;
    // Where there is little room the lanes come first: they are to be seen beside the slider, whole.
    const from = isNarrow ? 0 : below + 12 * large;
    const start = isNarrow && hasLines ? lanes + type : 0;
    const height = isNarrow ? start + below : hasLines ? from + lanes : below;
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", this.sent.note);
    this.scene.draw(() => {
      remedies.weights.forEach((_, at) => {
        const line = Math.floor(at / across);
        this.column(at, (at % across) * (wide + gap), start + line * (this.layout.column + 1.2 * type));
      });
      if (!hasLines) return;
      said.forEach((part, at) => this.write(`largest ${at}`, part, { x: 0, y: from + (1 + 1.3 * at) * type }));
      this.lanes(width, from + under);
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
    const head = (1.35 + 1.25 * Math.max(...whys.map((why) => why.length))) * type;
    // Above both kinds of bars what they are; between that and the scores, their numbers.
    const hasScores = remedies.scores.some((scores) => scores.length);
    const strip = hasScores ? { from: head + 2.3 * type, high: sizes.scores * (type / TYPE) } : null;
    const foot = (strip ? strip.from + strip.high + 1.3 * type : head) + 8 + sizes.bars * (type / TYPE);
    const under = foot + (isSlanted ? 4 : 1.9) * type;
    const isJudged = remedies.states.some((states) => states.length);
    return { heads, step, isSlanted, whys, head, strip, foot, under, column: under + (isJudged ? 3.4 * type : 0) };
  }

  column(at, x, y) {
    const { labels, remedies } = this.sent;
    const { type, whys, foot, under, heads, step, large, sizes, strip } = this.layout;
    this.write(`name ${at}`, labels.names[at], { x, y: y + type, class: "att-remedy" });
    whys[at].forEach((why, line) =>
      this.write(`why ${at} ${line}`, why, { x, y: y + (2.35 + 1.25 * line) * type, class: "att-why" }),
    );
    const bottom = y + foot;
    if (strip) this.scores(at, x, y);
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
    const place = {
      x,
      y: y + under + 1.2 * type,
      class: `att-verdict att-${state}`,
      "font-size": sizes.verdict * large,
    };
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

  // Up or down from a line, on a scale of the column, which the line of the cap makes known.
  scores(line, x, y) {
    const { labels, remedies } = this.sent;
    const { type, head, strip, foot, high, step, large, isNarrow } = this.layout;
    const [top, middle] = [y + strip.from, y + strip.from + strip.high / 2];
    const right = x + remedies.tokens.length * step;
    const said = line ? labels.scores_short : labels.scores;
    this.write(`scores ${line}`, said, { x, y: y + head + 0.9 * type, class: "att-why att-small" });
    this.write(`shares ${line}`, labels.shares, { x, y: y + foot - high - 0.6 * type, class: "att-why att-small" });
    this.line(`zero ${line}`, { class: "att-base", x1: x, x2: right, y1: middle, y2: middle });
    remedies.scores[line].forEach((score, at) => {
      const tall = (Math.abs(score) * strip.high) / 2;
      const box = { x: x + (at + 0.3) * step, width: 0.4 * step, y: score > 0 ? middle - tall : middle, height: tall };
      this.scene.put(`score ${line} ${at}`, "rect", { class: "att-score", ...box });
      const small = NUMBER * large;
      if (step < 2.4 * small) return;
      const place = { x: x + (at + 0.5) * step, y: top - 0.3 * small, "text-anchor": "middle", "font-size": small };
      this.write(`written ${line} ${at}`, labels.written[line][at], { ...place, class: "att-share" });
    });
    const cap = remedies.marks[line];
    const kind = remedies.capped[line] ? "att-bound" : "att-bound att-elsewhere";
    for (const side of [1, -1]) {
      const at = middle - (side * cap * strip.high) / 2;
      this.line(`cap ${line} ${side}`, { class: kind, x1: x, x2: right, y1: at, y2: at });
    }
    if (isNarrow && !remedies.capped[line]) return;
    const place = { x: right + 3, y: middle - (cap * strip.high) / 2 + 4, "font-size": NUMBER * large };
    this.write(`cap ${line} said`, labels.cap, place);
  }

  bars(line, x, bottom) {
    const { weights, nowhere } = this.sent.remedies;
    const { step } = this.layout;
    const count = weights[line].length;
    this.line(`base ${line}`, { class: "att-base", x1: x, x2: x + count * step, y1: bottom, y2: bottom });
    weights[line].forEach((weight, at) => {
      this.bar(`${line} ${at}`, "att-weight", weight, line ? weights[0][at] : null, x + at * step, bottom);
    });
    if (line) this.untamed(line, x, bottom);
    if (nowhere[line] === null) return;
    this.bar(`${line} nowhere`, "att-nowhere", nowhere[line], null, x + (count + APART) * step, bottom);
  }

  // The name of the dashed lines, over that of the word which takes most without a remedy.
  untamed(line, x, bottom) {
    const { remedies } = this.sent;
    const { untamed } = this.sent.labels;
    const { step, high, large, font, wide } = this.layout;
    const most = Math.max(...remedies.weights[0]);
    const at = remedies.weights[0].indexOf(most);
    const small = NUMBER * large;
    if (!untamed || (most - remedies.weights[line][at]) * high < NAMED * small) return;
    const half = widthOf(untamed, small, font) / 2;
    const middle = Math.min(Math.max((at + 0.5) * step, half), Math.max(wide - half, half));
    // Above its line, and above the frame, too, where it would stand on that.
    const mark = bottom - most * high - 4;
    const y = mark - small < bottom - high ? bottom - high - 4 : mark;
    const place = { x: x + middle, y, "text-anchor": "middle", "font-size": small };
    this.write(`untamed ${line}`, untamed, { class: "att-share", ...place });
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

  // From the name of a lane to that of the next one.
  lane() {
    const { type, sizes, large } = this.layout;
    return 1.25 * type + (sizes.line + BETWEEN) * large;
  }

  // The largest weights, a lane a remedy below the slider: a step under each place of its thumb. Lines stand where the
  // verdict changes.
  lanes(width, top) {
    const { labels, remedies } = this.sent;
    const { type, font, large, sizes } = this.layout;
    const high = sizes.line * large;
    const end = { x: width, "text-anchor": "end", "font-size": NUMBER * large, class: "att-share" };
    const step = (width - 2 * THUMB) / (remedies.factors.length - 1);
    const middle = (at) => THUMB + at * step;
    remedies.largest.forEach((of, line) => {
      const y = top + line * this.lane();
      const bottom = y + 1.25 * type + high;
      this.write(`line ${line}`, labels.names[line], { x: 0, y: y + 0.9 * type });
      of.slice(0, remedies.at + 1).forEach((share, at) => {
        const [x, end] = [Math.max(middle(at) - step / 2, 0), Math.min(middle(at) + step / 2, width)];
        const box = { x, width: end - x, y: bottom - share * high, height: share * high };
        this.scene.put(`most ${line} ${at}`, "rect", { class: `att-most att-${remedies.states[line][at]}`, ...box });
      });
      this.scene.put(`room ${line}`, "rect", { class: "att-room", x: 0, width, y: bottom - high, height: high });
      const [lower, upper] = remedies.bounds.map((bound) => bottom - bound * high);
      // It ends before its number.
      const until = width - widthOf(labels.under, NUMBER * large, font) - 8;
      this.line(`lower ${line}`, { class: "att-bound", x1: 0, x2: until, y1: lower, y2: lower });
      this.line(`upper ${line}`, { class: "att-bound", x1: 0, x2: width, y1: upper, y2: upper });
      this.write(`over ${line}`, labels.over, { ...end, y: bottom - high - 4 });
      this.write(`under ${line}`, labels.under, { ...end, x: width - 4, y: lower + 4 });
    });
    const under = top + remedies.largest.length * this.lane() + 0.8 * type;
    remedies.ticks.forEach((tick, at) => {
      const x = middle(remedies.factors.indexOf(Number(tick)));
      const half = widthOf(tick, type, font) / 2;
      const place = { x: Math.min(Math.max(x, half), width - half), y: under, "text-anchor": "middle" };
      // Where there is little room, every third one.
      if (width > 36 * large * remedies.ticks.length || at % 3 === 0) this.write(`factor ${at}`, tick, place);
    });
  }

  headAndLines() {
    const { labels, remedies } = this.sent;
    const share = (of) => (of === null ? "" : fixed(of, 2));
    return [
      [labels.remedy, ...remedies.tokens, labels.nowhere, labels.most, labels.verdict],
      remedies.weights.flatMap((weights, line) => {
        const of = [share(remedies.nowhere[line]), share(Math.max(...weights)), labels.verdicts[line]];
        const scores = [`${labels.names[line]}, ${labels.scores}`, ...labels.written[line], "", "", ""];
        return [[labels.names[line], ...weights.map(share), ...of], ...(labels.written[line].length ? [scores] : [])];
      }),
    ];
  }
}
