// The score of two words that move, both or one, under several kinds of positions: a chart for each, all on one scale,
// with the score along the places so far, and a dot at the present place. The behaviour is guessed in the charts; at
// the end each shows its verdict and that of the guess. Charts stand side by side, or below each other if there is
// little room.

import { MARKS as JUDGED } from "./guess.js";
import { drawHow } from "./kinds_how.js";
import { pressed } from "./pressed.js";
import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { broken } from "./text.js";

// Pixels: type, the numbers of the scale, the gap between charts, the height of a chart, and its height in a narrow
// picture; there, the room beside a chart; the width below which a picture is narrow. For the drawing of a kind: its
// height, and its room beside a chart.
const [TYPE, AXIS, GAP, HIGH, LOW, BESIDE, NARROW] = [14, 34, 22, 150, 54, 118, 760];
const [HOW, ROOM] = [64, 78];
// The free part of a chart above and below its scores; places between ticks; the height of a line of text, in its type.
const [MARGIN, TICK, LINE] = [0.04, 16, 1.3];
// Pixels of a line that has room for a reason.
const REASON = 232;
const MARKS = { open: "", stays: "✓ ", changes: "✕ ", moves: "✓ ", blind: "✕ ", restless: "✕ " };
const WANTED = ["stays", "moves"];
// The part of the gap between charts that a ground covers.
const AROUND = 0.4;

export class Kinds extends SvgFigure {
  constructor() {
    super({ role: "group" });
    this.root.classList.add("att-kinds");
    this.scene = new Scene(this.svg);
  }

  picture({ width, colours }) {
    const { labels } = this.sent;
    const { large } = colours;
    const type = TYPE * large;
    const isAcross = width >= NARROW * large;
    const count = labels.names.length;
    const left = AXIS * large;
    const gap = GAP * large;
    const wide = isAcross
      ? (width - left - (count - 1 + AROUND) * gap) / count
      : width - left - (ROOM + BESIDE) * large;
    const high = (isAcross ? HIGH : LOW) * large;
    const whys = labels.whys.map((why, of) =>
      isAcross ? broken(why, wide, type, colours.font) : [labels.reasons[of] || why],
    );
    const reasons = labels.reasons.map((reason) => (isAcross ? broken(reason, wide, type, colours.font) : []));
    // In narrow charts reasons take two lines, which are kept free, so that the charts stay in place.
    const least = wide < REASON * large ? 2 : 1;
    const under = isAcross ? Math.max(least, ...reasons.map((reason) => reason.length)) : 0;
    const lines = isAcross ? 2 + Math.max(...whys.map((why) => why.length)) : 1;
    // Above a chart stand its name and its behaviour, in words and drawn; side by side also its score, verdict and
    // reason.
    const shown = isAcross ? HOW * large : 0;
    const over = (LINE * (lines + (isAcross ? 1 + under : 0)) + 0.4) * type + shown;
    const step = over + high + 0.55 * type;
    const place = (kind) => ({
      x: left + (isAcross ? kind * (wide + gap) : 0),
      y: over + (isAcross ? 0 : kind * step),
      wide,
      high,
      large,
    });
    const bottom = isAcross ? over + high : count * step - 0.55 * type;
    const height = bottom + 1.6 * type;
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", this.sent.note);
    this.scene.draw(() => {
      labels.names.forEach((name, kind) => {
        const at = place(kind);
        const begin = isAcross ? at.x : 0;
        // The drawing of a kind stands below its words.
        const line = (number) => at.y - over + LINE * number * type + (number >= lines ? shown : 0);
        this.room(kind, { ...at, over, gap, width, isAcross, type });
        const named = this.write(`name ${kind}`, name, { x: begin, y: line(1), class: "att-kind" });
        const after = isAcross ? 0 : named.getComputedTextLength() + 0.6 * type;
        // The reason has a line of its own below the verdict; with charts below each other it replaces the kind's
        // description.
        reasons[kind].forEach((reason, number) =>
          this.write(`reason ${kind} ${number}`, reason, { x: begin, y: line(lines + 2 + number) }),
        );
        whys[kind].forEach((why, number) =>
          this.write(`why ${kind} ${number}`, why, { x: begin + after, y: line(isAcross ? number + 2 : 1) }),
        );
        const beside = (number) => ({
          x: at.x + wide + ROOM * large + 0.4 * type,
          y: at.y + (1.1 + LINE * number) * type,
        });
        const score = isAcross ? { x: begin, y: line(lines) } : beside(0);
        this.write(`score ${kind}`, labels.scores[kind], { ...score, class: "att-kind-score" });
        if (this.sent.kinds.verdicts[kind] !== "open")
          this.write(`verdict ${kind}`, this.said(kind), {
            ...(isAcross ? { x: begin, y: line(lines + 1) } : beside(1)),
            class: "att-kind",
          });
        const drawn = isAcross
          ? { ...at, y: line(lines - 1) + 0.4 * type, high: shown }
          : { ...at, x: at.x + wide + 0.6 * type, wide: (ROOM - 12) * large };
        this.how(kind, drawn);
        this.curve(kind, at);
        const inside = { x: at.x + 0.7 * type, y: at.y + high - (isAcross ? 0.8 : 0.4) * type };
        const isJudged = this.sent.kinds.judged.some(Boolean);
        // The earlier guess stands above the present question; if there is little room, beside the chart.
        this.judge(kind, isAcross ? { x: inside.x, y: inside.y - (this.isAsked(kind) ? 1.5 * type : 0) } : beside(2));
        this.guess(kind, isAcross || isJudged ? inside : beside(2), type);
        if (!kind || !isAcross) this.scale(kind, at, type);
      });
      for (let kind = 0; kind < (isAcross ? count : 1); kind += 1) this.places(place(kind).x, wide, bottom, type, kind);
    });
  }

