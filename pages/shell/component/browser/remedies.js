// One row of weights under several remedies: the query as long as it is (remedies_query.js), a column each with its scores
// (remedies_scores.js), bars over the words, what has become of the row and the gradient that is left of it
// (remedies_slope.js), and below them a lane each with the largest weight at every factor by which queries are stretched, as
// far as they are (remedies_lanes.js). What the row is without a remedy is
// dashed in the columns of the others.

import { highOfLane, lanes } from "./remedies_lanes.js";
import { query } from "./remedies_query.js";
import { highOfScores, scores } from "./remedies_scores.js";
import { slope } from "./remedies_slope.js";
import { Scene } from "./scene.js";
import { clip } from "./sentence_line.js";
import { SvgFigure } from "./svg_figure.js";
import { broken, fixed, widthOf } from "./text.js";

// Pixels: type, and that of a number at a bar; the bars, the scores, a verdict, between two columns, the widest column and
// place of a word, a lane of largest weights; all but type again where there is little room, which is below the last.
const [TYPE, NUMBER] = [14, 12];
const WIDE = { bars: 92, scores: 110, verdict: 19, gap: 40, column: 420, word: 110, line: 20 };
const NARROW = { bars: 48, scores: 40, verdict: 15, gap: 24, column: 420, word: 110, line: 22, below: 700 };
// The width of the menu at the right edge.
const MENU = 40;
// How far above its bar, in its type, the dashed line of an untamed weight is at least, to be named: the bar's number stands
// between them.
const NAMED = 1.5;
// The least share that has its number at its bar, and the part of a bar's place between the words and what no word gets.
const [TOLD, APART] = [0.1, 0.4];
// One word with all the weight is no fault by itself: a head may want it.
const MARKS = { holds: "✓", gives: "●", flat: "≈" };

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
      ...this.places(wide, type, font, sizes, isNarrow),
    };
    const hasLines = remedies.factors.length > 0;
    const draws = { scene: this.scene, sent: this.sent, write: this.write.bind(this), layout: this.layout };
    const { labels } = this.sent;
    const said = [labels.slope_told, labels.largest].flatMap((one) => broken(one, width - MENU * large, type, font));
    // Where there is little room, what a remedy is for comes last: its scores and weights are to be seen beside the slider.
    const { isSplit, column, why } = this.layout;
    const each = (draw, high, y) => {
      const places = remedies.weights.map((_, at) => [(at % across) * (wide + gap), Math.floor(at / across)]);
      places.forEach(([x, line], at) => draw(at, x, y + line * (high + type)));
      return y + Math.ceil(count / across) * (high + type) - type;
    };
    let height = 0;
    this.scene.draw(() => {
      if (hasLines) height = query(draws, width);
      height = each((at, x, y) => this.column(draws, at, x, y), column, height);
      if (hasLines) {
        const from = height + (isNarrow ? type : 12 * large);
        said.forEach((part, at) => this.write(`largest ${at}`, part, { x: 0, y: from + (1 + 1.3 * at) * type }));
        const top = from + (1 + 1.3 * said.length) * type;
        lanes(draws, width, top);
        height = top + count * highOfLane(this.layout) + 1.4 * type;
      }
      if (isSplit) height = each((at, x, y) => this.cause(draws, at, x, y), why, height + 1.5 * type);
    });
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", this.sent.note);
  }

  // Of a column: the place of a word, and where its parts stand from its top on.
  places(wide, type, font, sizes, isNarrow) {
    const { labels, remedies } = this.sent;
    const hasNowhere = remedies.nowhere.some((share) => share !== null);
    const heads = [...remedies.tokens.map((token) => clip(token)), ...(hasNowhere ? [labels.nowhere] : [])];
    const step = Math.min(wide / (heads.length + (hasNowhere ? APART : 0)), sizes.word * (type / TYPE));
    const small = (isNarrow ? 0.85 : 1) * type;
    const isSlanted = heads.some((token) => widthOf(token, small, font) > step - 3);
    const whys = labels.whys.map((why) => broken(why, wide, type, font));
    const hasScores = remedies.scores.some((scores) => scores.length);
    const isSplit = isNarrow && hasScores;
    const why = (1.35 + 1.25 * Math.max(...whys.map((why) => why.length))) * type;
    const head = isSplit ? 1.2 * type : why;
    // Above the bars of weights what they are, where there are bars of scores, too.
    const shares = head + (hasScores ? highOfScores({ type, sizes, isSplit }) + (isSplit ? 0 : 1.3 * type) : 0);
    const foot = shares + 8 + sizes.bars * (type / TYPE);
    const longest = Math.max(...heads.map((token) => widthOf(token, small, font)));
    const under = foot + (isSlanted ? Math.max(3 * type, 1.3 * type + 0.9 * longest) : 1.9 * type);
    const isJudged = remedies.states.some((states) => states.length);
    const column = under + (isJudged ? (isSplit ? 2.7 : 3.4) * type : 0);
    return { heads, step, small, isSlanted, whys, head, isSplit, foot, under, column, why };
  }

  // Under the name of a remedy what it is for.
  cause(draws, at, x, y) {
    const { type, whys } = this.layout;
    const { labels } = this.sent;
    if (this.layout.isSplit) this.write(`cause ${at}`, labels.names[at], { x, y: y + type, class: "att-remedy" });
    whys[at].forEach((why, line) =>
      this.write(`why ${at} ${line}`, why, { x, y: y + (2.35 + 1.25 * line) * type, class: "att-why" }),
    );
  }

  column(draws, at, x, y) {
    const { labels, remedies } = this.sent;
    const { type, head, foot, under, heads, step, large, sizes, isSplit, high } = this.layout;
    this.write(`name ${at}`, labels.names[at], { x, y: y + type, class: "att-remedy" });
    if (!isSplit) this.cause(draws, at, x, y);
    if (remedies.scores[at].length) scores(draws, at, x, y + head);
    const bottom = y + foot;
    if (!isSplit && !at && remedies.scores[at].length)
      this.write("shares", labels.shares, { x, y: bottom - high - 0.6 * type, class: "att-why att-small" });
    this.bars(at, x, bottom);
    // Of words that stand closer than their type is high, some.
    const every = Math.ceil(type / step);
    heads.forEach((token, place) => {
      const isWord = place < remedies.tokens.length;
      if ((isWord && place % every) || (!isWord && remedies.nowhere[at] === null)) return;
      this.token(token, `${at} ${place}`, x + (place + 0.5 + (isWord ? 0 : APART)) * step, bottom + 1.2 * type);
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
    slope(draws, at, x, y + under + (isSplit ? 2.4 : 2.8) * type);
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
    this.write(`token ${name}`, token, { x, y, ...place, "font-size": this.layout.small });
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

  headAndLines() {
    const { labels, remedies } = this.sent;
    const share = (of) => (of === null ? "" : fixed(of, 2));
    return [
      [labels.remedy, ...remedies.tokens, labels.nowhere, labels.most, labels.verdict, labels.slope],
      remedies.weights.flatMap((weights, line) => {
        const of = [
          share(remedies.nowhere[line]),
          share(Math.max(...weights)),
          labels.verdicts[line],
          labels.slopes[line],
        ];
        const scores = [`${labels.names[line]}, ${labels.scores_told}`, ...labels.written[line], "", "", "", ""];
        return [[labels.names[line], ...weights.map(share), ...of], ...(labels.written[line].length ? [scores] : [])];
      }),
    ];
  }
}
