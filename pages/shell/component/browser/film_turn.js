// The reader's turn at the end of the film: the word that is clicked is the guess from which the word that asks takes most.

import { shape } from "./stage.js";

let open = null;

// place: of the word that asks; taken: is told the place of the word that is guessed.
export function ask(place, taken) {
  close();
  open = taken;
  document.documentElement.dataset.turn = "open";
  mark(place, "asks");
}

export const isOpen = () => open !== null;

// Whether a word that is clicked is a guess.
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
