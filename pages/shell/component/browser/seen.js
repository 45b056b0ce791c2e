// What a word takes under a mask, beside the mask: the words take the whole width, and what a word takes from itself hangs
// below it, where no other arc is. Words in several lines have arcs between them there, and their loops above.

import { loop, reach } from "./arc_paths.js";
import { HeadArcs } from "./head_arcs.js";
import { loopsInside } from "./nested_arcs.js";
import { widthOf } from "./text.js";

// Pixels: the sky above the words, in one line and in several; how deep the innermost loop hangs, what is kept free for all of
// them; type and lines of their names, and how many have room.
const SKIES = [190, 76];
const [DEEP, BELOW] = [28, 84];
const [NAME, LINE, MOST] = [15, 18, 4];

export class Seen extends HeadArcs {
  constructor(...given) {
    super(...given);
    this.skies = SKIES;
  }

  isBelow({ to }, line) {
    return line.isWide && to === this.sent.arcs.focus;
  }

  // Below the words no other arc is in their way.
  placeLoops(drawn, line, focus) {
    if (line.isWide) loopsInside(drawn, line, focus);
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
    return { options, bottom: bottom + (place.line.isWide ? BELOW * place.colours.large : 0) };
  }
}
