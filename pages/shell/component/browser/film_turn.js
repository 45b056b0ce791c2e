// The reader's turn at the end of the film: the clicked word is the guess for the largest weight of the word that asks.

import { shape } from "./stage.js";

let open = null;

// place: of the word that asks; taken: called with the place of the guessed word.
export function ask(place, taken) {
  close();
  open = taken;
  document.documentElement.dataset.turn = "open";
  mark(place, "asks");
}

export const isOpen = () => open !== null;

// Take the clicked word as the guess. Returns whether a guess was open.
export function guess(place) {
  if (!open) return false;
  const taken = open;
  close();
  mark(place, "guess");
  taken(place);
  return true;
}

export function close() {
  open = null;
  delete document.documentElement.dataset.turn;
  document.querySelectorAll(".att-word[data-turn]").forEach((word) => delete word.dataset.turn);
}

function mark(place, as) {
  const word = shape(`word ${place}`);
  if (word) word.dataset.turn = as;
}
