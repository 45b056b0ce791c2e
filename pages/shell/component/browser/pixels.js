// Matrices as pixels: each cell is a shade of the colour range of its kind, chosen by the server.

import { mixed } from "./colour.js";

const SHADES = 254;
const HIDDEN = 255;
const tables = new Map();

export const decoded = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

// Paint matrices of one size side by side with gaps, one pixel for each cell; the browser stretches the image.
export function paint(canvas, matrices, rows, columns, kind, colours, gap = 0) {
  const table = tableOf(kind, colours);
  const width = matrices.length * (columns + gap) - gap;
  Object.assign(canvas, { width, height: rows });
  const image = new ImageData(width, rows);
  const pixels = new Uint32Array(image.data.buffer);
  matrices.forEach((shades, at) => {
    for (let row = 0; row < rows; row += 1) {
      const start = row * width + at * (columns + gap);
      for (let column = 0; column < columns; column += 1)
        pixels[start + column] = table[shades[row * columns + column]];
    }
  });
  canvas.getContext("2d").putImageData(image, 0, 0);
}

// The colour of each shade of a kind, as four bytes; transparent for hidden cells.
function tableOf(kind, colours) {
  const name = `${kind} ${colours.signature}`;
  if (!tables.has(name)) {
    // At most two themes, two palettes and three kinds are in use.
    if (tables.size > 16) tables.clear();
    const table = new Uint8ClampedArray(4 * (HIDDEN + 1));
    for (let shade = 0; shade <= SHADES; shade += 1)
      table.set([...mixed(colours[kind], shade / SHADES), 255], 4 * shade);
    tables.set(name, new Uint32Array(table.buffer));
  }
  return tables.get(name);
}
