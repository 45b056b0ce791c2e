// The tile in memory among the other scores: grey ones were seen and thrown away, hatched ones are skipped because of
// the mask, empty ones are still to come.

import { put } from "./plane.js";

export const HATCH = "att-running-hatch";

export function hatch(defs) {
  const pattern = put(defs, "pattern", {
    id: HATCH,
    width: 7,
    height: 7,
    patternUnits: "userSpaceOnUse",
    patternTransform: "rotate(45)",
  });
  put(pattern, "rect", { class: "att-hatch-page", width: 7, height: 7 });
  put(pattern, "rect", { class: "att-hatch-line", width: 2, height: 7 });
}

// The part of a box that the tile does not cover, so that its words do not touch the frame.
function clear([top, bottom, left, right], [first, last, from, to]) {
  if (bottom <= first || top >= last || right <= from || left >= to) return [top, bottom, left, right];
  return from > left ? [top, bottom, left, from] : [top, bottom, Math.min(to, right), right];
}

// draws: scene, sent, type, measure; place: x, top, wide, high, cell and line; href: a picture of the tile's scores.
export function tileAlone(draws, { x, top, wide, high, cell, line }, href, corrections) {
  const { scene, sent } = draws;
  const { tile } = sent.running;
  const boxOf = ([first, last, from, to]) => ({
    x: x + from * cell,
    y: top + first * line,
    width: (to - from) * cell,
    height: (last - first) * line,
  });
  const all = { x, y: top, width: wide, height: high };
  scene.put("page", "rect", { class: "att-hatch-page", ...all });
  const said = [...seen(draws, boxOf), ...skipped(draws, boxOf)];
  cuts(draws, boxOf);
  named(draws, boxOf, said, corrections);
  scene.put("tile back", "rect", { class: "att-hatched", fill: `url(#${HATCH})`, ...boxOf(tile) });
  scene.put("in memory", "image", { ...all, preserveAspectRatio: "none", href });
  scene.put("around", "rect", { class: "att-around", ...all });
  scene.put("tile", "rect", { class: "att-tile-frame", ...boxOf(tile) });
}

// The scores that were in memory before. Returns the larger part of them, and its text.
function seen({ scene, sent }, boxOf) {
  const { columns, tile } = sent.running;
  const [first, last, from] = tile;
  const bands = [
    [0, first, 0, columns.length],
    [first, last, 0, from],
  ].filter(([top, bottom, left, right]) => bottom > top && right > left);
  bands.forEach((band, at) => scene.put(`seen ${at}`, "rect", { class: "att-seen", ...boxOf(band) }));
  // Skipped scores were never in memory.
  const left = sent.running.skipped.filter(([top]) => top < first).map(([, , start]) => start);
  const end = Math.min(columns.length, ...left);
  return bands.slice(0, 1).map((band) => [[...band.slice(0, 3), Math.min(band[3], end)], sent.labels.gone]);
}

// The edges of all tiles.
function cuts({ scene, sent }, boxOf) {
  const { rows, columns, size } = sent.running;
  const edges = (end, step) => Array.from({ length: Math.ceil(end / step) - 1 }, (_, at) => (at + 1) * step);
  const lines = [
    ...edges(rows.length, size[0]).map((row) => [row, row, 0, columns.length]),
    ...edges(columns.length, size[1]).map((column) => [0, rows.length, column, column]),
  ].map(boxOf);
  const d = lines.map((one) => `M${one.x},${one.y}l${one.width},${one.height}`).join(" ");
  if (d) scene.put("cuts", "path", { class: "att-cuts", d });
}

function skipped({ scene, sent }, boxOf) {
  const { running, labels } = sent;
  running.skipped.forEach((box, at) => {
    scene.put(`skipped ${at}`, "rect", { class: "att-skipped", fill: `url(#${HATCH})`, ...boxOf(box) });
  });
  return running.skipped.map((box) => [box, labels.skipped_here]);
}

// A text in a part of the scores, if there is room beside the tile.
function named({ scene, sent, type, measure }, boxOf, parts, corrections) {
  parts.forEach(([box, said], at) => {
    const { x, y, width, height } = boxOf(clear(box, sent.running.tile));
    if (width < measure(said) + 8 || height < 1.3 * type) return;
    const middle = { x: x + width / 2, y: y + height / 2 + 0.35 * type, "text-anchor": "middle" };
    const words = scene.put(`said ${at}`, "text", { ...middle, class: "att-said-there" }, undefined, said);
    // Show the words once the frame has left.
    corrections.add(words, { opacity: 0 }, { opacity: 1 }, true);
  });
}
