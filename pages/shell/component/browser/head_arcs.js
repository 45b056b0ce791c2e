// A sentence with the arcs of all heads to one word. Each head has its colour, and its name at the end of its arc.

import { along, laid } from "./arc_names.js";
import { HeadNames, NAMED } from "./head_names.js";
import { loopsBeside, loopsInside, nested } from "./nested_arcs.js";
import { goneArcs, highOf, rowsOf, writeRows } from "./scorecard.js";
import { placed } from "./sentence_line.js";
import { isUpright, named, upright } from "./upright.js";
import { filled, shown, widthOf } from "./text.js";

// Pixels: the room for arcs above the words, in one line and in several; the width of an arc of share 1, in one line,
// above several lines, and with several heads.
export const SKIES = [190, 74];
export const WIDTHS = [15, 11];
const [OF_MANY, FEW] = [8, 4];
// The smallest share that is drawn.
export const DRAWN = 0.1;
// Type of the name of a side.
const SIDE = 17;

export class HeadArcs extends HeadNames {
  constructor(...given) {
    super(...given);
    this.skies = SKIES;
    // The room for arcs above a line, with a side's name.
    this.high = SKIES;
    this.widths = WIDTHS;
    this.height = 0;
    this.root.classList.add("att-of-heads");
  }

  // Mark upright figures, which stand side by side, before the width is measured: shapes of a picture that narrows
  // would travel.
  draw() {
    this.root.classList.toggle("att-upright", Boolean(this.sent) && isUpright(this.sent));
    super.draw();
  }

  // The name of the side beside another sentence; above a sentence of several lines it has room of its own.
  compose(due) {
    const { large } = due.colours;
    const { labels } = this.sent;
    if (!labels.side) return super.compose(due);
    if (isUpright(this.sent)) return upright(this, due);
    this.skies = this.high;
    this.widths = WIDTHS;
    const isWide = placed(this.sent.arcs.tokens, due.width, due.colours).isWide;
    const rows = rowsOf(this.sent, due.width, due.colours, !isWide);
    this.headroom = isWide && rows.length === 1 && rows[0].length === 1 ? 0 : highOf(rows, large);
    const made = super.compose(due);
    if (isWide && this.sent.arcs.mirrored && !rows.flat().some(({ begins }) => begins))
      this.side("near", labels.near ?? labels.side, this.line, due.colours, this.headroom);
    // A name without answers stands at its arcs.
    if (!isWide || !this.sent.arcs.mirrored || rows.flat().length > 1) writeRows(this, rows, 0, due.colours);
    return made;
  }

  // The name of a set of arcs: close to the words if no arc is in the way, otherwise at the other end, from; isAway:
  // the other way round.
  side(id, said, line, { large, font }, from = 0, isAway = false) {
    const size = SIDE * large;
    const [wide, high] = [widthOf(said, size, font, 700), 1.15 * size];
    const near = { x: 0, y: line.words[0].top - high - 6 * large, costs: 0 };
    const places = [...(line.isWide ? [near] : []), { x: 0, y: from, costs: isAway ? -1 : 1 }];
    const [box] = laid([{ wide, high, places }], this.around);
    if (box) this.around.blocked.push(box);
    this.sideAt(id, said, box?.y ?? from, { large });
  }

  // Its upper edge is y, at the height of the highest arcs.
  sideAt(id, said, y, { large }) {
    const [size, high] = [SIDE * large, 1.15 * SIDE * large];
    const base = this.upperEdge({ y, high }) + 0.8 * high;
    this.scene.put(id, "text", { class: "att-side", x: 0, y: base, "font-size": size }, this.svg, said);
  }

  word(parent, token, index, line, high) {
    const word = super.word(parent, token, index, line, high);
    word.classList.toggle("att-unseen-word", this.sent.arcs.hidden?.includes(index) ?? false);
    if (!this.sent.arcs.pays?.includes(index)) return word;
    const { left, width, top } = line.words[index];
    const y = top + high - 1;
    this.scene.put(`pays ${index}`, "line", { class: "att-pays", x1: left, x2: left + width, y1: y, y2: y }, word);
    return word;
  }

  under(_, { top, colours }) {
    return { options: [], bottom: top + 6 * colours.large };
  }

  // Beside answers, arcs too thin for a name are left out, since they explain none of them.
  isDrawn(_, __, weight) {
    return weight >= (this.sent.arcs.scored ? NAMED : DRAWN);
  }

