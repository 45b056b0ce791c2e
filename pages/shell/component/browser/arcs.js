// A sentence as words, and arcs from one of them to those that it takes from: as wide as the weight. A word that is
// chosen becomes the one that is looked at.

import { Listbox } from "./listbox.js";
import { put } from "./plane.js";
import { filled, shown } from "./text.js";

const [LARGEST, SMALLEST] = [19, 13];
// Pixels: the sky above the words, the width of an arc of weight 1, the least that a finger hits.
const [SKY, WIDEST, TARGET] = [52, 16, 24];
// The largest weight that is as wide as it is.
const MOST = 1.5;
const DRAWN = 0.005;
const NAMED = 0.05;
// Of the numbers below the words.
const SMALL = 12;
const LONGEST = 24;

export class Arcs extends Listbox {
  constructor(report) {
    super(report);
    this.root.classList.add("att-arcs");
    this.ruler = document.createElement("canvas").getContext("2d");
  }

  called(_, words) {
    return { kind: words.ui.arcs, keys: words.ui.arcs_keys };
  }

  compose({ width, colours }) {
    const { tokens, focus, weights, struck = [] } = this.sent.arcs;
    const { places, size, length } = this.line(tokens, width, colours);
    const base = SKY * colours.large + 4;
    const height = base + box(size) + 1.5 * SMALL * colours.large;
    Object.entries({ width: Math.max(width, length), height, "font-size": size }).forEach((pair) => this.svg.setAttribute(...pair));
    const sky = put(this.svg, "g", { "aria-hidden": "true" });
    const farthest = Math.max(...places.map(({ middle }) => Math.abs(middle - places[focus].middle)));
    // Weights that dropout leaves are larger than one may be wide: then all are drawn narrower by as much.
    const narrow = Math.min(1, MOST / Math.max(...weights));
    const to = { base, farthest, large: colours.large };
    struck.forEach((weight, index) => {
      if (weight >= DRAWN) this.arc(sky, places[focus].middle, places[index].middle, weight, to).classList.add("att-struck");
    });
    weights.forEach((weight, index) => {
      if (weight >= DRAWN) this.arc(sky, places[focus].middle, places[index].middle, weight * narrow, to);
    });
    const numbered = apart(places, weights.map((weight, index) => Math.max(weight, struck[index] ?? 0)), 2.3 * SMALL * colours.large);
    const words = tokens.map((token, index) =>
      this.word(token, index, places[index], { base, size, large: colours.large, isNumbered: numbered.has(index) }));
    // A long sentence scrolls within itself.
    if (length > width) this.plot.scrollLeft = places[focus].middle - width / 2;
    return words;
  }

  // Where the words stand: as large as the width allows, and not smaller than can be read.
  line(tokens, width, { font, large }) {
    const natural = LARGEST * large;
    this.ruler.font = `600 ${natural}px ${font}`;
    const lengths = tokens.map((token) => Math.max(this.ruler.measureText(clip(token)).width, TARGET * 0.6));
    const gap = 0.55 * natural;
    const whole = lengths.reduce((sum, one) => sum + one + gap, gap);
    const size = Math.max(SMALLEST * large, Math.min(natural, (natural * width) / whole));
    let left = (gap * size) / natural;
    const places = lengths.map((one) => {
      const [start, long] = [left, (one * size) / natural];
      left += long + (gap * size) / natural;
      return { left: start, width: long, middle: start + long / 2 };
    });
    return { places, size, length: left };
  }

  arc(sky, from, to, weight, { base, farthest, large }) {
    const across = Math.abs(to - from);
    const wide = WIDEST * large * weight;
    const up = across ? (18 + 26 * (across / farthest)) * large : 22 * large + wide / 2;
    // Back to the word itself: the wider it is, the wider it turns, so that it stays an arc.
    const [foot, turn] = [5 + wide / 4, 26 + wide / 2];
    const d = across
      ? `M${from},${base} A${across / 2},${up} 0 0 ${to > from ? 1 : 0} ${to},${base}`
      : `M${from - foot},${base} C${from - turn},${base - 1.33 * up} ${from + turn},${base - 1.33 * up} ${from + foot},${base}`;
    return put(sky, "path", { class: "att-arc", d, "stroke-width": wide });
  }

  word(token, index, { left, width, middle }, { base, size, large, isNumbered }) {
    const { focus, weights, struck = [] } = this.sent.arcs;
    const isStruck = struck[index] > 0;
    const weight = isStruck ? struck[index] : weights[index];
    const label = filled(isStruck ? this.words.ui.arcs_struck : this.words.ui.arcs_word, { word: token, weight: shown(weight, 2) });
    const word = put(this.svg, "g", { class: "att-word", ...this.option(index === focus, label) });
    const high = box(size);
    put(word, "rect", { x: left - 4, y: base + 2, width: width + 8, height: high, rx: 4 });
    put(word, "text", { x: middle, y: base + 2 + high / 2 + 0.34 * size }).textContent = clip(token);
    if (isNumbered) {
      const at = { class: "att-weight", x: middle, y: base + high + 1.25 * SMALL * large, "font-size": SMALL * large };
      put(word, "text", at).textContent = weight.toFixed(2);
      word.lastChild.classList.toggle("att-struck", isStruck);
    }
    return word;
  }

  headAndLines() {
    const { tokens, weights, struck } = this.sent.arcs;
    const head = [this.words.ui.arcs_from, this.words.ui.vectors_weight, ...(struck ? [this.words.ui.arcs_before] : [])];
    return [head, tokens.map((token, index) => [token, shown(weights[index]), ...(struck ? [shown(struck[index])] : [])])];
  }
}

// The words below which their weight is written: from the largest on, those that have the room of a number.
export function apart(places, weights, room) {
  const numbered = new Set();
  const largest = weights.map((_, index) => index).sort((a, b) => weights[b] - weights[a]);
  for (const index of largest) {
    const { middle } = places[index];
    if (weights[index] >= NAMED && ![...numbered].some((one) => Math.abs(places[one].middle - middle) < room)) numbered.add(index);
  }
  return numbered;
}

// The height of the box around a word.
function box(size) {
  return Math.max(TARGET, 1.6 * size);
}

function clip(token) {
  return token.length > LONGEST ? `${token.slice(0, LONGEST - 1)}…` : token;
}
