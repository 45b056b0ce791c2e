// The followed row as its scores: those of the tile are in memory, with numbers; grey ones were thrown away, empty ones
// are still to come.

import { ink, mixed } from "./colour.js";
import { decoded } from "./pixels.js";
import { HATCH } from "./running_tile.js";
import { clip } from "./sentence_line.js";

// The height of a cell in type; the smallest type of a number, as a share of it.
const [HIGH, SMALL] = [2.1, 0.78];

// Returns the lower end, and the places of the cells.
export function strip(draws, { x, y, width }) {
  const { scene, type, sent } = draws;
  const { columns, tile } = sent.running;
  const [, , from, to] = tile;
  const cell = width / columns.length;
  const place = { x, y: y + 1.45 * type, cell, high: HIGH * type };
  names(draws, { ...place, y: y + type, width });
  const boxOf = (first, last) => ({
    x: x + first * cell,
    y: place.y,
    width: (last - first) * cell,
    height: place.high,
  });
  if (from) scene.put("row seen", "rect", { class: "att-seen", ...boxOf(0, from) });
  said(draws, "gone", boxOf(0, from));
  said(draws, "to_come", boxOf(to, columns.length));
  scores(draws, place);
  scene.put("row around", "rect", { class: "att-row-frame", ...boxOf(0, columns.length) });
  scene.put("row tile", "rect", { class: "att-tile-frame", ...boxOf(from, to) });
  return { ...place, width, end: place.y + place.high };
}

// The names of all words, or of the first and the last one in memory.
function names({ scene, type, measure, sent }, { x, y, cell, width }) {
  const { columns, tile } = sent.running;
  const [, , from, to] = tile;
  const write = (name, text, more) => scene.put(name, "text", { y, "text-anchor": "middle", ...more }, undefined, text);
  const tokens = columns.map((token) => clip(token));
  if (Math.max(...tokens.map((token) => measure(token, type, 700))) <= cell - 4) {
    tokens.forEach((token, at) => {
      const kind = at >= from && at < to ? "att-read" : null;
      write(`row name ${at}`, token, { x: x + (at + 0.5) * cell, class: kind });
    });
    return;
  }
  const ends = [...new Set([tokens[from], tokens[to - 1]])].join(" – ");
  const half = measure(ends, type, 700) / 2;
  const middle = Math.min(Math.max(x + ((from + to) / 2) * cell, x + half), x + width - half);
  write("row names", ends, { x: middle, class: "att-read" });
}

function scores(draws, { x, y, cell, high }) {
  const { scene, type, sent, colours, measure } = draws;
  const { running, labels } = sent;
  const [, , from, to] = running.tile;
  const { row, new: newest } = running.followed;
  const shades = decoded(running.scores).slice(row * running.columns.length);
  const longest = Math.max(...labels.hand.map((said) => measure(said, type, 700)), 1);
  const size = Math.min(1, (cell - 3) / longest) * type;
  for (let at = from; at < to; at += 1) {
    const box = { x: x + at * cell, y, width: cell, height: high };
    const [said, shade] = [labels.hand[at - from], shades[at]];
    const rgb = mixed(colours.signed, shade / 254);
    const fill = shade > 254 ? `url(#${HATCH})` : `rgb(${rgb.map(Math.round)})`;
    scene.put(`row cell ${at - from}`, "rect", { ...box, fill });
    if (!said || size < SMALL * type) continue;
    const middle = { x: box.x + cell / 2, y: y + high / 2 + 0.36 * size, "text-anchor": "middle", "font-size": size };
    const look = { class: at - from === newest ? "att-read" : null, style: `fill: ${ink(rgb)}` };
    scene.put(`row score ${at - from}`, "text", { ...middle, ...look }, undefined, said);
  }
}

// A text in a part of the row, if there is room.
function said({ scene, sent, type, measure }, name, { x, y, width, height }) {
  const text = sent.labels[name];
  if (width < measure(text) + 8) return;
  const middle = { x: x + width / 2, y: y + height / 2 + 0.35 * type, "text-anchor": "middle" };
  scene.put(`row ${name}`, "text", { ...middle, class: "att-small" }, undefined, text);
}
