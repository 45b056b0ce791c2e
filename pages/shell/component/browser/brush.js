// Cells of a mask painted by dragging over them, or one after the other: every stroke sets its cells to the opposite of
// what its first cell showed. Nothing is painted here: the server is asked, and its answer drawn.

import { Asks } from "./asks.js";
import { place } from "./heatmap.js";

export class Brush {
  constructor(card, report) {
    this.card = card;
    // What is to be asked, and what is under way, by place.
    this.wanted = new Map();
    this.asked = new Map();
    this.strokes = 0;
    this.asks = new Asks(
      (question) => {
        [this.asked, this.wanted] = [this.wanted, new Map()];
        report({ figure: card.sent.id, ...question });
      },
      () => (this.wanted.size ? { stroke: this.strokes, cells: [...this.wanted.values()] } : null),
      () => {
        this.marks.replaceChildren();
        this.asked.clear();
      },
    );
    this.marks = document.createElement("div");
    card.plot.append(this.marks);
    const move = (event) => this.over(card.heatmap.cell(event.clientX, event.clientY));
    const end = () => {
      this.value = null;
      window.removeEventListener("pointermove", move, true);
      for (const name of ["pointerup", "pointercancel"]) window.removeEventListener(name, end, true);
    };
    // Plotly would cover the page while the button is down.
    card.plot.addEventListener("mousedown", (event) => card.sent?.brush && event.stopPropagation(), { capture: true });
    card.plot.addEventListener("pointerdown", (event) => {
      const cell = event.button === 0 && card.sent?.brush ? card.heatmap.cell(event.clientX, event.clientY) : null;
      if (!cell) return;
      this.begin(cell);
      window.addEventListener("pointermove", move, true);
      for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, end, true);
    }, { capture: true });
  }

  begin(cell) {
    this.strokes += 1;
    this.asks.forget();
    this.value = this.known(cell) ? 0 : 1;
    this.last = cell;
    this.paint(cell);
  }

  // What a cell holds when all is answered.
  known({ row, column }) {
    const place = `${row},${column}`;
    return (this.wanted.get(place) ?? this.asked.get(place))?.[2] ?? this.card.heatmap.value(row, column);
  }

  // A pointer jumps: the cells between are painted, too.
  over(cell) {
    if (!cell || this.value === null) return;
    const [down, across] = [cell.row - this.last.row, cell.column - this.last.column];
    const count = Math.max(Math.abs(down), Math.abs(across));
    for (let at = 1; at <= count; at += 1) {
      this.paint({ row: this.last.row + Math.round((down * at) / count), column: this.last.column + Math.round((across * at) / count) });
    }
    this.last = cell;
  }

  paint({ row, column }) {
    if (this.known({ row, column }) === this.value) return;
    this.wanted.set(`${row},${column}`, [row, column, this.value]);
    const mark = document.createElement("div");
    mark.className = "att-wanted";
    place(mark, this.card.heatmap.box([row, row], [column, column]));
    this.marks.append(mark);
    this.asks.soon();
  }

  // New numbers are drawn.
  answered() {
    this.asks.answered();
  }

  end() {
    this.asks.end();
  }
}
