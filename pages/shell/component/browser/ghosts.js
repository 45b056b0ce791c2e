// The values of cells before the last change, small below the present ones. They are the numbers of the answer before,
// and are drawn when the control rests, so that a move does not wait for them.

import { decoded } from "./heatmap.js";
import { put } from "./plane.js";
import { fixed } from "./text.js";

const REST = 200;
// Pixels of type on a desktop screen: the smallest that can be read, and the usual.
const [SMALLEST, SMALL] = [9, 10];

const all = new Set();
let last = null;
let isCompared = false;

// The ghosts of a view that is drawn now, after a change of the screen. wasThere: whether the view has shown the state
// before it.
export function comparing({ count, view, before }, wasThere) {
  if (last?.count !== count || last.view !== view) {
    last = { count, view };
    all.forEach((ghosts) => ghosts.forget());
  }
  isCompared = before !== null && wasThere;
}

export class Ghosts {
  constructor(card) {
    this.card = card;
    this.before = null;
    all.add(this);
  }

  // New numbers have arrived for the same cells.
  keep(old, sent, isSamePlace) {
    if (!isCompared || this.before || !old || old.stamp === sent.stamp) return;
    if (isSamePlace && sent.of >= 0 && String(old.shape) === String(sent.shape)) this.before = old;
  }

  // The former value of a cell; undefined if it is unknown or the same.
  was(row, column) {
    if (!this.before) return undefined;
    this.numbers ??= decoded(this.before.z, ...this.before.shape);
    const [now, old] = [this.card.heatmap.value(row, column), this.numbers[row][column]];
    return Object.is(now, old) ? undefined : old;
  }

  // Draw the ghosts, after the figure.
  draw() {
    this.hide();
    if (this.before) this.timer = setTimeout(() => this.write(), REST);
  }

  write() {
    const { heatmap, plot, sent } = this.card;
    // Painted cells have no numbers.
    if (!this.before || !heatmap.printed || heatmap.isZoomed || sent.brush) return;
    const { cells, texts, size, inks } = heatmap.printed;
    const digits = Math.max(...texts.map((text) => text.split(".")[1]?.length ?? 0));
    this.layer = put(plot, "svg", { class: "att-ghosts", "aria-hidden": "true" });
    texts.forEach((text, index) => {
      const [row, column] = cells[index];
      const old = written(this.was(row, column), digits, this.before.hidden);
      if (old && old !== text) this.cell(heatmap.box([row, row], [column, column]), old, size, inks[index]);
    });
  }

  // Write the former value below the number in the middle of the cell, if there is room.
  cell({ left, top, width, height }, text, size, fill) {
    const large = size > 12 ? size / 12 : 1;
    // Digits are 0.72 of their type size high.
    const room = (height / 2 - 0.36 * size - 2) / 0.72;
    const fitting = Math.min(SMALL * large, room, (width - 3) / (0.56 * text.length));
    if (fitting < SMALLEST) return;
    const ghost = put(this.layer, "text", { x: left + width / 2, y: top + height - 1.5, "font-size": fitting, fill });
    ghost.textContent = text;
  }

  hide() {
    clearTimeout(this.timer);
    this.layer?.remove();
    this.layer = null;
  }

  forget() {
    this.hide();
    this.before = this.numbers = null;
  }

  remove() {
    this.forget();
    all.delete(this);
  }
}

function written(value, digits, hidden) {
  if (value === undefined) return "";
  if (Number.isNaN(value)) return hidden ?? "";
  return fixed(value, Number.isInteger(value) ? digits : Math.max(digits, 1));
}
