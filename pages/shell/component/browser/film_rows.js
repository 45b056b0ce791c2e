// The rows of the film's first two steps: below each word its row of X, then its query, key and value. Their cells are
// copied from the maps, one pixel each, and stretched.

import { ARCS, canvas, one, shape } from "./stage.js";
import { picture } from "./flights.js";
import { put } from "./plane.js";

// Pixels: a row, the gap below it, a line of type above it if there is no room beside it, its widest cell.
const [ROW, GAP, TYPE, CELL] = [18, 10, 18, 18];
// The step in which each row comes. Its name is that of its map.
const LANES = [
  { lane: "x", comes: 1 },
  { lane: "queries", comes: 2 },
  { lane: "keys", comes: 2 },
  { lane: "values", comes: 2 },
];

export const rowOf = (lane, index) => one(`${ARCS} .att-film-rows [data-name="row ${lane} ${index}"]`);
export const lanesOf = (step) => LANES.filter(({ lane, comes }) => comes === step && canvas(lane));

export function removeRows() {
  one(`${ARCS} .att-film-rows`)?.remove();
}

// names: the name of each lane; sizes: the rows of its map; keys: the number of words.
export function drawRows(step, { sent, at, names, sizes, keys }) {
  removeRows();
  const [svg, label, first] = [one(ARCS), shape("line score"), shape("hit 0")];
  if (step > 2 || !svg || !label || !first) return;
  const group = put(svg, "g", { class: "att-film-rows", "aria-hidden": "true" });
  const [size, isBeside] = [Number(label.getAttribute("font-size")), label.getAttribute("text-anchor") === "end"];
  const [large, x] = [size / 14, Number(label.getAttribute("x"))];
  let y = Number(first.getAttribute("y")) + 8;
  for (const { lane, comes } of LANES) {
    if (comes > step || !canvas(lane)) continue;
    if (!isBeside) y += TYPE * large;
    const name = { class: "att-line-name", x, "font-size": size, "text-anchor": isBeside ? "end" : "start" };
    const line = put(group, "text", { ...name, y: isBeside ? y + 13 * large : y - 5 });
    line.textContent = names[lane];
    Object.assign(line.dataset, { name: `lane ${lane}`, film: comes === step ? "lit" : "dim" });
    sent.tokens.forEach((_, index) => {
      // Words of earlier calls have no query row.
      const row = index - (keys - sizes[lane]);
      const hit = shape(`hit ${index}`);
      if (row < 0 || !hit) return;
      const made = put(group, "g", {});
      Object.assign(made.dataset, { name: `row ${lane} ${index}`, film: comes === step ? "lit" : "dim" });
      const cells = picture(canvas(lane), row, sizes[lane]);
      const [left, width] = ["x", "width"].map((of) => Number(hit.getAttribute(of)));
      const wide = Math.min(width - 6, CELL * large * cells.width);
      const place = { x: left + (width - wide) / 2, y, width: wide, height: ROW * large };
      put(made, "image", { ...place, href: cells.toDataURL(), preserveAspectRatio: "none" });
      put(made, "rect", { class: marked(lane, index, sent, at), ...place });
    });
    y += (ROW + GAP) * large;
  }
}

// Black marks the word that asks, amber the word that answers.
function marked(lane, index, { focus }, { key }) {
  const isAsking = index === focus && ["x", "queries"].includes(lane);
  const isAnswering = index === key && ["x", "keys", "values"].includes(lane);
  return `att-film-row${isAsking ? " att-is-asking" : isAnswering ? " att-is-answering" : ""}`;
}
