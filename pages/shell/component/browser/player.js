// Steps that the reader plays or goes through by hand, with a sentence about each: as in the pipeline, but without
// tiles.

import { filledIn, give } from "./give.js";
import { Telling } from "./telling.js";
import { nameOf } from "./under_finger.js";
import { vocabulary } from "./vocabulary.js";

// Milliseconds for a step, unless its block has another number: its figures repeat themselves, and are soon read.
const READ = 2500;

export class Player {
  constructor() {
    this.root = document.createElement("section");
    this.root.className = "att-strip att-player";
    this.telling = new Telling(this.root, (told) => {
      this.asked = told;
      give(filledIn(this.sent.sets, { told, value: this.sent.values?.[told - 1] }));
    });
    this.events = new AbortController();
    const listen = (name, heard) => addEventListener(name, heard, { capture: true, signal: this.events.signal });
    // A reader who clicks in a figure wants to stay at its step.
    listen("click", ({ target }) => target.closest?.(".att-cards") && this.telling.stop());
    // A reader who takes the played slider moves it, and no step may take it away.
    const taken = ({ target }) => {
      const track = target.closest?.(".stSlider [role=group]");
      if (track && this.telling.plays && nameOf(track) in this.sent.sets) this.telling.stop();
    };
    ["pointerdown", "keydown"].forEach((name) => listen(name, taken));
  }

  update(block) {
    // A slider or a link has set another step.
    const isOther = block.at !== this.sent?.at && block.at !== this.asked;
    if (this.telling.plays && isOther) this.telling.stop();
    this.sent = block;
    this.telling.read = block.read || READ;
    this.root.toggleAttribute("data-later", Boolean(block.later));
    if (!vocabulary.words) return;
    const { ui } = vocabulary.words;
    this.telling.update({ ...block, isSpelled: Boolean(block.buttons) }, { ui: { ...ui, ...block.buttons } });
  }

  remove() {
    this.events.abort();
    this.telling.stop();
    this.root.remove();
  }
}