  write(name, text, attributes) {
    return this.scene.put(name, "text", attributes, this.svg, text);
  }

  how(kind, place) {
    const { heights, arrows, words } = this.sent.kinds;
    drawHow(this.scene, this.svg, kind, { heights: heights[kind], arrows: arrows[kind], words }, place);
  }

  // The coloured ground of a kind whose score behaves as wanted.
  room(kind, { x, y, wide, high, over, gap, width, isAcross, type }) {
    if (!WANTED.includes(this.sent.kinds.verdicts[kind])) return;
    const [left, right] = isAcross ? [x - AROUND * gap, x + wide + AROUND * gap] : [-6, width + 6];
    const [above, below] = [y - over, y + high + (isAcross ? 1.6 : 0.3) * type];
    const ground = { x: left, y: above, width: right - left, height: below - above };
    this.scene.put(`good ${kind}`, "rect", { class: "att-good", rx: 6, ...ground });
  }

  said(kind) {
    const state = this.sent.kinds.verdicts[kind];
    return MARKS[state] + this.sent.labels[state];
  }

  isAsked(kind) {
    return this.sent.kinds.ticked[kind] !== null;
  }

  // The verdict on the guess.
  judge(kind, { x, y }) {
    const { labels, kinds } = this.sent;
    const judged = kinds.judged[kind];
    const said = kinds.guessed[kind] ? labels.guessed : labels.not_guessed;
    if (judged) this.write(`guessed ${kind}`, JUDGED[judged] + said, { x, y, class: `att-${judged}` });
  }

