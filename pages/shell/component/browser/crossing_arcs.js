// The arcs between two texts: for the word that asks one arc for each head in its colour, as wide as the weight, pale
// to words other than the right one, named if the head has found it; for each other word a thin line.

import { laid, placesAt } from "./arc_names.js";
import { widthOf } from "./text.js";

// Pixels of an arc of weight 1; the least weights that are drawn and named; pixels of a name's type; the most names
// above each other.
const [WIDEST, DRAWN, NAMED, NAME, ROWS] = [13, 0.1, 0.25, 15, 4];
// The radius of a value that a head takes whole.
const VALUE = 9;
// How far the middle of a curve follows its control points.
const FOLLOWS = 0.75;

export class CrossingArcs {
  // at: the place of a word, by its line, 0 or 1, and its index; taken: boxes of other parts of the picture.
  constructor(scene, parent, sent, { at, isAcross, high, colours, width, taken }) {
    this.scene = scene;
    this.parent = parent;
    this.sent = sent;
    this.at = at;
    this.isAcross = isAcross;
    this.high = high;
    this.colours = colours;
    this.width = width;
    this.taken = taken;
  }

  // names: of the context's words, which identify their arcs.
  draw(names) {
    this.around();
    this.arcs(names);
  }

  around() {
    const { around, focus } = this.sent.crossing;
    around.forEach((to, from) => {
      if (from !== focus && to >= 0)
        this.scene.put(`around ${from}`, "path", { class: "att-arc-around", d: this.bent(from, to) }, this.parent);
    });
  }

  arcs(ids) {
    const { series, large } = this.colours;
    const { asks, focus, meant } = this.sent.crossing;
    const wide = (asks.length > 4 ? 0.5 : 1) * WIDEST * large;
    const drawn = asks.flatMap(({ weights }, of) =>
      weights.flatMap((weight, to) => (weight < DRAWN ? [] : [{ of, to, weight, wide: weight * wide }])),
    );
    const along = ({ to }) => this.at(1, to)[this.isAcross ? "x" : "y"];
    drawn.sort((a, b) => along(a) - along(b) || a.of - b.of);
    // Arcs lie side by side at both ends, in one order.
    const spread = (ones, name) => {
      let place = -ones.reduce((sum, one) => sum + one.wide + 2, -2) / 2;
      for (const one of ones) {
        one[name] = place + one.wide / 2;
        place += one.wide + 2;
      }
    };
    spread(drawn, "foot");
    const ends = new Map(drawn.map(({ to }) => [to, drawn.filter((one) => one.to === to)]));
    for (const ones of ends.values()) spread(ones, "end");
    const paths = this.sent.crossing.around.flatMap((to, from) =>
      from === focus || to < 0 ? [] : [{ d: this.bent(from, to), wide: 1 }],
    );
    for (const { of, to, weight, wide: width, foot, end } of drawn) {
      const d = this.bent(focus, to, foot, end);
      this.scene.put(
        `arc ${of} ${ids[to]}`,
        "path",
        {
          class: meant < 0 || to === meant ? "att-head-arc" : "att-head-arc att-faint",
          d,
          "stroke-width": width,
          stroke: series[of % series.length],
          "data-head": of,
          "data-to": to,
        },
        this.parent,
      );
      this.value(of, to, d, weight);
      paths.push({ d, wide: width });
    }
    // A word without an arc's end leaves the place free.
    const beside = (to) => (ends.has(to) ? ends.get(to).reduce((sum, one) => sum + one.wide + 2, 0) / 2 + 7 : null);
    this.names(this.told(), beside, paths);
  }

  // The value travels to the word that asks, and the answer of the layer is written as it arrives: again when another
  // word asks, a value moves, or the answer changes.
  value(of, to, d, weight) {
    const { said, focus } = this.sent.crossing;
    if (!said.length || weight < NAMED) return;
    const name = `value ${focus} ${of} ${to} ${said[focus]}`;
    const dot = this.scene.put(
      name,
      "circle",
      { class: "att-value", r: VALUE * this.colours.large * weight },
      this.parent,
    );
    dot.style.offsetPath = `path("${d}")`;
  }

