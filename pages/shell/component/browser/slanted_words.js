// The words of a sentence that does not fit in one line, slanted over the columns of what stands below them: once, where a
// wrapped sentence would need them a second time.

import { clip } from "./sentence_line.js";
import { widthOf } from "./text.js";

// Type; how much of its own height a name is above its columns.
const [SIZE, ROOM] = [14, 1.2];

// Where the words stand instead of in several lines.
export function overColumns(line) {
  if (line.isWide) return line;
  const words = line.columns.map(({ middle, width }) => ({ middle, left: middle - width / 2, width, line: 0 }));
  return { ...line, words, lines: 1, high: ROOM * line.slanted, isSlanted: true };
}

// A word that is there already is slanted, and its column above the figure can be hit.
export function slant(scene, word, token, index, line, { large, font }) {
  word.classList.toggle("att-slanted-word", Boolean(line.isSlanted));
  if (!line.isSlanted) return;
  const { middle, left, width, top, bottom } = line.words[index];
  const [size, shown] = [SIZE * large, clip(token)];
  const transform = `translate(${middle + 4},${bottom - 4}) rotate(-60)`;
  const wide = widthOf(shown, size, font, 700) + 8 * large;
  const box = { x: -4 * large, y: -1.05 * size, width: wide, height: 1.4 * size, rx: 5, transform };
  scene.put(`box ${index}`, "rect", box, word);
  scene.put(`token ${index}`, "text", { x: 0, y: 0, "font-size": size, transform }, word, shown);
  const hit = { class: "att-slanted-hit", x: left, y: top, width, height: bottom - top };
  scene.put(`hit ${index}`, "rect", hit, word);
}
