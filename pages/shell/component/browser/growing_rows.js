// The rows below the words of a growing sentence. With a cache there is one row, in which each word has its key and its
// value once; without one, each step has a row with those of all words so far. Strips of one word lie below each other,
// so that equal numbers are seen to be equal. An amber frame is around the numbers that are computed in this step.

import { decoded } from "./pixels.js";
import { broken } from "./text.js";
import { strip } from "./vector_cells.js";

// Pixels, in one line of words and in narrow columns: the widest pair of key and value, the room beside it, its height
// with a cache and without, the distance of two steps, and the type of the number of this step and of the others.
const [WIDEST, BESIDE, KEPT, HIGH, STEP, NUMBER, COUNT] = [
  [78, 78],
  [12, 5],
  [22, 20],
  [13, 8],
  [22, 15],
  [20, 15],
  [14, 12],
];
// Pixels: between a key and its value, between the two ways, for the lines to the newest word with the weights below
// them; type, the distance of two lines of text, and the width and height of a swatch in the legend.
const [APART, GAP, READS, TYPE, LINE, [BROAD, SWATCH]] = [5, 30, 64, 14, 18, [32, 12]];
// The distance of two columns of the legend.
const SECOND = 184;
// The weights: the height of their line, the height of a weight of 1, its width in one line of words and in narrow
// columns, its type there, and the gap to the frames below.
const [BUS, FULL, THICK, SHARE, FOOT] = [12, 24, [18, 12], [14, 11.5], 5];

// Draw the rows from `top` on. Returns where they end.
export function rows(given, top) {
  const { line, large, sent } = given;
  const of = (pair) => pair[line.isWide ? 0 : 1];
  const last = line.columns.at(-1);
  // The right end of the words, where the number of a row stands.
  const draws = { ...given, of, end: last.middle + last.width / 2 + 4 * large };
  const after = reads(draws, top);
  const below = cached(draws, after, sent.cached.map(decoded)) + GAP * large;
  return again(draws, below, sent.again);
}

const written = ({ scene, parent, large }, name, text, look) =>
  scene.put(name, "text", { class: "att-line-name", "font-size": TYPE * large, ...look }, parent, text);

// The name of a row, on its left or, if there is no room, in a line above it; middle: of the row. Returns where the row
// begins.
function named(draws, name, y, middle) {
  const { line, large, labels } = draws;
  if (!line.isWide) {
    written(draws, `line ${name}`, labels[name], { x: 0, y: y + TYPE * large });
    return y + (TYPE + 9) * large;
  }
  const look = { x: line.left - 10 * large, y: middle + 0.36 * TYPE * large, "text-anchor": "end" };
  written(draws, `line ${name}`, labels[name], look);
  return y;
}

// The newest word reads the kept pair of each earlier word, and its own: on each lies its query's weight, with a line
// to the word.
function reads(draws, y) {
  const { scene, parent, line, large, sent, of } = draws;
  const { focus } = sent;
  const from = line.isWide ? y : named(draws, "cached", y) + 8 * large;
  const [bus, foot] = [from + BUS * large, from + (READS - FOOT) * large];
  const top = foot - (FULL + 1.2 * of(SHARE)) * large;
  counted(draws, line.isWide ? foot : y + TYPE * large);
  if (line.isWide) {
    const look = { x: line.left - 10 * large, y: foot - 6 * large, "text-anchor": "end" };
    written(draws, "line weights", draws.labels.weights, look);
  }
  const to = line.columns[focus].middle;
  const ends = line.columns.slice(0, focus + 1).map(({ middle }) => middle);
  const stems = ends.map((middle) => `M${middle},${top}V${bus}`);
  const d = `${stems.join("")}M${ends[0]},${bus}H${to}V${from}`;
  scene.put("reading", "path", { class: "att-reading", d }, parent);
  const half = 5 * large;
  const tip = `M${to - half},${from}h${2 * half}L${to},${from - 1.4 * half}Z`;
  scene.put("reading tip", "path", { class: "att-reading-tip", d: tip }, parent);
  ends.forEach((middle, at) => weighed(draws, at, middle, foot));
  return from + READS * large;
}

// A bar as high as the weight, and its number above.
function weighed(draws, at, middle, foot) {
  const { scene, parent, large, sent, of } = draws;
  const [wide, high] = [of(THICK) * large, Math.max(1, FULL * sent.weights[at]) * large];
  const bar = { x: middle - wide / 2, y: foot - high, width: wide, height: high };
  scene.put(`weight ${at}`, "rect", { class: "att-weight", ...bar }, parent);
  const look = { class: "att-line-name att-so-far", x: middle, y: bar.y - 3 * large, "text-anchor": "middle" };
  const size = of(SHARE) * large;
  written(draws, `share ${at}`, `${Math.round(100 * sent.weights[at])}%`, { ...look, "font-size": size });
}

// The text about the numbers at the ends of the rows; y: of its last line.
function counted(draws, y) {
  const { line, large, labels, end, colours } = draws;
  const said = line.isWide ? broken(labels.total, line.width - end, TYPE * large, colours.font) : [labels.total];
  const look = line.isWide ? { x: end, "text-anchor": "start" } : { x: line.width, "text-anchor": "end" };
  said.forEach((one, at) =>
    written(draws, `total ${at}`, one, { ...look, y: y - (said.length - 1 - at) * LINE * large }),
  );
}

