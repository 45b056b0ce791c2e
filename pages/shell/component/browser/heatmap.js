// A matrix as a heatmap, drawn at once, in the colours of the theme.

import { printed } from "./cell_numbers.js";
import { boxOf, cellAt, layoutOf } from "./heatmap_layout.js";
import { Picture } from "./heatmap_picture.js";
import { tall } from "./tall.js";

const HEIGHT = 300;
// Pixels: the part of the window above the figure that stands below the pipeline; the least and the greatest height of
// that figure.
const [ABOVE, LEAST_HEIGHT, MOST_HEIGHT] = [694, 200, 420];
// The share of the window that a heatmap has in a lecture.
const SHARE = 0.42;
// Heatmaps are higher on a projector, so that every row has its name.
const ON_WALL = 1.2;
// Matrices of at most so many rows are lower on a projector, where the lecture's bar takes a part of the window.
const [FEW_ROWS, FEW_ON_WALL] = [4, 0.9];
const ONE_ROW = 130;
// A mask to paint has square cells, as far as the window has room between the elements above and below it. On a phone
// it is low, so that its arcs fit on the same screen.
const [OVER_BOARD, SQUARE] = [290, 520];
const PAINTED = 250;
const PHONE = matchMedia("(max-width: 40rem)");

export class Heatmap {
  constructor(element) {
    this.element = element;
    // Tests and scripts read what is drawn from the element.
    element.heatmap = this;
    this.picture = new Picture(element);
    /** @type {ReturnType<typeof layoutOf>} */
    this.layout = undefined;
    this.fit(false);
  }

  // Set the height. inWindow: use the height that the window has left.
  fit(inWindow) {
    // A lecture scrolls the figure between its bars, so elements above it take no room.
    const left =
      "lecture" in document.documentElement.dataset ? window.innerHeight * SHARE : window.innerHeight - ABOVE;
    this.height = inWindow ? Math.min(Math.max(left, LEAST_HEIGHT), MOST_HEIGHT) : Math.round(HEIGHT * tall(ON_WALL));
  }

  // Take what is to be shown. The numbers are decoded when they are needed, for the picture or the table.
  show(sent) {
    this.element.style.height = `${this.heightOf(sent)}px`;
    const isSameSize = String(this.sent?.shape) === String(sent.shape);
    if (this.sent?.stamp !== sent.stamp || !isSameSize) this.numbers = null;
    this.sent = sent;
    if (!isSameSize) this.see(null);
  }

  heightOf(sent) {
    if (sent.shape[0] === 1) return ONE_ROW;
    if (sent.brush && PHONE.matches) return PAINTED;
    const isInLecture = "lecture" in document.documentElement.dataset;
    // Alone in a frame, where the window is as high as the figure, it has the usual height.
    if (sent.brush && !isInLecture && this.element.closest(".st-key-foremost"))
      return Math.max(Math.min(window.innerHeight - OVER_BOARD, SQUARE), this.height);
    const isLow = sent.shape[0] <= FEW_ROWS && isInLecture;
    return isLow ? Math.min(this.height, Math.round(HEIGHT * tall(FEW_ON_WALL))) : this.height;
  }

  // Show only some rows and columns, each given by the first and the last; null: all.
  see(chosen) {
    const [rows, columns] = this.sent.shape;
    const [ofRows, ofColumns] = chosen ?? [
      [0, rows - 1],
      [0, columns - 1],
    ];
    this.isZoomed = Boolean(chosen);
    this.seen = { rows: ofRows, columns: ofColumns };
  }

  get z() {
    this.numbers ??= decoded(this.sent.z, ...this.sent.shape);
    return this.numbers;
  }

  draw(labels, words, colours, width) {
    const { sent, seen } = this;
    this.shape = sent.shape;
    this.colours = colours;
    this.layout = layoutOf(sent, this.marked(sent, labels), words, colours, [width, this.heightOf(sent)], seen);
    this.printed = printed(this.z, sent, this.layout, colours);
    this.picture.draw(this.layout, this.z, sent, this.printed, colours);
  }

  // Mark the label of a query that may attend to nothing, whose row is empty.
  marked(sent, { rows, columns }) {
    if (!rows || !("hidden" in sent) || sent.absent) return { rows, columns };
    return { rows: rows.map((name, row) => (this.z[row]?.every(Number.isNaN) ? `∅ ${name}` : name)), columns };
  }

  value(row, column) {
    return this.z[row][column];
  }

  get ready() {
    return Boolean(this.layout);
  }

  // The rectangle of some rows and columns, in pixels of the figure, cut off at the edges of a zoomed figure.
  box(rows, columns) {
    return boxOf(this.layout, rows, columns);
  }

  // The distance of the cells from the edges of the figure, as CSS writes it.
  inset() {
    const { left, top, width, height } = this.box([0, this.shape[0] - 1], [0, this.shape[1] - 1]);
    return `${top}px calc(100% - ${left + width}px) calc(100% - ${top + height}px) ${left}px`;
  }

  // The cell under a point of the page; null outside the matrix.
  cell(clientX, clientY) {
    if (!this.ready) return null;
    const frame = this.element.getBoundingClientRect();
    return cellAt(this.layout, clientX - frame.left, clientY - frame.top);
  }

  cover(element, wanted) {
    element.hidden = !wanted;
    if (wanted) place(element, this.box([0, this.shape[0] - 1], [0, this.shape[1] - 1]));
  }

  asSvg() {
    return this.picture.asSvg();
  }
}

export function place(element, box) {
  for (const [name, value] of Object.entries(box)) element.style[name] = `${value}px`;
}

export function decoded(text, rows, columns) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const numbers = new Float32Array(bytes.buffer);
  return Array.from({ length: rows }, (_, row) => numbers.subarray(row * columns, (row + 1) * columns));
}

// The words for the frame around a cell; empty without a frame.
export function framedAs({ outlined = [], block }, row, column, words) {
  if (outlined.some(([y, x]) => y === row && x === column)) return words.ui.outlined;
  const [top, bottom, left, right] = block?.ends ?? [];
  return top <= row && row <= bottom && left <= column && column <= right ? block.named : "";
}
