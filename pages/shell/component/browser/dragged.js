// A picture in which something is dragged or moved by key. It sets controls as it moves, and may be ahead of the
// answers.

import { SvgFigure } from "./svg_figure.js";
import { settings } from "./under_finger.js";

// Milliseconds: quicker presses of a key are one move.
const WAIT = 250;

// sets: `give` sets a place in the settings of the screen, and `takeBack` removes it. at: the present place; from: the
// place before the drag; held: whether a pointer holds it; moving: or a key; given: all settings as the move left them.
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

    // The place in the data of the server.
    known(_) {
      return null;
    }

    // The settings of the present place.
    question() {
      return {};
    }

    // Follow the pointer.
    follow(_) {}

    // The actions of the keys.
    /** @returns {Record<string, () => void>} */
    moves(_) {
      return {};
    }

    // element: takes the pointer; keyed: takes the keys; which: names the dragged thing if there are several.
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
      // During a move, and until the answer to its last place arrives, answers belong to earlier places.
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
