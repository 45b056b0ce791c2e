// Paint the cells of a mask by dragging over them or by clicking: a stroke gives its cells the opposite of what its
// first cell showed. Until the answer arrives, painted cells are only marked.

import { make } from "./elements.js";
import { give, takeBack } from "./give.js";
import { place } from "./heatmap.js";
import { cell as named, cells, placeOf, text, turn } from "./painted_cells.js";
import { put } from "./plane.js";
import { settings } from "./under_finger.js";

const MOST = 50;
// The painted cells before each of the last strokes, for Undo. Another mask, or another width of it, starts anew.
const before = [];

export class Brush {
  constructor(card) {
    this.card = card;
    // The painted cells with those of the present stroke; the cells of the figure as it was computed; the marks by
    // cell.
    this.painted = new Set();
    this.drawn = new Set();
    this.isPainting = false;
    this.marks = new Map();
    // A frame around the row of the word that is looked at.
    this.frame = make("div", "att-looked", card.plot);
    this.frame.hidden = true;
    // A frame around painted cells, which differ from the chosen mask.
    this.byHand = put(put(card.plot, "svg", { class: "att-by-hand", "aria-hidden": "true" }), "path");
    this.over = ({ clientX, clientY }) => this.to(card.heatmap.cell(clientX, clientY));
    this.up = () => this.end();
    card.plot.addEventListener(
      "pointerdown",
      (event) => {
        const at = event.button === 0 && card.sent?.brush ? card.heatmap.cell(event.clientX, event.clientY) : null;
        if (at) this.begin(at);
      },
      { capture: true },
    );
  }

  // Take new numbers or new words.
  update({ brush }) {
    if (this.sets && JSON.stringify(this.sets.under) !== JSON.stringify(brush.under)) before.length = 0;
    this.sets = brush;
    this.drawn = cells(brush.painted);
    if (!this.undo) {
      this.undo = make("button", "att-button att-undo");
      this.undo.type = "button";
      this.undo.onclick = () => this.undoLast();
      this.card.note.after(this.undo);
      // Painting with a finger must not scroll the page.
      this.card.root.classList.add("att-brushed");
    }
    this.undo.textContent = brush.undo;
    this.undo.hidden = !before.length;
  }

  begin(at) {
    this.isPainting = true;
    addEventListener("pointermove", this.over, true);
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, this.up, true);
    this.painted = cells(settings().get(this.sets.sets) ?? "");
    this.was = text(this.painted);
    // Look at the word of the row, so that one sees the effect on its arcs.
    this.look = this.sets.looks[at.row] ?? {};
    this.value = this.shows(at) ? 0 : 1;
    this.last = at;
    this.paint(at);
  }

  // Paint a single cell.
  dab(at) {
    this.begin(at);
    this.end();
  }

  // Paint the cells between two places of the pointer as well, which moves in jumps.
  to(at) {
    if (!at) return;
    const [down, across] = [at.row - this.last.row, at.column - this.last.column];
    const count = Math.max(Math.abs(down), Math.abs(across));
    for (let step = 1; step <= count; step += 1) {
      this.paint({
        row: this.last.row + Math.round((down * step) / count),
        column: this.last.column + Math.round((across * step) / count),
      });
    }
    this.last = at;
  }

  // The word that is looked at may change while the mask stays as drawn.
  frameRow() {
    const { looked } = this.sets;
    place(this.frame, this.card.heatmap.box([looked, looked], [0, this.card.sent.shape[1] - 1]));
    this.frameCells();
  }

  frameCells() {
    const [rows, columns] = this.card.sent.shape;
    const frames = [...this.drawn].flatMap((cell) => {
      const [query, column] = placeOf(cell);
      const row = query - this.sets.earlier;
      if (row < 0 || row >= rows || column >= columns) return [];
      const { left, top, width, height } = this.card.heatmap.box([row, row], [column, column]);
      return [`M${left + 2} ${top + 2} h${width - 4} v${height - 4} h${4 - width} z`];
    });
    this.byHand.setAttribute("d", frames.join(" "));
  }

  // Painted cells are named by token; the first row may belong to a later token.
  named({ row, column }) {
    return named(row + this.sets.earlier, column);
  }

  // What a cell will show: the drawn value, inverted if it has been painted since.
  shows(at) {
    const cell = this.named(at);
    const isTurned = this.drawn.has(cell) !== this.painted.has(cell);
    return this.card.heatmap.value(at.row, at.column) ^ Number(isTurned);
  }

  paint(at) {
    const cell = this.named(at);
    if (cell === null || this.shows(at) === this.value) return;
    turn(this.painted, cell);
    this.mark(cell, at);
    give({ ...this.look, [this.sets.sets]: text(this.painted) }, true);
  }

  mark(cell, { row, column }) {
    if (this.marks.has(cell)) return;
    const mark = make("div", "att-wanted", this.card.plot);
    place(mark, this.card.heatmap.box([row, row], [column, column]));
    this.marks.set(cell, mark);
  }

  // The answer is drawn, so remove the marks.
  answered() {
    this.frame.hidden = false;
    this.frameRow();
    const isAwaited = text(this.painted) === (settings().get(this.sets.sets) ?? "");
    for (const [cell, mark] of this.marks) {
      if (isAwaited && this.drawn.has(cell) !== this.painted.has(cell)) continue;
      mark.remove();
      this.marks.delete(cell);
    }
  }

  end() {
    this.stop();
    const painted = text(this.painted);
    if (painted === this.was) return takeBack([this.sets.sets, ...Object.keys(this.look)]);
    before.push(this.was);
    before.splice(0, before.length - MOST);
    this.undo.hidden = false;
    give({ ...this.look, [this.sets.sets]: painted });
  }

  stop() {
    this.isPainting = false;
    removeEventListener("pointermove", this.over, true);
    for (const name of ["pointerup", "pointercancel"]) removeEventListener(name, this.up, true);
  }

  undoLast() {
    give({ [this.sets.sets]: before.pop() });
    this.undo.hidden = !before.length;
  }

  remove() {
    this.stop();
  }
}
