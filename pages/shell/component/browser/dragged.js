// A picture in which something is dragged, or moved by key: it gives settings as it moves, and is ahead of its answers.

import { SvgFigure } from "./svg_figure.js";
import { settings } from "./under_finger.js";

// Milliseconds: presses that follow each other more quickly are one move.
const WAIT = 250;

// sets: what `give`s a place to the settings of the screen, and what `takeBack`s one that is not to be set after all.
// at: where it is now; from: where it was when it was taken; held: while a pointer has it; moving: or a key; given: all
// settings as it left them.
/** @template {new (...args: any[]) => SvgFigure} T @param {T} Base */
export const dragging = (Base) =>
  class extends Base {
    sets;
    at;
    from;
    held;
    moving;
    given = null;
    timer;

    // Where it is, of what was sent.
    known(_) {
      return null;
    }

    // The settings of where it is now.
    question() {
      return {};
    }

    // A pointer has moved.
    follow(_) {}

    // What each key does.
    /** @returns {Record<string, () => void>} */
    moves(_) {
      return {};
    }

    // element: what the pointer takes; keyed: what takes the keys; which: of several that are dragged, this one.
    holds(element, keyed, which) {
      element.toggleAttribute("data-dragged", true);
      element.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        keyed.focus({ preventScroll: true });
        element.setPointerCapture(event.pointerId);
        this.begin();
        this.held = { which, x: event.clientX, y: event.clientY };
      });
      element.addEventListener("pointermove", (event) => {
        if (!this.held) return;
        this.follow(event);
        this.sets.give(this.question(), true);
      });
      element.addEventListener("pointerup", () => this.held && this.release());
      element.addEventListener("pointercancel", () => this.giveUp());
      keyed.addEventListener("keydown", (event) => this.press(event, which));
    }

    update(sent, labels, words) {
      // While it is moved, and until the answer to its last place is there, what comes answers an earlier one.
      const isAhead = this.moving || (this.sent && !this.isKnown() && this.given === String(settings()));
      if (!isAhead) this.at = this.known(sent);
      super.update(sent, labels, words);
    }

    place() {
      this.root.toggleAttribute("data-moving", !this.isKnown());
    }

    isKnown() {
      return String(this.at) === String(this.known(this.sent));
    }

    begin() {
      clearTimeout(this.timer);
      if (!this.moving) this.from = this.at;
      this.moving = true;
    }

    release() {
      if (String(this.at) === String(this.from)) return this.giveUp();
      this.sets.give(this.question());
      this.end();
    }

    giveUp() {
      if (!this.moving) return;
      this.sets.takeBack(this.question());
      this.end();
      this.at = this.from;
      this.place();
    }

    end() {
      clearTimeout(this.timer);
      Object.assign(this, { held: null, moving: false, given: String(settings()) });
    }

    press(event, which) {
      const move = this.moves(which)[event.key];
      if (event.key !== "Escape" && !move) return;
      if (move) {
        this.begin();
        move();
        this.sets.give(this.question(), true);
        this.timer = setTimeout(() => this.release(), WAIT);
      } else {
        this.giveUp();
      }
      event.preventDefault();
      event.stopPropagation();
    }

    remove() {
      clearTimeout(this.timer);
      super.remove();
    }
  };

export class Dragged extends dragging(SvgFigure) {
  constructor(sets, attributes) {
    super(attributes);
    this.sets = sets;
  }
}
