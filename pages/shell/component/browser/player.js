// Steps that are gone through by hand or played, with a sentence about each: told as those of the pipeline, but alone.

import { Telling } from "./telling.js";

// Milliseconds for a step: its figures repeat themselves, and are soon read.
const READ = 2500;

export class Player {
  constructor(parent) {
    this.root = document.createElement("section");
    this.root.className = "att-strip";
    this.telling = new Telling(this.root, (told) => this.ask({ told }), READ);
    parent.append(this.root);
  }

  update(words) {
    if (words) this.telling.update(this.data.player, words);
  }

  remove() {
    this.telling.stop();
    this.root.remove();
  }
}
