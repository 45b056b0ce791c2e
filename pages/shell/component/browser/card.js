// One step: its words, its heatmap, its legend and its table twin. Tokens come from visitors, and are only ever written
// as text.

import { Brush } from "./brush.js";
import { CROSS } from "./cell_numbers.js";
import { Frame, put } from "./figure.js";
import { Ghosts } from "./ghosts.js";
import { framedAs, Heatmap } from "./heatmap.js";
import { follow, unfollow, Pointer } from "./linked_highlight.js";
import { Sums } from "./sums.js";
import { fill } from "./table.js";
import { filled, shown } from "./text.js";
import { Zoom } from "./zoom.js";

export class Card extends Frame {
  constructor(report) {
    super();
    this.heatmap = new Heatmap(this.canvas);
    this.pointer = new Pointer(this, report);
    this.ghosts = new Ghosts(this);
    this.sums = new Sums(this);
    this.brush = new Brush(this);
    this.zoom = new Zoom(this);
    follow(this);
  }

  update(sent, labels, words) {
    // A step may have names of its own for an axis.
    const names = (axis) => labels[`${sent.id}.${axis}`] ?? labels[axis] ?? null;
    const sides = { rows: names(sent.rows), columns: names(sent.columns) };
    // Tokens and numbers arrive one after the other. Draw only when their counts fit, so that old and new are never
    // mixed.
    const fits = (side, count) => !side || side.length === count;
    if (!fits(sides.rows, sent.shape[0]) || !fits(sides.columns, sent.shape[1])) return;
    this.ghosts.keep(this.sent, sent, JSON.stringify(sides) === JSON.stringify(this.labels));
    this.labels = sides;
    this.heatmap.show(sent);
    if (sent.brush) this.brush.update(sent);
    // A figure beside others of its kind shows only its own name.
    const own = sent.tag
      ? { text: [], formula: "", title: `${sent.title} · ${sent.tag}` }
      : sent.part
        ? { title: `${sent.title} · ${sent.part}` }
        : {};
    const note = [sent.note, clipped(sent, words)].filter(Boolean).join(" ");
    this.say(sent, words, { ...own, note, kind: words.ui.heatmap, keys: words.ui.keys });
    this.root.dataset.bytes = 4 * sent.shape[0] * sent.shape[1];
    put(this.shape, this.shapeInWords());
    this.draw();
    // A figure that is drawn already may be asked about another cell.
    this.pointer.place();
    if (sent.brush && this.root.dataset.drawn) this.brush.frameRow();
    this.tabulate();
  }

  // Draw if numbers, tokens, colours, width or language have changed.
  draw() {
    // The figure may come into sight before the tokens that fit it.
    const { outlined, block } = this.sent ?? {};
    const due = this.due(JSON.stringify([this.labels, outlined, block, this.heatmap.height, this.heatmap.seen]));
    if (!due) return;
    const { width, colours } = due;
    this.heatmap.draw(this.labels, this.words, colours, width);
    this.root.dataset.drawn = this.sent.stamp;
    this.explainColours(colours);
    this.heatmap.cover(this.hatch, "hidden" in this.sent);
    // A lecture covers the cells until its answer, but not the words beside them (lecture.css).
    this.plot.style.setProperty("--att-cells", this.heatmap.inset());
    this.pointer.place();
    this.ghosts.draw();
    this.sums.draw();
    if (this.sent.brush) this.brush.answered();
  }

  remove() {
    unfollow(this);
    this.ghosts.remove();
    this.brush.remove();
    super.remove();
  }

  asSvg() {
    return this.sums.addTo(this.heatmap.asSvg());
  }

  axes() {
    return { rows: [this.sent.rows, this.sent.also].filter(Boolean), columns: [this.sent.columns] };
  }

  // Describe a cell in words: its place and its value.
  describe(row, column) {
    const { rows, columns, called = rows } = this.sent;
    const place = (axis, names, index) => (axis ? `${this.words.axes[axis]} ${names?.[index] ?? index + 1}` : "");
    const value = this.heatmap.value(row, column);
    const old = this.ghosts.was(row, column);
    const told = (number, hidden) =>
      Number.isNaN(number) && hidden ? (this.sent.absent ?? `${hidden} · ${this.words.ui.masked}`) : shown(number);
    const now = told(value, this.sent.hidden);
    const name = framedAs(this.sent, row, column, this.words);
    const framed = name ? ` · ${name}` : "";
    const holds =
      old === undefined ? now : filled(this.words.ui.before, { now, before: told(old, this.ghosts.before.hidden) });
    return {
      place: [place(called, this.labels.rows, row), place(columns, this.labels.columns, column)]
        .filter(Boolean)
        .join(", "),
      value: holds + framed,
    };
  }

  fill() {
    fill(this.table, this);
  }

  shapeInWords() {
    const [rows, columns] = this.sent.size ?? this.sent.shape;
    const named = (axis, size) => `${this.words.axes[axis]} ${size}`;
    return this.sent.rows
      ? `${named(this.sent.called ?? this.sent.rows, rows)} × ${named(this.sent.columns, columns)}`
      : named(this.sent.columns, columns);
  }

  explainColours(colours) {
    const { kind, range, hidden, absent, crossed } = this.sent;
    const framed = [this.sent.outlined && this.words.ui.outlined, this.sent.block?.named].filter(Boolean);
    const wanted = JSON.stringify([
      kind,
      range,
      hidden,
      absent,
      Boolean(crossed),
      framed,
      colours.signature,
      this.words.language,
    ]);
    if (wanted === this.explained) return;
    this.explained = wanted;
    const chip = (text, colour) => {
      const item = document.createElement("span");
      const box = document.createElement("span");
      box.className = colour ? "att-chip" : "att-chip att-hatched";
      if (colour) box.style.background = colour;
      item.append(box, text);
      return item;
    };
    const items = [];
    if (this.sent.kind === "binary") {
      items.push(chip(this.words.ui.one, colours.binary[1]), chip(this.words.ui.zero, colours.binary[0]));
    } else {
      const [low, high] = this.sent.range;
      const scale = document.createElement("span");
      scale.className = "att-scale";
      scale.style.background = `linear-gradient(to right, ${colours[this.sent.kind].join(", ")})`;
      items.push(shown(low, 3), scale, shown(high, 3));
    }
    if (crossed) {
      // An element between two texts, which would otherwise be read as one, as 1.24 times.
      items.push(document.createElement("span"));
      items.at(-1).textContent = `${CROSS} ${this.words.ui.dropped}`;
    }
    if ("hidden" in this.sent) items.push(chip(this.sent.absent ?? `${this.words.ui.masked}: ${this.sent.hidden}`, ""));
    for (const name of framed) {
      const item = chip(name, "transparent");
      item.firstElementChild.classList.add("att-outlined");
      items.push(item);
    }
    this.legend.replaceChildren(...items);
  }
}

function clipped(sent, words) {
  if (!sent.size) return "";
  const [rows, columns] = sent.shape;
  const [all_rows, all_columns] = sent.size;
  return filled(words.ui.clipped, { rows, columns, all_rows, all_columns });
}
