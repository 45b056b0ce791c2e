// The words of a sentence that does not fit in one line, slanted over their columns: once, where a wrapped sentence
// would need them a second time.

import { clip } from "./sentence_line.js";
import { widthOf } from "./text.js";

// Type; the height of a name above its columns, in its own height.
const [SIZE, ROOM] = [14, 1.2];

// The angle of a name in degrees, and how far it leans to the right, as a share of its height.
const [TURN, SLANT] = [60, 1 / Math.tan((60 * Math.PI) / 180)];

// The places of slanted words. leans: whether lines to a word end at its upper end, which leans to the right.
export function overColumns(line, leans = false) {
  if (line.isWide) return line;
  const high = ROOM * line.slanted;
  const lean = leans ? high * SLANT : 0;
  const words = line.columns.map(({ middle, width }) => ({
    middle: middle + lean,
    left: middle + lean - width / 2,
    width,
    line: 0,
  }));
  return { ...line, words, lines: 1, high, isSlanted: true };
}

// Slant a word that is drawn already, and make the way down to its column part of its target. Returns its rotation and
// its width; nothing for upright words.
export function slant(scene, word, token, index, line, { large, font }) {
  word.classList.toggle("att-slanted-word", Boolean(line.isSlanted));
  if (!line.isSlanted) return null;
  const [{ top, bottom }, { middle, width }] = [line.words[index], line.columns[index]];
  const [size, shown] = [SIZE * large, clip(token)];
  const transform = `translate(${middle + 4},${bottom - 4}) rotate(-${TURN})`;
  const wide = widthOf(shown, size, font, 700) + 8 * large;
  const box = { x: -4 * large, y: -1.05 * size, width: wide, height: 1.4 * size, rx: 5, transform };
  scene.put(`box ${index}`, "rect", box, word);
  scene.put(`token ${index}`, "text", { x: 0, y: 0, "font-size": size, transform }, word, shown);
  const [left, lean] = [middle - width / 2, (bottom - top) * SLANT];
  const d = `M${left},${bottom} l${lean},${top - bottom} h${width} l${-lean},${bottom - top} Z`;
  scene.put(`slanted hit ${index}`, "path", { class: "att-slanted-hit", d }, word);
  return { transform, wide: widthOf(shown, size, font) };
}
