// One step of the pipeline as a tile: its name, its operator, a small heatmap, and one strip for all heads.

import { make } from "./elements.js";
import { put } from "./figure.js";
import { decoded, paint } from "./pixels.js";

// Steps that are the weights of a projection.
export const GATES = /^w_/;

export class Tile {
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

  // Mark the rows and columns of a position. at: positions by axis. A row of the input X is both a query and a key.
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

// Write a text; the part after an underscore becomes a subscript.
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
