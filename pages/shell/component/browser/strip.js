// The pipeline: one tile for each step. The input forks into queries, keys and values; the lane of the values joins at the
// end. A click or an arrow key chooses a step. All tiles mark the word that asks and the word that answers.

import { Arrows } from "./arrows.js";
import { theme } from "./colour.js";
import { make } from "./elements.js";
import { put } from "./figure.js";
import { follow, pointed, unfollow } from "./linked_highlight.js";
import { Telling } from "./telling.js";
import { GATES, Tile } from "./tile.js";

// Steps by the width of their column: one row a word, and one cell a pair of words, which needs twice as much.
const FIRST = /^(x|context|queries|keys|values)$/;
const WIDE = /^(scores|scaled|softcapped|bias|biased|mask|masked|weights|kept|dropped|projected)$/;

export class Strip {
  constructor(parent) {
    this.root = make("section", "att-strip", parent);
    this.flow = make("div", "att-flow", this.root);
    this.flow.setAttribute("role", "radiogroup");
    this.flow.addEventListener("keydown", (event) => this.key(event));
    this.how = make("p", "att-unseen", this.root);
    this.how.id = "att-strip-how";
    this.flow.setAttribute("aria-describedby", this.how.id);
    this.telling = new Telling(this.root, (told) => this.ask({ told }));
    this.tiles = new Map();
    this.data = null;
    this.sent = null;
    /** @type {(choice: any) => void} */
    this.ask = () => {};
    this.arrows = new Arrows(this.flow);
    this.pointer = { place: () => this.mark() };
    follow(this);
  }

  update(words) {
    if (!words) return;
    const sent = (this.root.drawnFrom = this.data.strip);
    Object.assign(this, { sent, words });
    this.flow.setAttribute("aria-label", words.ui.strip);
    put(this.how, words.ui.strip_how);
    this.root.toggleAttribute("data-backward", Boolean(sent.backward));
    this.root.toggleAttribute("data-quiet", Boolean(sent.quiet));
    this.arrange(sent.tiles);
    const colours = theme(this.root);
    for (const tile of sent.tiles) this.tiles.get(tile.id).show(tile, sent.head, words, colours);
    this.arrows.join(sent.edges, this.tiles, Boolean(sent.backward));
    this.choose(sent.step);
    this.mark();
    this.telling.update(sent.told, words);
  }

  // Put the tiles into their columns and lanes; only when steps have come or gone.
  arrange(tiles) {
    const wanted = tiles.map(({ id, place }) => `${id} ${place}`).join();
    if (wanted === this.arranged) return;
    this.arranged = wanted;
    const kept = new Map();
    const [parts, widths] = [[], []];
    for (const {
      id,
      place: [part, column, lane, span],
    } of tiles) {
      parts[part] ??= make("div", "att-part");
      kept.set(id, this.tiles.get(id) ?? new Tile(id, (choice) => this.take(choice)));
      const { root } = kept.get(id);
      root.style.setProperty("--place", `${lane + 1} / ${column + 1} / span ${span} / auto`);
      root.dataset.span = span;
      widths[column] = GATES.test(id)
        ? "auto"
        : WIDE.test(id)
          ? "minmax(7.2rem, 1.3fr)"
          : FIRST.test(id)
            ? "minmax(5.8rem, 1fr)"
            : "minmax(7rem, 1fr)";
      parts[part].append(root);
    }
    this.tiles = kept;
    this.flow.style.setProperty("--columns", widths.join(" "));
    this.flow.replaceChildren(this.arrows.root, ...parts);
  }

  take(choice) {
    this.telling.stop();
    this.choose(choice.step);
    this.ask(choice);
  }

  // Tiles that can be chosen, in the order of the flow. A missing step has none.
  get there() {
    return [...this.tiles.values()].filter((tile) => !tile.sent.missing);
  }

  choose(step) {
    const reached = this.there.find((tile) => tile.id === step) ?? this.there[0];
    for (const tile of this.tiles.values()) {
      tile.root.setAttribute("aria-checked", tile.id === step);
      tile.root.tabIndex = tile === reached ? 0 : -1;
    }
  }

  key(event) {
    const { there } = this;
    const at = there.findIndex((tile) => tile.root === event.target);
    const to = {
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      Home: 0,
      End: there.length - 1,
    }[event.key];
    if (at < 0 || (to === undefined && event.key !== " ")) return;
    event.preventDefault();
    event.stopPropagation();
    const tile = there[to === undefined ? at : (to + there.length) % there.length];
    tile.root.focus();
    this.take({ step: tile.id });
  }

  // Mark the position under the pointer in a large figure, or else the position of the address.
  mark() {
    if (!this.sent) return;
    const now = pointed();
    const at = now.query === undefined && now.key === undefined ? this.sent.at : now;
    for (const tile of this.tiles.values()) tile.mark(at);
  }

  remove() {
    this.telling.stop();
    this.arrows.remove();
    unfollow(this);
    this.root.remove();
  }
}
