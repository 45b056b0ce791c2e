// The score of two words under several kinds of positions: a column a kind, a line a way in which words move, and in each
// the score along the places, as far as the words have come, with a dot where they are, and above it whether it does what one
// wants of it. Where there is little room, a line a kind.

import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { broken } from "./text.js";

// Pixels: type, the words beside the lines, the numbers of an axis, between columns and between lines, the height of a line,
// and where there is little room; the width below which there is.
const [TYPE, BESIDE, AXIS, GAP, APART, HIGH, LOW, NARROW] = [14, 146, 34, 12, 10, 130, 56, 760];
// Of the height of a line, what is left free above and below its scores; between ticks of the places; and of the type, how
// much a verdict takes above its line.
const [MARGIN, TICK, VERDICT] = [0.04, 16, 1.6];
const MARKS = { yes: "✓", so_far: "✓", not_yet: "✕", no: "✕" };

export class Kinds extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-kinds");
    this.scene = new Scene(this.svg);
  }

  picture({ width, colours }) {
    const { labels, kinds } = this.sent;
    const { large } = colours;
    const type = TYPE * large;
    const isAcross = width >= NARROW * large;
    const count = labels.names.length;
    const [left, columns] = isAcross ? [BESIDE * large, count] : [0, 2];
    const axis = AXIS * large;
    const gap = GAP * large;
    // A kind has an axis; in one line, both ways stand behind it.
    const wide = isAcross ? (width - left) / columns - axis - gap : (width - axis - gap) / columns;
    const whys = labels.whys.map((why) => broken(why, isAcross ? wide : width, type, colours.font));
    const lines = Math.max(...whys.map((why) => why.length));
    const high = (isAcross ? HIGH : LOW) * large;
    const verdict = VERDICT * type;
    const head = 1.3 * type;
    const top = (isAcross ? 2.6 + 1.3 * lines : 2.8) * type;
    // Above the scores of a kind in one line: its name, and why.
    const over = isAcross ? 0 : (lines + 1) * head + 0.2 * type;
    const step = verdict + high + APART * large + over;
    const place = (kind, way) => ({
      x: left + axis + (isAcross ? kind * (wide + axis + gap) : way * (wide + gap)),
      y: top + verdict + (isAcross ? way * step : kind * step + over),
      wide,
      high,
      large,
    });
    const bottom = isAcross ? top + 2 * step : top + count * step;
    const height = bottom + 2.2 * type;
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", this.sent.note);
    this.scene.draw(() => {
      [
        [labels.both, labels.both_wished],
        [labels.one, labels.one_wished],
      ].forEach(([words, wished], way) => {
        const { x, y } = place(0, way);
        const at = isAcross ? { x: 0, y: y + 0.5 * high } : { x: way ? x : 0, y: type };
        this.write(`way ${way}`, words, { ...at, class: "att-kind" });
        this.write(`wished ${way}`, wished, { ...at, y: at.y + 1.3 * type });
      });
      labels.names.forEach((name, kind) => {
        const { x, y } = place(kind, 0);
        if (kinds.good[kind]) {
          const [left, right] = isAcross ? [x - axis, x + wide + 0.5 * gap] : [-0.5 * gap, width];
          const [above, below] = isAcross ? [0, bottom - 0.3 * type] : [y - verdict - over, y + high + 0.4 * type];
          const room = { x: left, y: above, width: right - left, height: below - above };
          this.scene.put(`good ${kind}`, "rect", { class: "att-good", rx: 6, ...room });
        }
        const first = isAcross ? 1.1 * type : y - verdict - over + 1.1 * type;
        const begin = isAcross ? x : 0;
        this.write(`name ${kind}`, name, { x: begin, y: first, class: "att-kind" });
        whys[kind].forEach((why, at) => this.write(`why ${kind} ${at}`, why, { x: begin, y: first + (at + 1) * head }));
        const score = isAcross ? { x, y: first + (lines + 1) * head } : { x: width, y: first, "text-anchor": "end" };
        this.write(`score ${kind}`, labels.scores[kind], { ...score, class: "att-kind-score" });
        kinds.scores[kind].forEach((scores, way) => {
          this.panel(kind, way, scores, place(kind, way));
          if (isAcross || !way) this.axis(kind, way, place(kind, way), type);
        });
      });
      this.places(
        isAcross ? count : columns,
        (at) => place(isAcross ? at : 0, isAcross ? 0 : at).x,
        wide,
        bottom,
        type,
      );
      const named = isAcross ? { x: 0 } : { x: width, "text-anchor": "end" };
      this.write("places", labels.place, { ...named, y: isAcross ? bottom + 0.6 * type : height - 0.1 * type });
    });
  }

  write(name, text, attributes) {
    return this.scene.put(name, "text", attributes, this.svg, text);
  }

  // Where a score of a kind stands in a line.
  upwards(kind, { y, high }) {
    const [low, top] = this.sent.kinds.ends[kind];
    return (score) => y + high * (1 - MARGIN - ((score - low) / (top - low)) * (1 - 2 * MARGIN));
  }

  // The ends of an axis, and 0 where it is not one of them and has room.
  axis(kind, way, place, type) {
    const ends = this.sent.kinds.ends[kind];
    const upwards = this.upwards(kind, place);
    const isFree = ends.every((end) => Math.abs(upwards(end) - upwards(0)) > type);
    for (const [at, score] of [...ends, ...(isFree ? [0] : [])].entries()) {
      const text = score ? score.toFixed(1).replace("-", "−") : "0";
      const where = { x: place.x - 5, y: upwards(score) + 0.35 * type, "text-anchor": "end", class: "att-scale" };
      this.write(`scale ${kind} ${way} ${at}`, text, where);
    }
  }

  panel(kind, way, scores, { x, y, wide, high, large }) {
    const { kinds } = this.sent;
    const id = `${kind} ${way}`;
    const last = scores.length - 1;
    const across = (at) => x + (at / last) * wide;
    const upwards = this.upwards(kind, { y, high });
    this.scene.put(`room ${id}`, "rect", { class: "att-room", x, y, width: wide, height: high });
    this.line(`zero ${id}`, "att-zero", x, upwards(0), x + wide, upwards(0));
    // The other word stays.
    if (way) this.line(`key ${id}`, "att-key", across(kinds.at[1]), y, across(kinds.at[1]), y + high);
    const points = scores.flatMap((score, at) =>
      score === null || at > kinds.at[0] ? [] : [`${across(at).toFixed(1)},${upwards(score).toFixed(1)}`],
    );
    this.scene.put(`curve ${id}`, "path", { class: "att-curve", d: `M${points.join(" L")}` });
    const here = this.scene.put(`here ${id}`, "g");
    here.style.transform = `translate(${across(kinds.at[0])}px, ${upwards(scores[kinds.at[0]])}px)`;
    this.scene.put(`dot ${id}`, "circle", { class: "att-here", cx: 0, cy: 0, r: 5.5 * large }, here);
    const state = kinds.does[kind][way];
    const verdict = { x, y: y - 0.4 * TYPE * large, class: state === "yes" ? "att-same" : null };
    this.write(`verdict ${id}`, this.verdict(kind, way), verdict);
  }

  verdict(kind, way) {
    const { labels, kinds } = this.sent;
    const state = kinds.does[kind][way];
    return `${MARKS[state]} ${labels[state]}`;
  }

  line(name, kind, x1, y1, x2, y2) {
    this.scene.put(name, "line", { class: kind, x1, y1, x2, y2 });
  }

  places(columns, left, wide, bottom, type) {
    const last = this.sent.kinds.scores[0][0].length - 1;
    for (let column = 0; column < columns; column += 1)
      for (let at = 0; at <= last; at += TICK) {
        const x = left(column) + (at / last) * wide;
        this.write(`tick ${column} ${at}`, String(at), { x, y: bottom + 0.6 * type, "text-anchor": "middle" });
      }
  }

  headAndLines() {
    const { labels } = this.sent;
    return [
      [labels.named, labels.score, `${labels.both}: ${labels.both_wished}`, `${labels.one}: ${labels.one_wished}`],
      labels.names.map((name, at) => [name, labels.scores[at], this.verdict(at, 0), this.verdict(at, 1)]),
    ];
  }
}
