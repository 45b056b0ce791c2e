// The names of both lines of words, beside them or above columns.

import { widthOf } from "./text.js";

// Pixels: type of a name, the menu beside it; type of a word's meaning.
const [TYPE, MENU] = [14, 30];
export const GLOSS = 13;

// lines: both with their places; middles: their heights; high: a line; told: the height of the answers, and their room
// beside a column.
export function nameLines(scene, svg, sent, { lines, isAcross, width, colours, middles, high, told }) {
  const { large, font } = colours;
  const { labels } = sent;
  const type = TYPE * large;
  const put = (name, text, place, kind = "") =>
    scene.put(name, "text", { class: `att-line-name ${kind}`, "font-size": type, ...place }, svg, text);
  const left = (line) => lines[line].left - 10 * large;
  const rowsOf = (text, line) => (isAcross ? inRows(text, left(line) - 2 * large, type, font) : [text]);
  ["text", "context"].forEach((line, index) => {
    const column = index
      ? { x: width - MENU * large, "text-anchor": "end" }
      : { x: told.beside, "text-anchor": "start" };
    const rows = rowsOf(labels[line], index);
    [...rows, labels[`${line}_does`]].forEach((text, row) => {
      const y = isAcross ? middles[index] + (row + 0.8 - (rows.length + 1) / 2) * 1.2 * type : (1 + 1.2 * row) * type;
      const place = isAcross ? { x: left(index), "text-anchor": "end" } : column;
      put(`line ${line} ${row}`, text, { ...place, y }, row < rows.length ? "att-strong" : "");
    });
  });
  if (sent.crossing.said.length) {
    const place = isAcross ? { x: left(0), y: told.y, "text-anchor": "end" } : { x: 0, y: 2.2 * type };
    put("line said", isAcross ? labels.says : labels.says_short, place, "att-gloss");
  }
  if (isAcross && labels.gloss.some(Boolean)) {
    const y = middles[1] + 0.5 * high + (GLOSS + 1) * large;
    put("line gloss", labels.gloss_is, { x: left(1), y, "text-anchor": "end" }, "att-gloss");
  }
}

// A text in as few rows as a width allows. A single word, and an arrow with its word, may be wider.
function inRows(text, width, type, font) {
  return text.split(/(?<!→) /).reduce((rows, word) => {
    const longer = rows.length ? `${rows.at(-1)} ${word}` : word;
    if (rows.length && widthOf(longer, type, font) > width) return [...rows, word];
    return [...rows.slice(0, -1), longer];
  }, []);
}
