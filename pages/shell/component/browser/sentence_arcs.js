// The sentence with the arcs of all heads, and its numbers below. If it does not fit into one line, each word is
// slanted over its own column; a text too long for that is wrapped, and named again at its columns.

import { Arcs } from "./arcs.js";
import { SKIES } from "./sentence.js";
import { overColumns, slant } from "./slanted_words.js";

// The least distance of two columns with slanted words, in pixels.
const ROOM = 22;

export class SentenceArcs extends Arcs {
  compose(due) {
    this.colours = due.colours;
    return super.compose(due);
  }

  placed(tokens, width, colours) {
    const line = super.placed(tokens, width, colours);
    const leans = line.columns[0].width >= ROOM * colours.large;
    this.skies = leans ? [SKIES[0], SKIES[0]] : SKIES;
    return leans ? overColumns(line, true) : line;
  }

  word(parent, token, index, line, high) {
    const word = super.word(parent, token, index, line, high);
    slant(this.scene, word, token, index, line, this.colours);
    return word;
  }
}
