// Dragging over a heatmap with a mouse shows only the cells in between; a double click shows all of them again.

import { make } from "./elements.js";
import { place } from "./heatmap.js";

// Pixels that a hand moves without intent.
const STILL = 4;

export class Zoom {
  constructor(card) {
    this.card = card;
    this.frame = make("div", "att-zoom", card.plot);
    this.frame.hidden = true;
    card.plot.addEventListener("pointerdown", (event) => this.begin(event));
    card.plot.addEventListener("dblclick", () => this.see(null));
  }

  begin({ button, pointerType, clientX, clientY }) {
    const { heatmap, sent } = this.card;
    const from = button === 0 && pointerType === "mouse" && !sent?.brush ? heatmap.cell(clientX, clientY) : null;
    if (!from) return;
    let to = from;
    let hasMoved = false;
    const move = (event) => {
      hasMoved ||= Math.hypot(event.clientX - clientX, event.clientY - clientY) > STILL;
      to = heatmap.cell(event.clientX, event.clientY) ?? to;
      this.frame.hidden = !hasMoved;
      if (hasMoved) place(this.frame, heatmap.box(...ends(from, to)));
    };
    const end = (event) => {
      removeEventListener("pointermove", move, true);
      for (const name of ["pointerup", "pointercancel"]) removeEventListener(name, end, true);
      this.frame.hidden = true;
      // A drag within one cell is a slip.
      const isWanted = event.type === "pointerup" && hasMoved && (from.row !== to.row || from.column !== to.column);
      if (isWanted) this.see(ends(from, to));
    };
    addEventListener("pointermove", move, true);
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end, true);
  }

  see(chosen) {
    this.card.heatmap.see(chosen);
    this.card.draw();
  }
}

function ends(from, to) {
  return ["row", "column"].map((side) => [from[side], to[side]].sort((one, other) => one - other));
}
