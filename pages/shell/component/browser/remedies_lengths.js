// The largest weight of a row under each remedy, up to the present place of the slider above, whose track is the x
// axis. The dot at the end of each line is under the thumb, its name beside it.

import { ofSeries } from "./colour.js";
import { rings } from "./remedies_rings.js";
import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { grown, tall } from "./tall.js";
import { broken, fixed } from "./text.js";

// Pixels: type of words and of numbers; the height from 0 to 1, and the same in a picture narrower than the last
// number.
const [TYPE, NUMBER] = [14, 12];
const [HIGH, LOW, NARROW] = [200, 124, 700];
// The room beside the slider's track, at the left and at the right: a part of the width, and the least pixels. The
// slider leaves as much (remedies.css). Then the distance from a track's end to the middle of its thumb.
const [LEFT, RIGHT] = [
  [0.04, 40],
  [0.08, 76],
];
const THUMB = 6;
// Pixels: a dot, a ring around it, and from its middle to its name; the distance of two names, in their type.
const [DOT, RING, AFTER, LINE] = [4.5, 2.5, 20, 1.15];
// The most width of a band's name if there is little room, in small type.
const NAME = 5.5;

export class RemedyLengths extends SvgFigure {
  constructor() {
    super({ role: "group" });
    this.root.classList.add("att-remedies");
    this.scene = new Scene(this.svg);
  }

  picture({ width, colours }) {
    const { lengths } = this.sent;
    const { large } = colours;
    // The room at the left holds numbers and, beside them, the name of the axis.
    const [type, small] = [TYPE * large, NUMBER * grown(large)];
    const [left, right] = [LEFT, RIGHT].map(([share, least]) => Math.max(share * width, least) + THUMB);
    // The word at 1 stands over the numbers.
    const top = 3.1 * small;
    const isNarrow = width < NARROW * large;
    const high = (isNarrow ? LOW : HIGH) * tall();
    const box = { x: left, y: top, width: width - left - right, height: high };
    this.layout = { ...colours, type, small, box, isNarrow };
    const step = box.width / (lengths.factors.length - 1);
    this.x = (at) => left + at * step;
    this.y = (share) => top + (1 - share) * high;
    const height = top + high + 0.5 * small;
    this.scene.draw(() => {
      this.bands();
      this.axes();
      rings(this);
      this.lines();
      this.bandNames();
    });
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", this.sent.note);
  }

  write(name, text, attributes) {
    return this.scene.put(name, "text", attributes, this.svg, text);
  }

  // The bands in which one word has everything, and in which none stands out.
  bands() {
    const { lengths } = this.sent;
    const { box } = this.layout;
    const [under, over] = lengths.bounds.map(this.y);
    const { x, width } = box;
    const bottom = box.y + box.height;
    this.scene.put("over", "rect", { class: "att-over", x, width, y: box.y, height: over - box.y });
    this.scene.put("under", "rect", { class: "att-under", x, width, y: under, height: bottom - under });
  }

  axes() {
    const { labels, lengths } = this.sent;
    const { box, small } = this.layout;
    const bottom = box.y + box.height;
    lengths.ticks.forEach((tick) => {
      const x = this.x(lengths.factors.indexOf(Number(tick)));
      const isOne = Number(tick) === 1;
      const look = { class: isOne ? "att-trained" : "att-tick", y2: isOne ? bottom : box.y };
      this.scene.put(`tick ${tick}`, "line", { ...look, x1: x, x2: x, y1: box.y - 0.5 * small });
      const place = { x, "text-anchor": "middle", "font-size": small };
      this.write(`factor ${tick}`, tick, { ...place, y: box.y - 0.8 * small });
      if (isOne) this.write("trained", labels.trained, { ...place, y: box.y - 2 * small });
    });
    [0, ...lengths.bounds].forEach((share, at) => {
      const y = this.y(share);
      this.scene.put(`share ${at}`, "line", { class: "att-tick", x1: box.x - 4, x2: box.x, y1: y, y2: y });
      const place = { x: box.x - 7, y: y + 0.35 * small, "text-anchor": "end", "font-size": small };
      this.write(`share said ${at}`, at ? fixed(share, 2) : "0", place);
    });
    this.scene.put("axis", "path", { class: "att-axis", d: `M${box.x},${box.y}V${bottom}H${box.x + box.width}` });
    const middle = box.y + box.height / 2;
    const upright = { x: 0.9 * small, y: middle, transform: `rotate(-90 ${0.9 * small} ${middle})` };
    this.write("most", labels.most, { ...upright, "text-anchor": "middle", "font-size": small, class: "att-why" });
  }

