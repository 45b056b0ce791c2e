// The names of the arcs of heads: the question that a head answers, at the end of its arc.

import { Arcs } from "./arcs.js";
import { LOOP } from "./nested_arcs.js";
import { together } from "./shared_names.js";
import { filled } from "./text.js";

// The smallest share with a name.
export const NAMED = 0.25;
// The most names above each other at a word, in one line and in several.
const [MOST, MOST_WRAPPED] = [6, 4];
// The distance from its loop beyond which a name has a line to it.
const FAR = 30;

export class HeadNames extends Arcs {
  constructor(...given) {
    super(...given);
    // Points along the loop of each head.
    this.loops = new Map();
  }

  // Write the names; around the word itself there is room for few.
  write(parent, names, line, sizes) {
    super.write(parent, names, line, sizes);
    for (const { id, of, to, box, fill } of names) {
      const loop = to === this.sent.arcs.focus ? this.loops.get(of) : null;
      if (!loop || !box || this.upperEdge(box) !== box.y) continue;
      const ends = loop.map(({ x, y }) => {
        const [x1, y1] = [within(x, box.x, box.wide), within(y, box.y, box.high)];
        return { x1, y1, x2: x, y2: y, far: Math.hypot(x - x1, y - y1) };
      });
      const { far, ...end } = ends.reduce((a, b) => (b.far < a.far ? b : a));
      if (far < FAR * sizes.large) continue;
      this.scene.put(`lead ${id}`, "line", { class: "att-arc-lead", ...end }, parent).style.stroke = fill ?? "";
    }
  }

  namesAt(to, ones, line, series) {
    const { focus } = this.sent.arcs;
    const moved = to === focus ? (ones[0].foot ?? 0) : 0;
    const side = moved < 0 || line.words[to].middle < line.words[focus].middle ? -1 : 1;
    const around = Math.max(...ones.map(({ lift, wide }) => lift + wide / 2)) + LOOP + Math.abs(moved);
    const beside = (to === focus ? around : ones.reduce((sum, { wide }) => sum + wide + 2, 0) / 2) + 7;
    const most = line.isWide ? MOST : MOST_WRAPPED;
    const told = ones.filter((one) => this.isNamed(one)).sort((a, b) => b.weight - a.weight);
    const groups = together(told, (one) => this.sharedBy(one));
    return groups.slice(0, most).map(([one, ...others], at) => ({
      ...{ id: `name ${to} ${at}`, of: one.of, to, side, beside, weight: 600 },
      fill: one.isGone ? null : this.colourOf(one, series),
      text: one.name ?? this.nameOf(one, line),
      ...(others.length ? this.nameOfAll([one, ...others], line, series) : {}),
      ...(at === most - 1 && groups.length > most ? { text: "…", parts: null } : {}),
      kind: this.kindOfName(one),
    }));
  }

  // The question for which several heads have one name at a word, if their arcs end there alike; "" for none. At the
  // word itself each head has a sign of its own.
  /** @param {Record<string, any>} one */
  sharedBy({ of, to, isGone }) {
    const { asks, focus, off } = this.sent.arcs;
    return isGone || to === focus || asks[of].answer !== to ? "" : `${this.sent.labels.short[of]} ${off.includes(of)}`;
  }

  // Their question and, if there is room, their numbers, each in its colour.
  nameOfAll(ones, line, series) {
    const { asks, focus } = this.sent.arcs;
    const question = this.sent.labels.short[ones[0].of];
    const isItself = ones[0].to === focus;
    if (!isItself && (!line.isWide || line.isUpright)) return { text: question, fill: null };
    const sorted = [...ones].sort((a, b) => a.of - b.of);
    const numbers = sorted.flatMap((one, at) => [
      ...(at ? [{ text: ", ", fill: null }] : []),
      { text: String(asks[one.of].head), fill: this.colourOf(one, series) },
    ]);
    const called = filled(isItself ? this.words.ui.arcs_loops : this.words.ui.arcs_heads, { question, heads: "" });
    const parts = [{ text: called, fill: null }, ...numbers];
    return { text: parts.map(({ text }) => text).join(""), parts, fill: null };
  }

  /** @param {Record<string, any>} one */
  kindOfName({ of, isGone, state }) {
    if (isGone) return `att-arc-name att-scored-${state}`;
    return this.sent.arcs.off.includes(of) ? "att-arc-name att-off" : "att-arc-name";
  }

  // Name a head once, at its largest share; its other arcs have its colour. Beside answers name each arc, since each
  // may be taken for an answer.
  /** @param {Record<string, any>} one */
  isNamed({ of, to, weight, isLost, isGone }) {
    if (isGone) return true;
    const { weights } = this.sent.arcs.asks[of];
    if (isLost || weight < NAMED) return false;
    return Boolean(this.sent.arcs.scored) || isMost(weights, to);
  }

  /** @param {Record<string, any>} one */
  nameOf({ of, to }, line) {
    const { names, short } = this.sent.labels;
    const { head, weights } = this.sent.arcs.asks[of];
    // Its other arcs answer no question.
    if (!isMost(weights, to)) return filled(this.words.ui.arcs_also, { head });
    return (line.isWide && !line.isUpright ? names : short)[of];
  }

  // The colour of a name; null for that of the text.
  colourOf(one, series) {
    return this.seriesOf(one, series);
  }

  // The colour of a head follows its number, so that a head drawn alone keeps its colour; or it is that of a head of
  // another figure.
  /** @param {Record<string, any>} one */
  seriesOf({ of }, series) {
    const { asks, colours } = this.sent.arcs;
    return series[(colours?.[of] ?? asks[of].head - 1) % series.length];
  }
}

const isMost = (weights, to) => weights.indexOf(Math.max(...weights)) === to;
const within = (at, from, wide) => Math.min(Math.max(at, from), from + wide);
