// A sentence with one word that asks. A click on a word makes it that one; pointing at it does so until the pointer
// leaves. Below each word stand the numbers behind its part of the output (columns.js).

import { below } from "./columns.js";
import { guess, isOpen } from "./film_turn.js";
import { Listbox } from "./listbox.js";
import { OwnSentence } from "./own_sentence.js";
import { Scene } from "./scene.js";
import { clip, placed } from "./sentence_line.js";
import { filled, shown } from "./text.js";

// Pixels: the sky above the words in one line and in several, the least size of a target for a finger.
export const SKIES = [120, 44];
const TARGET = 24;
// Milliseconds for which a pointer must rest on a word.
const REST = 80;

export class Sentence extends Listbox {
  constructor(report, hover) {
    super(report);
    this.root.classList.add("att-arcs");
    this.scene = new Scene(this.svg);
    this.skies = SKIES;
    this.headroom = 0;
    // The right end of words that stand one below the other (upright.js).
    this.edge = 0;
    this.own = new OwnSentence(this.root);
    this.svg.addEventListener("click", ({ target }) => this.isOption(target) && this.take(this.isOption(target)));
    // Listen to moves only: a word that comes under a resting mouse is not pointed at.
    this.svg.addEventListener("pointermove", (event) => this.point(event, hover));
    this.svg.addEventListener("pointerleave", (event) => this.point(event, hover));
  }

  update(sent, labels, words) {
    this.own.update(sent.labels.own ?? null);
    super.update(sent, labels, words);
  }

  called(_, words) {
    return { kind: words.ui.arcs, keys: words.ui.arcs_keys };
  }

  isOption(target) {
    return target.closest?.("[data-at]")?.dataset.at;
  }

  point({ type, target, pointerType }, hover) {
    if (pointerType !== "mouse") return;
    // A film scrolls words under the pointer, which is no pointing.
    if ((document.documentElement.dataset.filmed ?? "over") !== "over") return;
    // While a word is to be guessed, pointing would tell the answer.
    if (isOpen()) return;
    const at = type === "pointerleave" ? undefined : this.isOption(target);
    if (at === this.pointedAt) return;
    this.pointedAt = at;
    clearTimeout(this.resting);
    this.resting = setTimeout(
      () => hover(at === undefined ? null : { figure: this.sent.id, row: Number(at), column: 0 }),
      REST,
    );
  }

  take(row) {
    clearTimeout(this.resting);
    if (!guess(Number(row) % this.sent.arcs.tokens.length)) super.take(Number(row));
  }

  // Elements are kept, and move to their new places.
  picture(due) {
    const isHeld = this.options.includes(document.activeElement);
    this.options = this.scene.draw(() => this.compose(due));
    if (isHeld && !this.options.includes(document.activeElement))
      this.options.find((one) => one.tabIndex === 0)?.focus({ preventScroll: true });
  }

  compose({ width, colours }) {
    const { tokens, focus } = this.sent.arcs;
    const { large } = colours;
    const line = this.placed(tokens, width, colours);
    const between = line.isWide ? 0 : this.skies[1] * large;
    const sky = (line.isWide ? this.skies[0] * large : between) + this.headroom;
    const high = line.high ?? Math.max(TARGET, 1.5 * line.size);
    const step = high + between;
    line.words.forEach((word) => {
      word.top = sky + word.line * step;
      word.bottom = word.top + high;
    });
    this.line = line;
    this.own.place(this.plot.offsetTop, line.words[0]?.top ?? 0, line.isWide);
    const groups = ["sky", "words", "below"].map((name) =>
      this.scene.put(name, "g", { class: `att-the-${name}`, ...(name === "sky" && { "aria-hidden": "true" }) }),
    );
    this.over(groups[0], line, large, colours);
    const words = tokens.map((token, index) => this.word(groups[1], token, index, line, high));
    const { options, bottom } = this.under(groups[2], { line, top: sky + line.lines * step - between, colours });
    Object.entries({ width: line.width, height: bottom, "font-size": line.size }).forEach((pair) =>
      this.svg.setAttribute(...pair),
    );
    // A long sentence scrolls within itself.
    if (line.width > width) this.plot.scrollLeft = line.columns[focus].middle - width / 2;
    return [...words, ...options];
  }

  // Draw the figure's part above the words.
  over(_, __, ___, ____) {}

  // The places of the words.
  placed(tokens, width, colours) {
    return placed(tokens, width, colours, this.sent.arcs.fills);
  }

  // Draw the numbers behind each word's part. Returns the options there, and where they end.
  under(parent, place) {
    return below(this.scene, parent, {
      sent: this.sent.arcs,
      lines: this.sent.labels.lines,
      words: this.words,
      ...place,
    });
  }

  word(parent, token, index, line, high) {
    const { focus, weights, answer, offered } = this.sent.arcs;
    const { left, width, middle, top } = line.words[index];
    // Weights that are still to be guessed are not told.
    const weight = weights.length ? shown(weights[index], 2) : "?";
    const label = filled(this.words.ui.arcs_word, { word: token, weight });
    const kind = `att-word${index === answer ? " att-answering" : ""}${offered?.includes(index) ? " att-offered" : ""}`;
    const word = this.scene.put(
      `word ${index}`,
      "g",
      { class: kind, "data-at": index, ...this.option(index === focus, label) },
      parent,
    );
    const beside = Math.min(9, 0.35 * line.size);
    this.scene.put(
      `box ${index}`,
      "rect",
      { x: left - beside, y: top + 2, width: width + 2 * beside, height: high - 3, rx: 7 },
      word,
    );
    this.scene.put(`token ${index}`, "text", { x: middle, y: top + high / 2 + 0.33 * line.size }, word, clip(token));
    return word;
  }

  // Move the focus between the words, and between a word and the option below it.
  key(event) {
    const at = this.options.indexOf(document.activeElement);
    const count = this.sent.arcs.tokens.length;
    const first = at < count ? 0 : count;
    const end = first ? this.options.length : count;
    const within = (to) => Math.min(Math.max(to, first), end - 1);
    const down = first || this.options.length === count ? 0 : count;
    const next = {
      ArrowLeft: within(at - 1),
      ArrowRight: within(at + 1),
      Home: first,
      End: end - 1,
      ArrowDown: Math.min(at + down, this.options.length - 1),
      ArrowUp: Math.min(at - first, count - 1),
    }[event.key];
    if (at < 0 || (next === undefined && event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    event.stopPropagation();
    if (next === undefined) return this.take(at);
    this.options.forEach((one, index) => one.setAttribute("tabindex", index === next ? 0 : -1));
    this.options[next].focus();
  }
}
