// Pointing: the cell that is hovered or chosen, and in all figures the rows and columns of the same axes.

import { place } from "./heatmap.js";
import { announce } from "./text.js";

const STILL = 4;
const cards = new Set();
let marked = {};
let world = "";

export const follow = (card) => cards.add(card);
export const unfollow = (card) => cards.delete(card);

// Figures with tokens of their own share no position with others, whatever their axes are called.
const worldOf = ({ of, labels }) => (of >= 0 && labels ? String(labels.key) : "");

// The position that is pointed at, by axis, in a figure with the tokens of the page.
export const pointed = () => (world === "" ? marked : {});

function mark(at, from) {
  marked = at;
  world = worldOf(from.sent ?? {});
  cards.forEach((card) => card.pointer.place());
}

export class Pointer {
  constructor(card, report) {
    this.card = card;
    this.cursor = null;
    const { plot } = card;
    const make = (name) => {
      const element = document.createElement("div");
      element.className = name;
      element.hidden = true;
      plot.append(element);
      return element;
    };
    this.bands = { rows: make("att-band"), columns: make("att-band") };
    this.frame = make("att-cursor");
    this.told = make("att-chosen");
    this.tip = make("att-tip");
    plot.addEventListener("mousemove", (event) => this.point(card.heatmap.cell(event.clientX, event.clientY)));
    plot.addEventListener("mouseleave", () => this.point(null));
    plot.addEventListener("blur", () => this.choose(null));
    plot.addEventListener("keydown", (event) => this.key(event, report));
    // After a drag the browser sends a click as well. Only a press that has stayed in its cell chooses it.
    plot.addEventListener(
      "pointerdown",
      (down) => {
        const release = (up) => {
          const cell = card.heatmap.cell(up.clientX, up.clientY);
          const moved = Math.hypot(up.clientX - down.clientX, up.clientY - down.clientY) > STILL;
          if (cell && !moved) this.take(cell, report);
        };
        window.addEventListener("pointerup", release, { capture: true, once: true });
      },
      { capture: true },
    );
  }

  take(cell, report) {
    this.point(cell);
    const { id, sets, brush } = this.card.sent;
    if (brush) return;
    report({ figure: id, sets, row: cell.row, column: cell.column });
  }

  point(cell) {
    // No tip over a mask that is painted: the cells show their state, and a tip would hide the next ones.
    this.tip.hidden = !cell || Boolean(this.card.sent.brush);
    this.pointed = cell;
    if (!cell) return mark({}, this.card);
    const { rows, columns } = this.card.axes();
    // No marks in other figures during a stroke.
    if (this.card.brush?.isPainting) {
      mark({}, this.card);
      return this.show(cell);
    }
    mark(
      Object.fromEntries([...rows.map((axis) => [axis, cell.row]), ...columns.map((axis) => [axis, cell.column])]),
      this.card,
    );
    this.show(cell);
  }

  show(cell) {
    const { place: where, value } = this.card.describe(cell.row, cell.column);
    const strong = document.createElement("b");
    strong.textContent = value;
    this.tip.replaceChildren(`${where}: `, strong);
    const box = this.card.heatmap.box([cell.row, cell.row], [cell.column, cell.column]);
    const width = this.card.plot.clientWidth;
    const left = Math.min(box.left + box.width + 6, width - this.tip.offsetWidth - 2);
    const top = box.top > this.tip.offsetHeight + 8 ? box.top - this.tip.offsetHeight - 6 : box.top + box.height + 6;
    Object.assign(this.tip.style, { left: `${Math.max(0, left)}px`, top: `${top}px` });
  }

  key(event, report) {
    const [rows, columns] = this.card.sent.shape;
    const { row, column } = this.cursor ?? { row: 0, column: -1 };
    const moves = {
      ArrowUp: [row - 1, column],
      ArrowDown: [this.cursor ? row + 1 : 0, Math.max(column, 0)],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [row, 0],
      End: [row, columns - 1],
    };
    if (event.key in moves && this.card.heatmap.ready) {
      const inside = (value, count) => Math.min(Math.max(value, 0), count - 1);
      const [nextRow, nextColumn] = moves[event.key];
      this.choose({ row: inside(nextRow, rows), column: inside(nextColumn, columns) });
    } else if ((event.key === "Enter" || event.key === " ") && this.cursor) {
      if (this.card.sent.brush) this.card.brush.dab(this.cursor);
      this.take(this.cursor, report);
    } else if (event.key === "Escape") {
      this.choose(null);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  choose(cell) {
    this.cursor = cell;
    this.point(cell);
    if (!cell) return;
    const { place: where, value } = this.card.describe(cell.row, cell.column);
    announce(`${where}: ${value}`);
  }

  // Place the marks in the figure as it is drawn now.
  place() {
    const { heatmap, sent } = this.card;
    if (!heatmap.ready || !sent) return;
    const [rows, columns] = heatmap.shape;
    // The cell under the pointer may have another number now.
    if (this.pointed && this.pointed.row < rows && this.pointed.column < columns) this.show(this.pointed);
    const axes = world === worldOf(sent) ? this.card.axes() : { rows: [], columns: [] };
    const found = (names, count) => names.map((axis) => marked[axis]).find((at) => at !== undefined && at < count);
    const [row, column] = [found(axes.rows, rows), found(axes.columns, columns)];
    this.lay(this.bands.rows, row === undefined ? null : heatmap.box([row, row], [0, columns - 1]), row);
    this.lay(this.bands.columns, column === undefined ? null : heatmap.box([0, rows - 1], [column, column]), column);
    if (this.cursor && (this.cursor.row >= rows || this.cursor.column >= columns)) this.cursor = null;
    const { told } = this.card;
    const isThere = told && told[0] < rows && told[1] < columns;
    this.lay(this.told, isThere ? heatmap.box([told[0], told[0]], [told[1], told[1]]) : null, String(told));
    const at = this.cursor;
    this.lay(this.frame, at && heatmap.box([at.row, at.row], [at.column, at.column]), at && `${at.row},${at.column}`);
  }

  lay(element, box, at) {
    element.hidden = !box;
    element.dataset.at = box ? at : "";
    if (box) place(element, box);
  }
}
