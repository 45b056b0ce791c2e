// The pipeline: every step as a small heatmap in its place of a fork, the input into queries, keys and values, whose lane
// joins at the end. One of them is chosen, by a click or with the arrow keys; the words that ask and answer are marked in
// all of them.

import { Arrows } from "./arrows.js";
import { theme } from "./colour.js";
import { put } from "./figure.js";
import { follow, pointed, unfollow } from "./linked_highlight.js";
import { decoded, paint } from "./pixels.js";
import { Telling } from "./telling.js";

// What a step passes through, and pairs of words, which need the room of two.
const GATES = /^w_/;
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

  // Tiles in their columns and lanes; made anew where steps have come or gone.
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

  // What can be chosen, in the order of the flow.
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

  // The position that is pointed at in a large figure, or else the one that is looked at.
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

class Tile {
  constructor(id, take) {
    this.id = id;
    this.root = make("div", "att-tile");
    this.root.dataset.step = id;
    this.root.setAttribute("role", "radio");
    this.root.classList.toggle("att-gate", GATES.test(id));
    this.operator = make("span", "att-operator", this.root);
    this.called = make("span", "att-called", this.root);
    this.name = make("span", "att-letter", this.root);
    this.cells = make("div", "att-cells", this.root);
    this.canvas = make("canvas", "", this.cells);
    this.bands = {
      row: make("i", "att-at", this.cells),
      other: make("i", "att-at att-other", this.cells),
      cell: make("i", "att-pair", this.cells),
    };
    this.heads = make("div", "att-heads", this.root);
    this.all = make("canvas", "", this.heads);
    this.head = make("i", "att-head-shown", this.heads);
    this.root.addEventListener("click", () => !this.sent.missing && take({ step: id }));
    this.heads.addEventListener("click", (event) => {
      event.stopPropagation();
      const { left, width } = this.heads.getBoundingClientRect();
      const count = this.sent.heads[0];
      const head = Math.min(Math.max(Math.floor(((event.clientX - left) / width) * count), 0), count - 1);
      take({ step: id, head: head + 1 });
    });
  }

  show(sent, head, words, colours) {
    this.sent = sent;
    this.of = words.table[sent.of];
    const missing = "missing" in sent;
    const title = [this.of.title, missing ? sent.missing : this.shape(words)].join(" · ");
    this.root.title = title;
    this.root.setAttribute("aria-label", title);
    this.root.setAttribute("aria-disabled", missing);
    this.root.dataset.stamp = sent.stamp ?? "";
    this.root.dataset.kind =
      this.of.columns === "key" ? "pairs" : this.of.rows === "query" || this.of.rows === "key" ? "words" : "weights";
    letters(this.operator, GATES.test(this.id) ? "" : sent.operator);
    put(this.called, sent.name);
    letters(this.name, sent.letter);
    this.cells.dataset.missing = sent.missing ?? "";
    this.canvas.hidden = missing;
    this.heads.toggleAttribute("data-none", !sent.heads);
    this.heads.title = words.ui.strip_head;
    if (sent.heads) {
      const share = 100 / sent.heads[0];
      Object.assign(this.head.style, { left: `${head * share}%`, width: `${share}%` });
    }
    const wanted = [sent.stamp, sent.shades, sent.shades_of_heads, colours.signature].join();
    if (missing || wanted === this.drawn) return;
    this.drawn = wanted;
    const [rows, columns] = sent.shape;
    const kind = sent.kind ?? this.of.kind;
    paint(this.canvas, [decoded(sent.shades)], rows, columns, kind, colours);
    if (sent.heads) {
      const [count, high, wide] = sent.heads;
      const all = decoded(sent.shades_of_heads);
      const each = Array.from({ length: count }, (_, at) => all.subarray(at * high * wide, (at + 1) * high * wide));
      paint(this.all, each, high, wide, kind, colours, Math.max(1, Math.round(wide / 8)));
    }
    this.root.dataset.drawn = sent.stamp;
  }

  shape(words) {
    const [rows, columns] = this.sent.size;
    return `${words.axes[this.of.rows]} ${rows} × ${words.axes[this.of.columns]} ${columns}`;
  }

  // at: by axis, a position. In X, a row is a query and a key.
  mark(at) {
    if (!this.of || "missing" in this.sent) return this.lay({});
    const [rows, columns] = this.sent.size;
    this.bands.row.classList.toggle("att-other", this.of.rows === "key");
    const inside = (position, count) => (position !== undefined && position < count ? position : undefined);
    const row = inside(at[this.of.rows], rows);
    const other = this.id === "x" ? inside(at.key, rows) : undefined;
    const column = this.of.columns === "key" ? inside(at.key, columns) : undefined;
    const across = (position) =>
      position !== undefined && { top: position / rows, height: 1 / rows, left: 0, width: 1 };
    this.lay({
      row: across(row),
      other: across(other),
      cell: row !== undefined &&
        column !== undefined && { top: row / rows, height: 1 / rows, left: column / columns, width: 1 / columns },
    });
  }

  lay(boxes) {
    for (const [name, element] of Object.entries(this.bands)) {
      element.hidden = !boxes[name];
      if (boxes[name]) for (const [side, share] of Object.entries(boxes[name])) element.style[side] = `${100 * share}%`;
    }
  }
}

function make(tag, name, parent) {
  const element = document.createElement(tag);
  element.className = name;
  parent?.append(element);
  return element;
}

// Text in which what follows an underscore is an index.
function letters(element, text) {
  if (element.dataset.text === text) return;
  element.dataset.text = text;
  element.replaceChildren(
    ...text.split(/(_\w+)/).map((part) => {
      if (!part.startsWith("_")) return part;
      const index = document.createElement("sub");
      put(index, part.slice(1));
      return index;
    }),
  );
}
