// What a word takes under a mask, beside the mask: the words take the whole width, and what a word takes from itself hangs
// below it, where no other arc is. Of words in several lines, too, where it takes nothing from a line below; else above.

import { loop, reach } from "./arc_paths.js";
import { DRAWN, HeadArcs } from "./head_arcs.js";
import { loopsInside } from "./nested_arcs.js";
import { widthOf } from "./text.js";

// Pixels: the sky above the words, in one line and in several; how deep the innermost loop hangs, what is kept free for all of
// them; type and lines of their names, and how many have room.
const SKIES = [176, 76];
const [DEEP, BELOW] = [28, 84];
const [NAME, LINE, MOST] = [15, 18, 4];

export class Seen extends HeadArcs {
  constructor(...given) {
    super(...given);
    this.skies = SKIES;
  }

  isBelow({ to }, line) {
    const { focus, asks } = this.sent.arcs;
    if (to !== focus) return false;
    if (line.isWide) return true;
    // What a mask takes away may be under it: that is pale.
    const { line: own } = line.words[focus];
    const isTaken = ({ weights }) => weights.some((weight, at) => weight >= DRAWN && line.words[at].line > own);
    return !asks.some(isTaken);
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
      const x = right + wide > line.width ? middle - half - 12 * large - wide : right;
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
    return { options, bottom: bottom + (isLast ? BELOW * place.colours.large : 0) };
  }
}
