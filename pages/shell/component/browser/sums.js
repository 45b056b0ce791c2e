// The sums of the rows of a heatmap at its right edge, as numbers from the server.

import { put } from "./plane.js";

// Pixels that a heatmap leaves for the sums, on a desktop screen.
export const ROOM = 44;

export class Sums {
  constructor(card) {
    this.card = card;
  }

  // Draw the sums, after the figure; not beside rows that are too low for a line of text.
  draw() {
    const { sent, heatmap, plot, words } = this.card;
    this.layer?.remove();
    this.layer = null;
    if (!sent.sums || heatmap.isZoomed) return;
    const [rows, columns] = heatmap.shape;
    const last = (row) => heatmap.box([row, row], [columns - 1, columns - 1]);
    const { size } = heatmap.layout;
    const { text, font } = heatmap.colours;
    if (last(0).height < size) return;
    this.layer = put(plot, "svg", {
      class: "att-sums",
      "aria-hidden": "true",
      fill: text,
      "font-family": font,
      "font-size": size,
    });
    const write = (sum, { left, width }, y) => {
      put(this.layer, "text", { x: left + width + 6, y }).textContent = sum;
    };
    sent.sums.slice(0, rows).forEach((sum, row) => {
      const box = last(row);
      write(sum, box, box.top + box.height / 2 + 0.36 * size);
    });
    const box = last(rows - 1);
    write(words.ui.sum, box, box.top + box.height + 1.25 * size);
  }

  // Add the sums to a picture of the figure.
  addTo(picture) {
    if (!this.layer) return picture;
    const copy = picture.ownerDocument.importNode(this.layer, true);
    for (const name of ["width", "height"]) copy.setAttribute(name, picture.getAttribute(name));
    picture.append(copy);
    return picture;
  }
}
