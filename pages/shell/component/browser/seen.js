// The weights of a word under a mask, beside the mask. The words take the whole width, and loops hang below the word,
// where no other arc is; in a sentence of several lines only if no arc goes to a line below. A veil covers the words
// after the one that asks, which a model that writes has not written yet.

import { loop, reach } from "./arc_paths.js";
import { DRAWN, HeadArcs } from "./head_arcs.js";
import { loopsInside } from "./nested_arcs.js";
import { widthOf } from "./text.js";

// Pixels: the room above the words, in one line and in several; the depth of the innermost loop, and the room for all
// loops; type and height of their names, and the most of them.
const SKIES = [176, 76];
const [DEEP, BELOW] = [28, 84];
const [NAME, LINE, MOST] = [15, 18, 4];
// The veil: how far it reaches beyond words in several lines, and below the words, where its name stands; its type.
const [VEIL, UNDER, SAID] = [5, 24, 14];

export class Seen extends HeadArcs {
  constructor(...given) {
    super(...given);
    this.skies = SKIES;
  }

  isBelow({ to }, line) {
    const { focus, asks } = this.sent.arcs;
    if (to !== focus) return false;
    if (line.isWide) return true;
    // Loops may cover pale arcs that a mask has taken away.
    const { line: own } = line.words[focus];
    const isTaken = ({ weights }) => weights.some((weight, at) => weight >= DRAWN && line.words[at].line > own);
    return !asks.some(isTaken);
  }

  arcs(parent, line, large, colours) {
    this.veil(parent, line, large, colours);
    super.arcs(parent, line, large, colours);
  }

  // Draw the veil over the rest of the asking word's line, and over all lines below it.
  veil(parent, line, large, { font }) {
    const { ahead } = this.sent.labels;
    const { focus } = this.sent.arcs;
    const after = line.words.slice(focus + 1);
    // Loops to the right of this x have no name.
    this.edgeOfNames = line.width;
    if (!ahead || !after.length) return;
    const own = line.words[focus];
    const last = after.at(-1).line;
    for (let at = own.line; at <= last; at += 1) {
      const ones = after.filter((one) => one.line === at);
      if (!ones.length) continue;
      const from = at === own.line ? (own.left + own.width + ones[0].left) / 2 : 0;
      const top = line.isWide ? 0 : ones[0].top - VEIL * large;
      const bottom = ones[0].bottom + (at === last ? UNDER : VEIL) * large;
      const end = line.isWide
        ? line.width
        : Math.min(ones.at(-1).left + ones.at(-1).width + 2 * VEIL * large, line.width);
      const place = { x: from, y: top, width: end - from, height: bottom - top };
      this.scene.put(`veil ${at}`, "rect", { class: "att-veil", ...place }, parent);
      if (at === own.line)
        this.scene.put("now", "line", { class: "att-now", x1: from, x2: from, y1: top, y2: bottom }, parent);
      if (at !== last) continue;
      const x = Math.max(end - 6 * large, widthOf(ahead, SAID * large, font, 400));
      const said = { class: "att-ahead", x, y: bottom - 7 * large, "font-size": SAID * large, "text-anchor": "end" };
      this.scene.put("ahead", "text", said, parent, ahead);
      if (at === own.line) this.edgeOfNames = x - widthOf(ahead, SAID * large, font, 400) - 8 * large;
    }
  }

  // Below the words no other arc is in their way.
  placeLoops(drawn, line, focus) {
    if (this.isBelow({ to: focus }, line)) loopsInside(drawn, line, focus);
    else super.placeLoops(drawn, line, focus);
  }

  arc(parent, one, line, sizes) {
    if (!this.isBelow(one, line)) return super.arc(parent, one, line, sizes);
    const { of, to, wide, foot = 0, lift = 0, kind } = one;
    const { middle: x, bottom } = line.words[to];
    const { d, middle } = loop(x + foot, bottom, -(DEEP * sizes.large + lift), wide, lift);
    const look = { class: kind, d, "stroke-width": wide, "data-head": of, "data-to": to };
    return { drawn: this.scene.put(`arc ${of} ${to}`, "path", look, parent), middle };
  }

  namesAt(to, ones, line, series) {
    const names = super.namesAt(to, ones, line, series);
    if (!this.isBelow({ to }, line)) return names;
    const half = Math.max(...ones.map(({ lift, wide }) => reach(wide, lift)));
    this.ofLoops = names.slice(0, MOST).map((one) => ({ ...one, half, foot: ones[0].foot }));
    return [];
  }

  write(parent, names, line, sizes) {
    super.write(parent, names, line, sizes);
    const { large, font } = sizes;
    const { middle: word, bottom } = line.words[this.sent.arcs.focus];
    this.ofLoops?.forEach(({ id, text, half, foot, fill, kind, weight }, at) => {
      const middle = word + foot;
      const wide = widthOf(text, NAME * large, font, weight);
      const right = middle + half + 12 * large;
      const x = right + wide > this.edgeOfNames ? middle - half - 12 * large - wide : right;
      const place = { class: kind, x, y: bottom + (NAME + at * LINE) * large, "font-size": NAME * large };
      this.scene.put(id, "text", place, parent, text).style.fill = fill ?? null;
    });
    this.ofLoops = null;
  }

  under(parent, place) {
    const { options, bottom } = super.under(parent, place);
    // Between lines there is room.
    const { lines, words } = place.line;
    const isLast = words[this.sent.arcs.focus].line === lines - 1;
    const room = isLast ? BELOW : this.sent.labels.ahead ? UNDER : 0;
    return { options, bottom: bottom + room * place.colours.large };
  }
}
