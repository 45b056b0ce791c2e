// Sentences told one after the other, with buttons for back, play and next. The server writes them; a timer asks for
// the next.

import { put } from "./figure.js";

// Milliseconds to read a sentence and to find its place in the picture.
const READ = 6000;

export class Telling {
  // ask: called with the number of a sentence, 0 for none; read: milliseconds for one of them.
  constructor(parent, ask, read = READ) {
    this.root = document.createElement("div");
    this.root.className = "att-told";
    this.told = null;
    this.words = null;
    const button = (name, sign, act) => {
      const made = document.createElement("button");
      Object.assign(made, { type: "button", textContent: sign, onclick: act });
      made.dataset.does = name;
      return made;
    };
    this.buttons = {
      back: button("back", "◀", () => this.go(-1)),
      play: button("play", "▶", () => this.play()),
      next: button("next", "▶|", () => this.go(1)),
    };
    this.count = document.createElement("span");
    this.count.className = "att-count";
    this.text = document.createElement("p");
    this.text.setAttribute("aria-live", "polite");
    this.root.append(...Object.values(this.buttons), this.count, this.text);
    parent.prepend(this.root);
    this.ask = ask;
    this.read = read;
  }

  update(told, words) {
    Object.assign(this, { told, words });
    put(this.text, told.text);
    // Without the number of the sentence if a slider shows it already.
    const number = `${told.at} / ${told.of}`;
    put(this.count, told.at && (told.counts || !told.values) ? [told.counts, number].filter(Boolean).join(" ") : "");
    this.say();
    if (this.plays) this.wait();
  }

  say() {
    const { words } = this;
    const play = this.plays ? words.ui.told_stop : words.ui.told_play;
    const names = { back: words.ui.told_back, play, next: words.ui.told_next };
    for (const [name, button] of Object.entries(this.buttons)) {
      button.title = names[name];
      button.setAttribute("aria-label", names[name]);
    }
    const sign = this.plays ? "■" : "▶";
    put(this.buttons.play, this.told.isSpelled ? `${sign} ${play}` : sign);
    this.buttons.back.disabled = this.told.at <= (this.told.first ?? 0);
    this.buttons.next.disabled = this.told.at >= this.told.of;
  }

  go(by) {
    this.stop();
    this.ask(this.told.at + by);
  }

  play() {
    if (this.plays) {
      this.stop();
      return this.ask(this.told.at);
    }
    this.plays = true;
    this.say();
    this.ask(this.isEnd() || this.told.anew ? 1 : this.told.at + 1);
  }

  // Playing ends at the last sentence, or at one that says so.
  isEnd() {
    return this.told.ends || this.told.at >= this.told.of;
  }

  // Wait until the sentence has been read; the last one ends playing.
  wait() {
    if (this.told.at === this.waited) return;
    this.waited = this.told.at;
    clearTimeout(this.timer);
    if (this.isEnd()) return this.stop();
    this.timer = setTimeout(() => this.ask(this.told.at + 1), this.read);
  }

  stop() {
    clearTimeout(this.timer);
    this.plays = false;
    this.waited = null;
    if (this.words) this.say();
  }
}
