// A hand on a slider that a play moves. After each step the server puts another slider in its place, and one that is taken
// just before would be gone from under the hand: the hand takes the new one.

import { nameOf } from "./under_finger.js";

const TRACK = ".stSlider [role=group]";

export class Hand {
  // moves: whether a play moves the slider of a setting; act: stops it.
  constructor(moves, act) {
    this.events = new AbortController();
    const listen = (name, heard) => addEventListener(name, heard, { capture: true, signal: this.events.signal });
    const taken = (event) => {
      const track = event.target.closest?.(TRACK);
      if (!track || !moves(nameOf(track))) return;
      act();
      if (event.type === "pointerdown") this.holds(track, event);
    };
    listen("pointerdown", taken);
    listen("keydown", taken);
    listen("pointermove", (event) => this.held && (this.last = event));
    for (const end of ["pointerup", "pointercancel"]) listen(end, () => this.letGo());
  }

  holds(track, event) {
    this.letGo();
    const name = nameOf(track);
    this.last = event;
    this.held = new MutationObserver(() => {
      if (track.isConnected) return;
      const next = [...document.querySelectorAll(TRACK)].find((one) => nameOf(one) === name);
      if (!next) return;
      this.letGo();
      next.firstElementChild.dispatchEvent(new PointerEvent("pointerdown", this.last));
    });
    this.held.observe(document.documentElement, { subtree: true, childList: true });
  }

  letGo() {
    this.held?.disconnect();
    this.held = null;
  }

  remove() {
    this.letGo();
    this.events.abort();
  }
}
