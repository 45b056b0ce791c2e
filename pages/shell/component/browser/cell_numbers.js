// The numbers in the cells of a heatmap: with as many decimals as can be read, or none.

import { ink, mixed } from "./colour.js";
import { fixed } from "./text.js";

// The rows and columns of a matrix that has room for them.
export const PRINTED = 16;
// In the place of a number that is not there any more.
export const CROSS = "✕";
// Pixels below which a number in a cell cannot be read.
const LEAST = 10;

// Small matrices print their numbers, with as many decimals as fit the cell at a size that can be read. None where all
// of them would read as nothing; where there is no room for numbers, what is crossed out still is.
export function printed(z, sent, layout, colours) {
  const [rows, columns] = sent.shape;
  if (columns > PRINTED || rows > PRINTED) return null;
  const { width, height, margin } = layout;
  const cell = { width: (width - margin.l - margin.r) / columns, height: (height - margin.t - margin.b) / rows };
  const cells = z.flatMap((line, y) => Array.from(line, (value, x) => ({ x, y, value }))).filter(({ value }) => Number.isFinite(value));
  const whole = cells.every(({ value }) => Number.isInteger(value));
  const crossed = ({ value }) => Boolean(sent.crossed) && value === 0;
  for (const digits of [...(whole ? [0] : [2, 1]), null]) {
    // A space, not nothing: Plotly leaves out an empty text, and other numbers are painted into those that it drew.
    const number = ({ value }) => (digits === null ? "\u00a0" : fixed(value, digits));
    const texts = cells.map((one) => (crossed(one) ? CROSS : number(one)));
    if (digits !== 0 && !texts.some((text) => text === CROSS || /[1-9]/.test(text))) return null;
    const longest = Math.max(1, ...texts.map((text) => text.length));
    // A cross has nothing below its line.
    const size = Math.min(12 * colours.large, (cell.width - 4) / (0.56 * longest), cell.height - (digits === null ? 1 : 3));
    if (size >= LEAST) return over(cells, texts, size, sent, colours);
  }
  return null;
}

// Plotly has one colour, or its own choice, for all numbers of a heatmap: they are a layer of texts above it.
function over(cells, texts, size, { kind, range: [low, high] }, colours) {
  const colour = cells.map(({ value }) => ink(mixed(colours[kind], high > low ? (value - low) / (high - low) : 0.5)));
  return {
    type: "scatter",
    mode: "text",
    x: cells.map(({ x }) => x),
    y: cells.map(({ y }) => y),
    text: texts,
    textfont: { size, color: colour, family: colours.font },
    hoverinfo: "skip",
    showlegend: false,
  };
}
