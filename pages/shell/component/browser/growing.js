// A sentence that is written word by word, and below the words a key and a value each, once with a cache and once without, on as
// many bars as they have been computed times; the words that are to come have empty places. What is computed for the newest word flashes; lines lead to it from what it reads.

import { named } from "./column_names.js";
import { totals } from "./growing_totals.js";
import { HeadArcs } from "./head_arcs.js";
import { overColumns, slant } from "./slanted_words.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
// Milliseconds of a flash; pixels: a key with its value and its height, between the two ways, type, all bars of a word (in one
// line of words and in several), the most from one of them to the next, the room of the lines that lead to the newest word.
const [FLASH, STRIP, HIGH, GAP, TYPE, PILE, BAR, READS] = [600, 50, 18, 14, 14, [121, 77], 11, 26];
// Between a key and its value.
const APART = 3;
// Above the words, in one line and in several, and the room of the button there.
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
    for (const one of this.svg.querySelectorAll(".att-computed"))
      one.animate([{ fillOpacity: 1 }, { fillOpacity: 0.22 }], { duration: FLASH, easing: "ease-out" });
    for (const one of this.svg.querySelectorAll(".att-stored, .att-reading"))
      one.animate([{ strokeWidth: 5 }, { strokeWidth: 1.75 }], { duration: FLASH, easing: "ease-out" });
  }

  word(parent, token, index, line, high) {
    const word = super.word(parent, token, index, line, high);
    word.classList.toggle("att-unwritten", index > this.sent.arcs.focus);
    slant(this.scene, word, token, index, line, this.colours);
    return word;
  }

  // How much the newest word takes from whom is not what this picture is about: its table tells it.
  arcs(_, __, ___, colours) {
    this.colours = colours;
  }

  placed(tokens, width, colours) {
    return overColumns(super.placed(tokens, width, colours));
  }

  under(parent, { line, top, colours }) {
    const { scene, sent } = this;
    const { large } = colours;
    const { tokens, focus } = sent.arcs;
    const at = { y: top + 8 * large };
    const options = tokens.map((_, index) => scene.put(`kept ${index}`, "g", {}, parent));
    const draws = { scene, parent, options, sent: sent.arcs, line, large, colours, at };
    const step = Math.min(PILE[line.isWide ? 0 : 1] / tokens.length, BAR) * large;
    for (const way of ["cached", "again"]) {
      // Beside the strips, or else above the lines that lead to them.
      const reads = () => way === "cached" && this.reads(draws, focus);
      if (line.isWide) reads();
      this.name(draws, way);
      if (!line.isWide) {
        at.y += 6 * large;
        reads();
      }
      const below = at.y + HIGH * large + 9;
      tokens.forEach((_, index) => {
        const { middle, width } = line.columns[index];
        const wide = Math.min(width - 10, STRIP * large);
        const x = middle - wide / 2;
        const isThere = index <= focus;
        const kind = !isThere ? "empty" : way === "again" || index === focus ? "computed" : "stored";
        const box = { x: x - 5, y: at.y - 5, width: wide + 10, height: HIGH * large + 10, rx: 4 };
        scene.put(`${kind} ${way} ${index}`, "rect", { class: `att-${kind}`, ...box }, options[index]);
        // What is to come stands there faintly, as in the curves below.
        const [times, all] = way === "again" ? [isThere ? focus - index + 1 : 0, tokens.length - index] : [+isThere, 1];
        for (let time = 0; time < all; time++) {
          const bar = { x: x - 4, y: below + time * step, width: wide + 8, height: 0.7 * step };
          const look = time < times ? "att-time" : "att-time att-time-to-come";
          scene.put(`time ${way} ${index} ${time}`, "rect", { class: look, ...bar }, options[index]);
        }
        if (!isThere) return;
        const cell = { y: at.y, width: (wide - APART) / 2, height: HIGH * large, rx: 1.5 };
        scene.put(`key ${way} ${index}`, "rect", { class: "att-kept-key", x, ...cell }, options[index]);
        const value = { class: "att-kept-value", x: x + cell.width + APART, ...cell };
        scene.put(`value ${way} ${index}`, "rect", value, options[index]);
      });
      // As high as the last word makes it, so that nothing moves.
      at.y = below + (way === "again" ? tokens.length : 1) * step + GAP * large;
    }
    totals({ ...draws, labels: sent.labels });
    return { options: [], bottom: at.y };
  }

  // From what is kept of each earlier word a line leads to the newest one, which reads it.
  reads({ scene, parent, line, large, at }, focus) {
    const bus = at.y + 8 * large;
    at.y += READS * large;
    if (!focus) return;
    const top = at.y - 5;
    const to = line.columns[focus].middle;
    const stems = line.columns.slice(0, focus).map(({ middle }) => `M${middle},${top}V${bus}`);
    const d = `${stems.join("")}M${line.columns[0].middle},${bus}H${to}V${top - 5 * large}`;
    scene.put("reads", "path", { class: "att-reading", d }, parent);
    const half = 5 * large;
    const tip = `M${to - half},${top - 1.4 * half}h${2 * half}L${to},${top}Z`;
    scene.put("reads tip", "path", { class: "att-reading-tip", d: tip }, parent);
    if (!line.isWide) return;
    const place = { x: line.left - 10 * large, y: bus + 5 * large, "text-anchor": "end", "font-size": TYPE * large };
    scene.put("reads name", "text", { class: "att-line-name", ...place }, parent, this.sent.labels.reads);
  }

  // A way, and once what its strips are.
  name(draws, way) {
    const { line, large, at } = draws;
    const { labels } = this.sent;
    if (!line.isWide) return named(draws, way, way === "cached" ? `${labels[way]}: ${labels.strip}` : labels[way]);
    named(draws, way, labels[way], at.y + 14 * large);
    if (way === "cached") named(draws, "strip", labels.strip, at.y + 32 * large);
  }

  // How often a word has been computed, and then what the newest word takes from it.
  headAndLines() {
    const { labels, arcs } = this.sent;
    const [head, lines] = super.headAndLines();
    const times = (at) => (at > arcs.focus ? [0, 0] : [1, arcs.focus - at + 1]);
    const { cached, again } = arcs.totals;
    return [
      [labels.word, labels.cached, labels.again, labels.totals_cached, labels.totals_again, ...head.slice(1)],
      lines.map(([token, ...shares], at) => [token, ...times(at), cached[at], again[at], ...shares]),
    ];
  }
}
