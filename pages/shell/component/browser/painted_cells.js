// Hand-painted cells of a mask as the text of the address: two characters for each, of its query and of its key, as in
// state/painted_cells.py.

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const place = (cell) => ALPHABET.length * ALPHABET.indexOf(cell[0]) + ALPHABET.indexOf(cell[1]);

// The cells that a text names an odd number of times, because painting a cell twice restores it.
export function cells(text) {
  const found = new Set();
  const characters = [...text];
  for (let at = 0; at + 1 < characters.length; at += 2) {
    const pair = characters.slice(at, at + 2);
    if (pair.every((character) => ALPHABET.includes(character))) turn(found, pair.join(""));
  }
  return found;
}

export function turn(painted, cell) {
  if (!painted.delete(cell)) painted.add(cell);
}

// The text of these cells; equal sets give the same text.
export function text(painted) {
  return [...painted].sort((one, other) => place(one) - place(other)).join("");
}

// The cell of a query and a key, both from 0; null if there is no character for a position.
export function cell(query, key) {
  return query < ALPHABET.length && key < ALPHABET.length ? ALPHABET[query] + ALPHABET[key] : null;
}

// The query and the key of a cell, both from 0.
export const placeOf = (cell) => [...cell].map((character) => ALPHABET.indexOf(character));