  arcs(parent, line, large, { series, font }) {
    const { asks, focus } = this.sent.arcs;
    const wide = this.unit(line, large);
    this.loops = new Map();
    const drawn = asks.flatMap(({ weights }, of) =>
      weights.flatMap((weight, to) =>
        this.isDrawn(of, to, weight) ? [{ of, to, weight, wide: this.most(of, to, weight) * wide, isShown: true }] : [],
      ),
    );
    // Arcs that a mask takes away keep their place among the others, and are drawn behind them.
    const lost = (this.sent.arcs.lost ?? []).flatMap((weights, of) =>
      weights.flatMap((weight, to) => (weight < DRAWN ? [] : [{ of, to, weight, wide: weight * wide, isLost: true }])),
    );
    drawn.unshift(...lost);
    drawn.push(...goneArcs(this.sent, large));
    const farthest = Math.max(1, ...drawn.map(({ to }) => Math.abs(line.words[to].middle - line.words[focus].middle)));
    this.feet(drawn, line);
    const ends = new Map(drawn.map(({ to }) => [to, drawn.filter((one) => one.to === to)]));
    for (const ones of ends.values()) nested(ones, line, focus);
    this.placeLoops(drawn, line, focus);
    const room = Math.max(0, ...drawn.map(({ lift, wide: own }) => lift + own / 2));
    for (const one of drawn)
      this.stroke(parent, { ...one, room, colour: one.isGone ? null : this.seriesOf(one, series) }, line, {
        farthest,
        large,
      });
    const names = [...ends].flatMap(([to, ones]) => this.namesAt(to, ones, line, series));
    this.write(parent, names, line, { large, font });
  }

  placeLoops(drawn, line, focus) {
    loopsBeside(drawn, line, focus);
    loopsInside(drawn, line, focus);
  }

  // Pixels of an arc of share 1.
  unit(line, large) {
    return (this.sent.arcs.asks.length > FEW ? OF_MANY : this.widths[line.isWide ? 0 : 1]) * large;
  }

  // The share for which an arc has room. Dropout multiplies the weights that it leaves, so they may exceed 1, and their
  // arcs are wider.
  most(_, __, weight) {
    return Math.min(weight, 1);
  }

  /**
   * @param {SVGElement} parent
   * @param {Record<string, any>} one
   */
  stroke(parent, { colour, isLost, ...one }, line, sizes) {
    const isOff = this.sent.arcs.off.includes(one.of);
    if (one.isGone) {
      this.arc(parent, { ...one, kind: `att-gone att-gone-${one.state}`, layer: "lost" }, line, sizes);
      return;
    }
    const look = isLost ? " att-lost" : isOff ? " att-off" : this.faint(one);
    const kind = `att-head-arc${look}`;
    const { drawn } = this.arc(parent, { ...one, kind, isShown: false }, line, sizes);
    drawn.setAttribute("stroke", colour);
    if (one.to === this.sent.arcs.focus && !isLost) this.loops.set(one.of, along(drawn.getAttribute("d")));
  }

  write(parent, names, line, sizes) {
    if (line.isUpright) return named(this, names, line, sizes);
    super.write(parent, names, line, sizes);
  }

  // In a comparison, arcs too thin for a name are not followed; neither are arcs of heads that answer nothing, if the
  // figure says so.
  /** @param {Record<string, any>} one */
  faint({ of, to, weight }) {
    const { asks, mirrored, pale } = this.sent.arcs;
    // If another head answers too, an arc wide enough for a name serves the answer.
    const serves = weight >= NAMED && asks.some(({ answer }) => answer === to);
    const isIdle = pale && !serves && asks[of].answer < 0 && asks.some(({ answer }) => answer >= 0);
    return isIdle || (mirrored && weight < NAMED) ? " att-faint" : "";
  }

  headAndLines() {
    const {
      labels: { names, side, gone },
      arcs: { tokens, asks, ghost = [], gone: open },
    } = this.sent;
    // While its arcs are asked for, show the question that each word would answer.
    if (!asks.length) {
      const asked = (at) => gone.filter((_, one) => open[one].to === at).join(" ") || "–";
      return [[this.words.ui.arcs_from, side], tokens.map((token, at) => [token, asked(at)])];
    }
    const heads = asks.map(({ head }, at) => names[at] || filled(this.words.ui.arcs_head, { head }));
    const kept = ghost.map(({ head }) => filled(this.words.ui.arcs_kept, { head }));
    return [
      [this.words.ui.arcs_from, ...heads, ...kept],
      tokens.map((token, at) => [token, ...[...asks, ...ghost].map(({ weights }) => shown(weights[at]))]),
    ];
  }
}