  // A box to tick for the guess about a score.
  guess(kind, { x, y }, type) {
    if (!this.isAsked(kind)) return;
    const { labels, kinds } = this.sent;
    const isChosen = kinds.ticked[kind];
    const tick = this.scene.put(`guess ${kind}`, "g", {
      class: "att-ticked",
      role: "checkbox",
      tabindex: 0,
      "aria-checked": String(isChosen),
      "aria-label": `${labels.names[kind]}: ${labels.guess}`,
    });
    const said = this.scene.put(`guess ${kind} said`, "text", { x: x + 1.5 * type, y }, tick, labels.guess);
    const wide = 1.5 * type + said.getComputedTextLength();
    const [around, side] = [0.6 * type, 1.05 * type];
    const target = { x: x - around, y: y - 1.3 * type, width: wide + 2 * around, height: 1.9 * type };
    this.scene.put(`guess ${kind} hit`, "rect", { ...target, class: "att-hit", rx: 5 }, tick);
    const box = { x, y: y - 0.9 * type, width: side, height: side, rx: 2, class: "att-box" };
    this.scene.put(`guess ${kind} box`, "rect", box, tick);
    const mark = `M${x + 0.2 * type} ${y - 0.4 * type} l${0.25 * type} ${0.28 * type} l${0.42 * type} ${-0.55 * type}`;
    if (isChosen) this.scene.put(`guess ${kind} mark`, "path", { d: mark, class: "att-mark" }, tick);
    pressed(tick, kinds.sets[kind]);
  }

  // The height of a score in a chart.
  upwards({ y, high }) {
    const [low, top] = this.sent.kinds.ends;
    return (score) => y + high * (1 - MARGIN - ((score - low) / (top - low)) * (1 - 2 * MARGIN));
  }

  // The ends of the scale, and 0 if it has room.
  scale(kind, place, type) {
    const { ends } = this.sent.kinds;
    const upwards = this.upwards(place);
    const isFree = ends.every((end) => Math.abs(upwards(end) - upwards(0)) > type);
    const x = place.x - 5;
    for (const [at, score] of [...ends, ...(isFree ? [0] : [])].entries()) {
      const text = score ? score.toFixed(0).replace("-", "−") : "0";
      // Numbers stay within the height of their own chart, because the next chart's numbers may be near.
      const y = Math.min(Math.max(upwards(score) + 0.35 * type, place.y + 0.75 * type), place.y + place.high);
      const where = { x, y, "text-anchor": "end", class: "att-scale" };
      this.write(`scale ${kind} ${at}`, text, where);
    }
  }

  curve(kind, { x, y, wide, high, large }) {
    const { start, at: here, scores: all } = this.sent.kinds;
    const scores = all[kind];
    const last = scores.length - 1;
    const across = (at) => x + (at / last) * wide;
    const upwards = this.upwards({ y, high });
    this.scene.put(`room ${kind}`, "rect", { class: "att-room", x, y, width: wide, height: high });
    const [y1, y2] = [upwards(0), upwards(0)];
    this.scene.put(`zero ${kind}`, "line", { class: "att-zero", x1: x, x2: x + wide, y1, y2 });
    const line = (from, to) => {
      const points = scores.flatMap((score, at) =>
        score === null || at < from || at > to ? [] : [`${across(at).toFixed(1)},${upwards(score).toFixed(1)}`],
      );
      return `M${points.join(" L")}`;
    };
    if (this.sent.kinds.whole[kind])
      this.scene.put(`whole ${kind}`, "path", { class: "att-curve att-whole", d: line(0, last) });
    const d = line(Math.min(start, here), Math.max(start, here));
    this.scene.put(`curve ${kind}`, "path", { class: "att-curve", d });
    const dot = this.scene.put(`here ${kind}`, "g");
    dot.style.transform = `translate(${across(here)}px, ${upwards(scores[here])}px)`;
    this.scene.put(`dot ${kind}`, "circle", { class: "att-here", cx: 0, cy: 0, r: 5.5 * large }, dot);
  }

  places(left, wide, bottom, type, kind) {
    const last = this.sent.kinds.scores[0].length - 1;
    const y = bottom + 1.2 * type;
    const named = this.write(`places ${kind}`, this.sent.labels.place, { x: left, y });
    const taken = left + named.getComputedTextLength() + type;
    for (let at = TICK; at <= last; at += TICK) {
      const x = left + (at / last) * wide;
      if (x > taken) this.write(`tick ${kind} ${at}`, String(at), { x, y, "text-anchor": "middle" });
    }
  }

  headAndLines() {
    const { labels } = this.sent;
    const lines = labels.names.map((name, kind) => [name, labels.scores[kind], this.said(kind), labels.reasons[kind]]);
    return [[labels.named, labels.score, labels.verdict, labels.reason], lines];
  }
}
