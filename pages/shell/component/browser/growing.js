// A sentence that is written word by word, and below the words their keys and values, once with a cache and once
// without (growing_rows.js). Numbers that are computed for the newest word flash.

import { rows } from "./growing_rows.js";
import { HeadArcs } from "./head_arcs.js";
import { overColumns, slant } from "./slanted_words.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
// Milliseconds of a flash.
const FLASH = 600;
// The sky above the words, in one line and in several, and the room of the button there.
const [SKIES, HEADROOM] = [[0, 4], 24];

export class Growing extends HeadArcs {
  constructor(...given) {
    super(...given);
    this.skies = SKIES;
    this.headroom = HEADROOM;
    this.root.classList.add("att-growing");
  }

  picture(due) {
    super.picture(due);
    const { focus } = this.sent.arcs;
    const isOther = this.written !== undefined && this.written !== focus;
    this.written = focus;
    if (!isOther || still.matches) return;
    for (const one of this.svg.querySelectorAll(".att-now"))
      one.animate([{ strokeWidth: 7 }, { strokeWidth: 3 }], { duration: FLASH, easing: "ease-out" });
    for (const one of this.svg.querySelectorAll(".att-reading"))
      one.animate([{ strokeWidth: 5 }, { strokeWidth: 1.75 }], { duration: FLASH, easing: "ease-out" });
  }

  word(parent, token, index, line, high) {
    const word = super.word(parent, token, index, line, high);
    word.classList.toggle("att-unwritten", index > this.sent.arcs.focus);
    slant(this.scene, word, token, index, line, this.colours);
    return word;
  }

  // No arcs: the weights of the newest word lie on the keys and values that it reads.
  arcs(_, __, ___, colours) {
    this.colours = colours;
  }

  placed(tokens, width, colours) {
    return overColumns(super.placed(tokens, width, colours));
  }

  under(parent, { line, top, colours }) {
    const { scene, sent } = this;
    const draws = { scene, parent, sent: sent.arcs, labels: sent.labels, line, colours, large: colours.large };
    return { options: [], bottom: rows(draws, top + 8 * colours.large) };
  }

  // For each word its key and value, how often they have been computed, and the newest word's weight on it.
  headAndLines() {
    const { labels, arcs } = this.sent;
    const [head, lines] = super.headAndLines();
    const times = (at) => (at > arcs.focus ? [0, 0] : [1, arcs.focus - at + 1]);
    const numbers = (at) => arcs.numbers.map((of) => of[at] ?? "–");
    const { cached, again } = arcs.totals;
    const ways = [labels.cached, labels.again, labels.totals_cached, labels.totals_again];
    return [
      [labels.word, labels.key, labels.value, ...ways, ...head.slice(1)],
      lines.map(([token, ...shares], at) => [
        ...[token, ...numbers(at), ...times(at)],
        ...[cached[at], again[at], ...shares],
      ]),
    ];
  }
}
