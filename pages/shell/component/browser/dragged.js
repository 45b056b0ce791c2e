// A picture in which something is dragged, or moved by key: it may be ahead of the server, which is asked as it moves.

import { Asks } from "./asks.js";
import { SvgFigure } from "./svg_figure.js";

// Presses that follow each other quickly are one question to the server.
const WAIT = 250;

export class Dragged extends SvgFigure {
  // at: where it is now; from: where it was when it was taken; held: while a pointer has it.
  constructor(ask, attributes) {
    super(attributes);
    this.asks = new Asks(ask, () => this.next());
  }

  // element: what the pointer takes; keyed: what takes the keys; which: of several that are dragged, this one.
  holds(element, keyed, which) {
    element.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      keyed.focus({ preventScroll: true });
      element.setPointerCapture(event.pointerId);
      clearTimeout(this.timer);
      this.from = this.at;
      this.held = { which, x: event.clientX };
      this.begin();
    });
    element.addEventListener("pointermove", (event) => {
      if (!this.held) return;
      this.follow(event);
      this.asks.soon();
    });
    element.addEventListener("pointerup", () => this.held && this.release());
    element.addEventListener("pointercancel", () => this.giveUp());
    keyed.addEventListener("keydown", (event) => this.key(event, which));
  }

  update(sent, labels, words) {
    const isAnswer = this.sent && this.sent.stamp !== sent.stamp;
    // What arrives while a visitor moves it is the answer to an earlier question.
    if (!this.moving) this.at = this.known(sent);
    super.update(sent, labels, words);
    if (isAnswer) this.asks.answered();
  }

  place() {
    this.root.toggleAttribute("data-moving", !this.isKnown());
  }

  isKnown() {
    return String(this.at) === String(this.known(this.sent));
  }

  begin() {
    this.moving = true;
    this.asks.forget();
  }

  // What to ask when nothing else is under way: figures follow while it is dragged.
  next() {
    if (!this.held) this.moving = false;
    return this.isKnown() ? null : this.question();
  }

  release() {
    this.held = null;
    this.asks.now();
  }

  giveUp() {
    this.at = this.from ?? this.known(this.sent);
    this.held = null;
    this.place();
    this.asks.now();
  }

  key(event, which) {
    const move = this.moves(which)[event.key];
    if (event.key !== "Escape" && !move) return;
    clearTimeout(this.timer);
    if (move) {
      if (!this.moving) this.from = this.at;
      this.begin();
      move();
      this.timer = setTimeout(() => this.release(), WAIT);
    } else {
      this.giveUp();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  remove() {
    clearTimeout(this.timer);
    this.asks.end();
    super.remove();
  }
}
