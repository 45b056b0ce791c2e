// Cells of a mask that were painted by hand, as the text of the address: two characters each, the query's and the key's.
// As state/painted_cells.py has it.

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const place = (cell) => ALPHABET.length * ALPHABET.indexOf(cell[0]) + ALPHABET.indexOf(cell[1]);

// The cells that a text names an odd number of times: painted twice is not painted.
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

// The one text of these cells.
export function text(painted) {
  return [...painted].sort((one, other) => place(one) - place(other)).join("");
}

// A query and a key from 0 as a cell; null where a position has no character.
export function cell(query, key) {
  return query < ALPHABET.length && key < ALPHABET.length ? ALPHABET[query] + ALPHABET[key] : null;
}

// The query and the key of a cell, from 0.
export const placeOf = (cell) => [...cell].map((character) => ALPHABET.indexOf(character));
