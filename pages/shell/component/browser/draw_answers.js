// Under the mean of the draws a line for each question of the word: a tick for each draw after which the answer is right, a
// cross for each other one, and how many are right. The draw that is shown stands in a frame; later ones are faint.

import { widthOf } from "./text.js";

// Pixels: above and below the lines, a line, the type, the largest mark, from a name to the marks.
const [ABOVE, BELOW, HIGH, SIZE, MARK, GAP] = [18, 8, 24, 15, 11, 12];
// The share of the largest mark below which a tick is a stroke.
const SMALL = 0.6;

const tick = (x, y, side) =>
  side < MARK * SMALL
    ? `M${x},${y - MARK / 2}v${MARK}`
    : `M${x - side / 2},${y}l${side * 0.35},${side * 0.4}l${side * 0.65},${-side * 0.9}`;
const cross = (x, y, side) =>
  `M${x - side / 2},${y - side / 2}l${side},${side}M${x - side / 2},${y + side / 2}l${side},${-side}`;

// Where the lines end.
export function answers({ scene, parent, sent, labels, line, large, font, top, at }) {
  if (!sent.rights.length) return top;
  const size = SIZE * large;
  const wide = (texts) => Math.max(...texts.map((text) => widthOf(text, size, font)));
  // Where there is little room, the words stand above the marks.
  const [left, right] = line.isWide
    ? [Math.max(line.left, wide(labels.asked) + GAP), line.width - wide(labels.counted) - GAP]
    : [2, line.width - 2];
  const one = (right - left) / sent.draws;
  const side = Math.min(MARK * large, 0.7 * one);
  const rows = line.isWide ? 1 : 2;
  const from = top + ABOVE * large;
  sent.rights.forEach((rights, row) => {
    const y = from + (row * rows + 0.5) * HIGH * large;
    const marks = y + (rows - 1) * 0.85 * HIGH * large;
    const said = (name, text, look) =>
      scene.put(`${name} ${row}`, "text", { y: y + 0.35 * size, "font-size": size, ...look }, parent, text);
    said("asked", labels.asked[row], {
      class: "att-line-name",
      x: line.isWide ? left - GAP : 0,
      "text-anchor": line.isWide ? "end" : "start",
    });
    said("counted", labels.counted[row], {
      class: "att-line-name",
      x: line.isWide ? right + GAP : line.width,
      "text-anchor": line.isWide ? "start" : "end",
    });
    for (const [when, from, to] of /** @type {[string, number, number][]} */ ([
      ["seen", 0, at + 1],
      ["later", at + 1, sent.draws],
    ]))
      for (const [kind, is, draw] of /** @type {[string, string, typeof tick][]} */ ([
        ["right", "1", tick],
        ["wrong", "0", cross],
      ])) {
        const d = [...rights.slice(from, to)]
          .map((mark, index) => (mark === is ? draw(left + (from + index + 0.5) * one, marks, side) : ""))
          .join("");
        scene.put(`${kind} ${when} ${row}`, "path", { class: `att-${kind} att-${when}`, d }, parent);
      }
    const frame = {
      x: left + at * one,
      y: marks - 0.42 * HIGH * large,
      width: one,
      height: 0.84 * HIGH * large,
      rx: 2,
    };
    scene.put(`draw ${row}`, "rect", { class: "att-draw", ...frame }, parent);
  });
  return from + (sent.rights.length * rows * HIGH + BELOW) * large;
}