  // Name each head once, at its largest weight: heads that have found the right word or, if none has, all of them, with
  // a note at the right word that it is not found.
  told() {
    const {
      labels,
      crossing: { asks, meant, hidden },
    } = this.sent;
    const { series } = this.colours;
    const finders = asks.some(({ answer }) => answer >= 0);
    const heads = asks.flatMap(({ weights, answer }, of) => {
      const to = weights.indexOf(Math.max(...weights));
      if (weights[to] < NAMED || (finders && answer < 0)) return [];
      const text = (this.isAcross ? labels.names : labels.short)[of];
      return [{ to, weight: weights[to], text, fill: series[of % series.length] }];
    });
    heads.sort((a, b) => b.weight - a.weight);
    const isLost = meant >= 0 && !hidden[meant] && !finders;
    return [...(isLost ? [{ to: meant, text: labels.lost, fill: "" }] : []), ...heads];
  }

  /** @param {Record<string, any>[]} told */
  names(told, beside, paths) {
    const { at, isAcross, width, high: line } = this;
    const { large, font } = this.colours;
    const { tokens, context, focus } = this.sent.crossing;
    const size = NAME * large;
    const blocked = [tokens, context].flatMap((words, of) =>
      words.map((_, index) => {
        const { x, y, wide } = at(of, index);
        return { x: x - wide / 2 - 9, y, wide: wide + 18, high: line };
      }),
    );
    const sized = told.map(({ to, text }) => {
      const [wide, high] = [widthOf(text, size, font, 600), 1.15 * size];
      const { x, y, wide: word } = at(1, to);
      const from = at(0, focus).x;
      const away = beside(to) ?? -wide / 2;
      const place = { middle: x, end: from, bottom: y - 3 * large, beside: away, side: x < from ? -1 : 1 };
      const near = { x: x - word / 2 - 12 * large - wide, y: y - 0.3 * high };
      const places = isAcross
        ? placesAt({ ...place, wide, high, width, rows: ROWS })
        : [0, 1, -1, 2, -2, 3, -3].map((row) => ({ ...near, y: near.y + row * high, costs: Math.abs(row) }));
      return { wide, high, places };
    });
    laid(sized, { arcs: paths, blocked: [...blocked, ...this.taken], width }).forEach((box, index) => {
      if (!box) return;
      const { to, text, fill } = told[index];
      const place = { x: box.x, y: box.y + 0.8 * box.high, "font-size": size, "data-to": to };
      const kind = fill ? "att-arc-name" : "att-arc-name att-not-found";
      this.scene.put(`name ${index}`, "text", { class: kind, ...place }, this.parent, text).style.fill = fill;
    });
  }

  // The path from a word of the text to one of the context; foot and end: the offsets from the middles of the words.
  // Arcs side by side at their ends stay so on their way, because the outer one bends earlier.
  bent(asks, answers, foot = 0, end = 0) {
    const { isAcross, high } = this;
    const [from, target] = [this.at(0, asks), this.at(1, answers)];
    const along = isAcross ? [from.y + high, target.y] : [from.x + from.wide / 2 + 8, target.x - target.wide / 2 - 8];
    const [middle, half] = [(along[0] + along[1]) / 2, (along[1] - along[0]) / 2];
    const [start, stop] = isAcross
      ? [from.x + foot, target.x + end]
      : [from.y + high / 2 + foot, target.y + high / 2 + end];
    const away = stop - start;
    const lift = away ? (Math.hypot(away, half) - half) / away / FOLLOWS : 0;
    const bend = (beside) => middle - Math.min(Math.max(lift * beside, -half), half);
    const points = [
      [along[0], start],
      [bend(foot), start],
      [bend(end), stop],
      [along[1], stop],
    ].map(([a, b]) => (isAcross ? `${b},${a}` : `${a},${b}`));
    return `M${points[0]} C${points.slice(1).join(" ")}`;
  }
}
