// The score of two words under several kinds of positions: a column a kind, a line a way in which words move, and in each
// the score along the places with a dot where the words are. Where there is little room, a line a kind.

import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";

// Pixels: type, the words beside the lines, the numbers of an axis, between columns and between lines, the height of a line,
// and where there is little room; the width below which there is.
const [TYPE, BESIDE, AXIS, GAP, APART, HIGH, LOW, NARROW] = [14, 132, 36, 12, 10, 48, 44, 760];
// Of the height of a line, what is left free above and below its scores; and between ticks of the places.
const [MARGIN, TICK] = [0.12, 16];

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
    // Where there is little room, both ways of a kind stand behind one axis.
    const gap = GAP * large + (isAcross ? axis : 0);
    const wide = (width - left - axis - (columns - 1) * gap) / columns;
    const high = (isAcross ? HIGH : LOW) * large;
    const top = (isAcross ? 2.7 : 1.6) * type;
    const step = high + APART * large + (isAcross ? 0 : 1.5 * type);
    const place = (kind, way) => ({
      x: left + axis + (isAcross ? kind : way) * (wide + gap),
      y: top + (isAcross ? way * step : kind * step + 1.5 * type),
      wide,
      high,
      large,
    });
    const bottom = isAcross ? top + 2 * step : top + count * step;
    const height = bottom + 2.2 * type;
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", this.sent.note);
    this.scene.draw(() => {
      [labels.both, labels.one].forEach((words, way) => {
        const { x, y } = place(0, way);
        this.write(
          `way ${way}`,
          words,
          isAcross ? { x: 0, y: y + 0.5 * high + 0.35 * type } : { x: way ? x : 0, y: type },
        );
      });
      labels.names.forEach((name, kind) => {
        const { x, y } = place(kind, 0);
        const over = y - 0.5 * type;
        this.write(`name ${kind}`, name, {
          x: isAcross ? x : 0,
          y: isAcross ? over - 1.2 * type : over,
          class: "att-kind",
        });
        const score = isAcross ? { x, y: over } : { x: x + wide, y: over, "text-anchor": "end" };
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

  // Where a score stands in a line.
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
    const { labels, kinds } = this.sent;
    const id = `${kind} ${way}`;
    const last = scores.length - 1;
    const across = (at) => x + (at / last) * wide;
    const upwards = this.upwards(kind, { y, high });
    this.scene.put(`room ${id}`, "rect", { class: "att-room", x, y, width: wide, height: high });
    this.line(`zero ${id}`, "att-zero", x, upwards(0), x + wide, upwards(0));
    // The other word stays.
    if (way) this.line(`key ${id}`, "att-key", across(kinds.at[1]), y, across(kinds.at[1]), y + high);
    const points = scores.flatMap((score, at) =>
      score === null ? [] : [`${across(at).toFixed(1)},${upwards(score).toFixed(1)}`],
    );
    this.scene.put(`curve ${id}`, "path", { class: "att-curve", d: `M${points.join(" L")}` });
    const here = this.scene.put(`here ${id}`, "g");
    here.style.transform = `translate(${across(kinds.at[0])}px, ${upwards(scores[kinds.at[0]])}px)`;
    this.scene.put(`dot ${id}`, "circle", { class: "att-here", cx: 0, cy: 0, r: 5.5 * large }, here);
    if (!kinds.stays[kind][way]) return;
    // On the side of the line that has more room.
    const at = upwards(scores[kinds.at[0]]);
    const words = { x: x + wide - 8 * large, y: at > y + high / 2 ? at - 8 * large : at + 18 * large };
    this.write(`stays ${id}`, labels.stays, { ...words, "text-anchor": "end", class: "att-same" });
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
    const { labels, kinds } = this.sent;
    const told = (stays) => (stays ? labels.stays : "");
    return [
      [labels.named, labels.score, labels.both, labels.one],
      labels.names.map((name, at) => [name, labels.scores[at], ...kinds.stays[at].map(told)]),
    ];
  }
}
