// Steps that are gone through by hand or played, with a sentence about each: told as those of the pipeline, but alone.

import { filledIn, give } from "./give.js";
import { Telling } from "./telling.js";
import { nameOf } from "./under_finger.js";
import { vocabulary } from "./vocabulary.js";

// Milliseconds for a step, where its block says no other number: its figures repeat themselves, and are soon read.
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
    // Who chooses something in a figure wants to stay there.
    listen("click", ({ target }) => target.closest?.(".att-cards") && this.telling.stop());
    // Who takes the slider that is played moves it, and no step takes it away.
    const taken = ({ target }) => {
      const track = target.closest?.(".stSlider [role=group]");
      if (track && this.telling.plays && nameOf(track) in this.sent.sets) this.telling.stop();
    };
    ["pointerdown", "keydown"].forEach((name) => listen(name, taken));
  }

  update(block) {
    // A step that a slider or a link has asked for.
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