  lines() {
    const { labels, lengths } = this.sent;
    const { box, type, large } = this.layout;
    const across = this.x(lengths.at);
    this.scene.put("here", "line", {
      class: "att-here",
      x1: across,
      x2: across,
      y1: box.y - 0.5 * type,
      y2: box.y + box.height,
    });
    const ends = lengths.largest.map((of) => this.y(of.at(-1)));
    // Names start below the upper band, which is lower than a name is high.
    const highest = this.y(lengths.bounds[1]) + 0.65 * type;
    const beside = apart(ends, LINE * type, highest, box.y + box.height - 0.4 * type);
    lengths.largest.forEach((of, line) => {
      const stroke = ofSeries(lengths.colours[line], this.layout);
      const d = curve(of.map((share, at) => [this.x(at), this.y(share)]));
      this.scene.put(`line ${line}`, "path", { class: "att-most", stroke, "stroke-width": 2.5 * large, d });
    });
    // A lead begins in the middle of its own dot: one beside it would seem to belong to a neighbour.
    lengths.largest.forEach((_, line) => {
      const stroke = ofSeries(lengths.colours[line], this.layout);
      const to = { x2: across + (AFTER - 2) * large, y2: beside[line] };
      this.scene.put(`lead ${line}`, "line", { class: "att-lead", stroke, x1: across, y1: ends[line], ...to });
    });
    lengths.largest.forEach((_, line) => {
      const fill = ofSeries(lengths.colours[line], this.layout);
      // A dot is a ring around the dots that lie on it.
      const over = ends.slice(line + 1).filter((end) => Math.abs(end - ends[line]) < DOT * large).length;
      const r = (DOT + RING * over) * large;
      this.scene.put(`dot ${line}`, "circle", { class: "att-dot", cx: across, cy: ends[line], r, fill });
      const place = { x: across + AFTER * large, y: beside[line] + 0.35 * type, class: "att-line-name", fill };
      this.write(`name ${line}`, labels.names[line], place);
    });
  }

  // The names of the bands, drawn over the lines.
  bandNames() {
    const { labels, lengths } = this.sent;
    const { box, small, isNarrow, font } = this.layout;
    const over = this.y(lengths.bounds[1]);
    const said = { x: box.x + (isNarrow ? 3 : 6), class: "att-share", "font-size": small };
    // If there is little room, lines rise into the upper band within one line of these words.
    const lines = isNarrow ? broken(labels.over, NAME * small, small, font) : [`↑ ${labels.over}`];
    lines.forEach((line, at) => this.write(`over said ${at}`, line, { ...said, y: over + (1.2 + 1.1 * at) * small }));
    this.write("under said", labels.under, { ...said, y: box.y + box.height - 0.5 * small });
  }

  headAndLines() {
    const { labels, lengths } = this.sent;
    const lines = labels.factors.slice(0, lengths.at + 1);
    return [
      [labels.length, ...labels.names],
      lines.map((factor, at) => [factor, ...lengths.largest.map((of) => fixed(of[at], 2))]),
    ];
  }
}

// A smooth curve through points from left to right, which never leaves the range of two successive points (Steffen
// 1990).
function curve(points) {
  const slope = (one, next) => (next[1] - one[1]) / (next[0] - one[0]);
  const slopes = points.slice(1).map((next, at) => slope(points[at], next));
  const through = points.map((_, at) => {
    const [before, after] = [slopes[at - 1], slopes[at]];
    if (before === undefined || after === undefined) return before ?? after;
    return (
      (Math.sign(before) + Math.sign(after)) * Math.min(Math.abs(before), Math.abs(after), Math.abs(before + after) / 4)
    );
  });
  const part = (next, at) => {
    const [x, y] = points[at];
    const third = (next[0] - x) / 3;
    return `C${x + third},${y + third * through[at]} ${next[0] - third},${next[1] - third * through[at + 1]} ${next}`;
  };
  return `M${points[0]}${points.slice(1).map(part).join("")}`;
}

// Places along a line from low to high, at least so far apart and otherwise as near as possible to the wanted ones:
// places that would touch are centred on their mean.
function apart(wanted, least, low, high) {
  const stand = (ones) => {
    const reach = (ones.length - 1) * least;
    const middle = ones.reduce((sum, one) => sum + wanted[one], 0) / ones.length;
    const from = Math.min(Math.max(middle - reach / 2, low), high - reach);
    return { ones, from, to: from + reach };
  };
  const groups = [];
  for (const at of [...wanted.keys()].sort((one, other) => wanted[one] - wanted[other])) {
    let group = stand([at]);
    while (groups.length && group.from - groups.at(-1).to < least) group = stand([...groups.pop().ones, ...group.ones]);
    groups.push(group);
  }
  const places = [];
  for (const { ones, from } of groups) ones.forEach((one, at) => (places[one] = from + at * least));
  return places;
}
