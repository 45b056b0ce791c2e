// A sentence from top to bottom, for a narrow screen: the arcs of A on its left, and those of B mirrored on its right.
// Both are figures of their own, side by side; that of A has the words.

import { columnHigh, writeColumn } from "./scorecard.js";
import { widthOf } from "./text.js";
import { clip } from "./sentence_line.js";

const PHONE = matchMedia("(max-width: 40rem)");
// Pixels: type of words and of names, a line of words, the room above and beside them, an arc of share 1.
const [TYPE, NAME, LINE, OVER, BESIDE, WIDEST] = [18, 14, 31, 44, 10, 9];

export function isUpright({ arcs, labels }) {
  return Boolean(labels.side && arcs.mirrored && PHONE.matches);
}

// figure: HeadArcs, which draws its arcs as above a line; the line is turned. Returns the words that can be chosen.
export function upright(figure, { width, colours }) {
  const { scene, svg } = figure;
  const { tokens, hangs } = figure.sent.arcs;
  const { large, font } = colours;
  const [size, row, over] = [TYPE * large, LINE * large, OVER * large + columnHigh(figure.sent, large)];
  const lengths = tokens.map((token) => widthOf(clip(token), size, font, 600));
  const column = hangs ? 0 : Math.min(Math.max(...lengths) + 2 * BESIDE * large, 0.6 * width);
  const edge = hangs ? 2 : width - column;
  // Two names fit below the last word.
  const height = over + tokens.length * row + 3.2 * NAME * large;
  Object.entries({ width, height, "font-size": size }).forEach((pair) => svg.setAttribute(...pair));
  // Along the line, from top to bottom, words are as high as they would be wide.
  const along = tokens.map((_, at) => ({
    middle: over + (at + 0.5) * row,
    left: over + at * row,
    width: row,
    line: 0,
  }));
  const line = {
    isWide: true,
    isUpright: true,
    size,
    width: height,
    words: along.map((one) => ({ ...one, top: 0, bottom: 0 })),
  };
  figure.skies = [(hangs ? width - edge : edge) / large, 0];
  figure.widths = [WIDEST, WIDEST];
  Object.assign(figure, { line, edge, height, around: { arcs: [], blocked: [], width: height } });
  const sky = scene.put("sky", "g", { transform: `matrix(0 1 ${hangs ? -1 : 1} 0 ${edge} 0)`, "aria-hidden": "true" });
  figure.arcs(sky, line, large, colours);
  writeColumn(figure, hangs ? edge : 0, width, colours);
  if (hangs) return [];
  const beside = { middle: width - column / 2 };
  const words = {
    size,
    words: lengths.map((wide, at) => ({
      ...beside,
      left: beside.middle - wide / 2,
      width: wide,
      top: over + at * row,
    })),
  };
  const group = scene.put("words", "g", {});
  return tokens.map((token, at) => figure.word(group, token, at, words, row));
}

// Names beside the words at which arcs end, beyond their feet: below each other, or upwards above the word that asks,
// and never over another.
export function named({ scene, sent, svg, edge, height }, names, { words }, { large }) {
  const size = NAME * large;
  const out = sent.arcs.hangs ? 1 : -1;
  const look = { x: edge + 6 * out, "text-anchor": out > 0 ? "start" : "end", "font-size": size };
  const taken = [];
  // Keep the lowest names inside the figure, which the feet of wide arcs would push out.
  const lowest = height - 0.3 * size;
  for (const { id, text, to, kind, fill, side, beside } of names) {
    let y = words[to].middle + side * beside + (side > 0 ? 0.75 * size : 0);
    let step = side * 0.55 * size;
    const isTaken = () => taken.some((other) => Math.abs(other - y) < size);
    while (isTaken() || y > lowest) {
      if (y > lowest) [y, step] = [lowest, -0.55 * size];
      if (isTaken()) y += step;
    }
    taken.push(y);
    scene.put(id, "text", { class: kind, ...look, y, "data-to": to }, svg, text).style.fill = fill;
  }
}
