// The numbers in the cells of a heatmap, with as many decimals as can be read, or none.

import { ink, mixed } from "./colour.js";
import { fixed } from "./text.js";

// The most rows and columns of a matrix that prints its numbers.
export const PRINTED = 16;
// Stands in place of a number that has been removed.
export const CROSS = "✕";
// The smallest type, in pixels, in which a number in a cell can be read.
const LEAST = 10;

// The numbers of a small matrix, with as many decimals as fit a cell in readable type: none if all would read as zero.
// Without room for numbers, crossed-out cells still get their cross. seen: cells that are looked at, with row, column,
// text, size and colours.
export function printed(z, sent, { area, rows, columns, seen }, colours) {
  if (columns > PRINTED || rows > PRINTED) return null;
  const room = { width: area.width / columns, height: area.height / rows };
  const cells = [];
  for (let row = seen.rows[0]; row <= seen.rows[1]; row += 1) {
    for (let column = seen.columns[0]; column <= seen.columns[1]; column += 1)
      if (Number.isFinite(z[row][column])) cells.push([row, column]);
  }
  const values = cells.map(([row, column]) => z[row][column]);
  const isCrossed = (value) => Boolean(sent.crossed) && value === 0;
  for (const digits of [...(values.every(Number.isInteger) ? [0] : [2, 1]), null]) {
    // Painted cells show a mark where they hide, and no numbers.
    const number = (value) => (digits === null || sent.brush ? "" : fixed(value, digits));
    const texts = values.map((value) => (isCrossed(value) ? CROSS : number(value)));
    if (digits !== 0 && !texts.some((text) => text === CROSS || /[1-9]/.test(text))) return null;
    const longest = Math.max(1, ...texts.map((text) => text.length));
    // A cross has no descender, so it is centred by its own height.
    const size = Math.min(
      12 * colours.large,
      (room.width - 4) / (0.56 * longest),
      room.height - (digits === null ? 1 : 3),
    );
    if (size >= LEAST) return { cells, texts, size, inks: values.map((value) => inkOn(value, sent, colours)) };
  }
  return null;
}

function inkOn(value, { kind, range: [low, high] }, colours) {
  return ink(mixed(colours[kind], high > low ? (value - low) / (high - low) : 0.5));
}
