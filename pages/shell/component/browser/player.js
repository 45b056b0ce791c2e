// Steps that are gone through by hand or played, with a sentence about each: told as those of the pipeline, but alone.

import { filledIn, give } from "./give.js";
import { Telling } from "./telling.js";
import { vocabulary } from "./vocabulary.js";

// Milliseconds for a step: its figures repeat themselves, and are soon read.
const READ = 2500;

export class Player {
  constructor() {
    this.root = document.createElement("section");
    this.root.className = "att-strip att-player";
    this.telling = new Telling(this.root, (told) => give(filledIn(this.sent.sets, { told })), READ);
  }

  update(block) {
    this.sent = block;
    if (vocabulary.words) this.telling.update(block, vocabulary.words);
  }

  remove() {
    this.telling.stop();
    this.root.remove();
  }
}
