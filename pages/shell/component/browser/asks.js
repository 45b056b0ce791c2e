// Questions to the server while one drags: one under way, and the next, with the newest value, when its answer is painted.

// Milliseconds after which an answer is no longer awaited: it may be the same as the one before.
const PATIENCE = 1500;

export class Asks {
  // next: the newest question, or null where there is none; settled: what is done when one is answered, or given up.
  constructor(ask, next, settled = () => {}) {
    Object.assign(this, { ask, next, settled, timer: 0, frame: 0, asked: "" });
  }

  // Once a frame: a pointer moves more often than that.
  soon() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.now();
    });
  }

  now() {
    if (this.timer) return;
    const question = this.next();
    const text = JSON.stringify(question);
    if (!question || text === this.asked) return;
    this.asked = text;
    this.timer = setTimeout(() => this.over(), PATIENCE);
    this.ask(question);
  }

  // An answer is here, and painted in the next frame.
  answered() {
    this.asked = "";
    requestAnimationFrame(() => setTimeout(() => this.over()));
  }

  over() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.settled();
    this.now();
  }

  // Another drag may ask what the last one did.
  forget() {
    this.asked = "";
  }

  end() {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
    this.next = () => null;
  }
}