// With a cache: one pair for each word.
function cached(draws, y, numbers) {
  const { line, large, sent, of } = draws;
  const high = of(KEPT);
  if (line.isWide) named(draws, "cached", y, y + (high * large) / 2);
  line.columns.forEach((column, index) => {
    const when = index > sent.focus ? "to-come" : index === sent.focus ? "now" : "stored";
    pair(draws, `cached ${index}`, when, { column, y, high }, numbers, index);
  });
  total(draws, "cached", sent.focus, y + (high * large) / 2, true);
  return y + high * large + 5 * large;
}

// Without a cache: at each step the pairs of all words so far.
function again(draws, top, steps) {
  const { scene, parent, line, large, sent, of } = draws;
  const [high, far] = [of(HIGH), of(STEP) * large];
  const from = named(draws, "again", top, top + (high * large) / 2);
  line.columns.forEach((_, step) => {
    const y = from + step * far;
    const when = step > sent.focus ? "to-come" : step === sent.focus ? "now" : "before";
    const numbers = steps[step]?.map(decoded) ?? [];
    const row = { ...draws, parent: scene.put(`step ${step}`, "g", { class: `att-step-${when}` }, parent) };
    line.columns.slice(0, step + 1).forEach((column, index) => {
      pair(row, `again ${step} ${index}`, when, { column, y, high }, numbers, index);
    });
    total(draws, "again", step, y + (high * large) / 2, step === sent.focus);
  });
  const bottom = from + line.columns.length * far;
  return legend(draws, line.isWide ? top : bottom + 6 * large, bottom);
}

// A key and a value in their frame; an empty frame for a later word.
function pair(draws, name, when, { column, y, high }, numbers, index) {
  const { scene, parent, large, sent, of } = draws;
  const wide = Math.min(column.width - of(BESIDE), of(WIDEST) * large);
  // A later pair has no edge, so that its rows stay apart.
  const [x, edge] = [column.middle - wide / 2, when === "to-come" ? 0 : of([3, 2])];
  const frame = { x: x - edge, y: y - edge, width: wide + 2 * edge, height: high * large + 2 * edge, rx: 2 };
  scene.put(`frame ${name}`, "rect", { class: `att-${when}`, ...frame }, parent);
  if (when === "to-come") return;
  const one = (wide - APART) / (sent.sizes[0] + sent.sizes[1]);
  let at = x;
  numbers.forEach((shades, which) => {
    const size = sent.sizes[which];
    const own = shades.subarray(index * size, (index + 1) * size);
    strip(draws, `${which} ${name}`, parent, own, { x: at, y, wide: one * size, high });
    at += one * size + APART;
  });
}

// The number of pairs computed up to a step, at the end of its row.
function total(draws, way, step, middle, isNow) {
  const { line, large, sent, end, of } = draws;
  const size = of(isNow ? NUMBER : COUNT) * large;
  const look = `att-line-name att-so-far${isNow ? " att-strong" : step > sent.focus ? " att-so-far-to-come" : ""}`;
  const place = { x: line.isWide ? end : line.width, y: middle + 0.36 * size, "font-size": size };
  const name = way === "cached" ? "total cached" : `total again ${step}`;
  const anchor = line.isWide ? "start" : "end";
  written(draws, name, String(sent.totals[way][step]), { class: look, ...place, "text-anchor": anchor });
}

// The legend of the frames, each drawn as in the rows, of the strips, and of their colours: in the corner that the
// steps leave free or, in a narrow picture, below them in two columns. Returns where everything ends.
function legend(draws, top, bottom) {
  const { scene, parent, line, large, labels, sent, of } = draws;
  const corner = line.columns[6];
  const left = line.isWide ? corner.middle - corner.width / 2 + 3 * large : 3 * large;
  const size = { width: BROAD * large, height: SWATCH * large };
  const far = (line.isWide ? 22 : 19) * large;
  // The place of a column and a row of the legend.
  const place = (column, row) => ({ x: left + column * SECOND * large, y: top + row * far });
  const said = (name, { x, y }, wide) =>
    written(draws, `legend ${name}`, labels[name], { x: x + wide + 7 * large, y: y + 0.92 * size.height });
  // The legend shows the key and the value of the first word.
  const half = (size.width - 3 * large) / 2;
  const both = (name, { x, y }, within) =>
    sent.cached.forEach((shades, which) => {
      const own = decoded(shades).subarray(0, sent.sizes[which]);
      const from = x + which * (size.width - half);
      strip(draws, `legend ${name} ${which}`, within, own, { x: from, y, wide: half, high: SWATCH });
    });
  const places = line.isWide ? [place(0, 0), place(0, 1), place(0, 2)] : [place(0, 0), place(0, 1), place(1, 0)];
  ["stored", "now", "before"].forEach((when, at) => {
    const { x, y } = places[at];
    const edge = of([2, 1]);
    const frame = { x: x - edge, y: y - edge, width: size.width + 2 * edge, height: size.height + 2 * edge, rx: 2 };
    const row = scene.put(`sample ${when}`, "g", { class: `att-step-${when}` }, parent);
    scene.put(`swatch ${when}`, "rect", { class: `att-swatch att-swatch-${when}`, ...frame }, row);
    both(`${when} cells`, places[at], row);
    said(when, places[at], size.width);
  });
  const inside = line.isWide ? place(0, 3) : place(1, 1);
  both("strip cells", inside, parent);
  said("strip", inside, size.width);
  const colours = line.isWide ? [place(1, 3), place(1.6, 3)] : [place(0, 2), place(1, 2)];
  [
    ["below", 30],
    ["above", 224],
  ].forEach(([name, shade], at) => {
    const cell = { ...colours[at], wide: size.height, high: SWATCH };
    strip(draws, `legend ${name} cells`, parent, [shade], cell);
    said(name, colours[at], size.height);
  });
  return Math.max(bottom, place(0, line.isWide ? 4 : 3).y);
}
