// Below the words of a sentence that is written: with a cache one row, in which each word has its key and its value once;
// without one a row for each step, in which all words so far have theirs again. Strips of one word lie below each other,
// so that the same numbers are seen to be the same. An amber frame is around what is computed in this step.

import { decoded } from "./pixels.js";
import { strip } from "./vector_cells.js";

// Pixels, in one line of words and in narrow columns: the widest key with its value, the room beside them, their height
// with a cache and without, from one step to the next, and the type of the number of this step.
const [WIDEST, BESIDE, KEPT, HIGH, STEP, NUMBER] = [
  [78, 78],
  [12, 5],
  [22, 20],
  [13, 8],
  [22, 14],
  [20, 17],
];
// Between a key and its value, between the two ways, for the lines that lead to the newest word; type, and a swatch
// of the legend.
const [APART, GAP, READS, TYPE, SWATCH] = [5, 30, 26, 14, 12];

// top: where they begin; returned is where they end.
export function rows(given, top) {
  const { line, large, sent, colours } = given;
  const of = (pair) => pair[line.isWide ? 0 : 1];
  const last = line.columns.at(-1);
  // What follows a row: its number.
  const draws = { ...given, of, end: last.middle + last.width / 2 + 4 * large };
  const after = reads(draws, top);
  const below = cached(draws, after, sent.cached.map(decoded)) + GAP * large;
  return again(draws, below, sent.again, colours);
}

const written = ({ scene, parent, large }, name, text, look) =>
  scene.put(name, "text", { class: "att-line-name", "font-size": TYPE * large, ...look }, parent, text);

// What a row is called: on its left or, where there is no room, in a line above it.
function named(draws, name, lines, y) {
  const { line, large } = draws;
  if (!line.isWide) {
    written(draws, `line ${name}`, lines.join(" · "), { x: 0, y: y + TYPE * large });
    return y + (TYPE + 9) * large;
  }
  lines.forEach((one, at) => {
    const look = { x: line.left - 10 * large, y: y + (TYPE + at * 18) * large, "text-anchor": "end" };
    written(draws, `line ${name} ${at}`, one, look);
  });
  return y;
}

// From what is kept of each earlier word a line leads to the newest one, which reads it.
function reads(draws, y) {
  const { scene, parent, line, large, sent, labels } = draws;
  const { focus } = sent;
  const from = line.isWide ? y : named(draws, "cached", [labels.cached, labels.strip, labels.head], y);
  const [bus, top] = [from + 8 * large, from + (READS - 5) * large];
  const counted = line.isWide ? { x: draws.end, y: bus + 5 * large } : { x: line.width, y: y + TYPE * large };
  written(draws, "total", labels.total, { ...counted, "text-anchor": line.isWide ? "start" : "end" });
  if (line.isWide)
    written(draws, "reads", labels.reads, { x: line.left - 10 * large, y: bus + 5 * large, "text-anchor": "end" });
  if (focus) {
    const to = line.columns[focus].middle;
    const stems = line.columns.slice(0, focus).map(({ middle }) => `M${middle},${top}V${bus}`);
    const d = `${stems.join("")}M${line.columns[0].middle},${bus}H${to}V${top - 5 * large}`;
    scene.put("reading", "path", { class: "att-reading", d }, parent);
    const half = 5 * large;
    const tip = `M${to - half},${top - 1.4 * half}h${2 * half}L${to},${top}Z`;
    scene.put("reading tip", "path", { class: "att-reading-tip", d: tip }, parent);
  }
  return from + READS * large;
}

// Once a word.
function cached(draws, y, numbers) {
  const { line, large, sent, labels, of } = draws;
  const high = of(KEPT);
  if (line.isWide) named(draws, "cached", [labels.cached, labels.strip, labels.head], y - 4 * large);
  line.columns.forEach((column, index) => {
    const when = index > sent.focus ? "to-come" : index === sent.focus ? "now" : "stored";
    pair(draws, `cached ${index}`, when, { column, y, high }, numbers, index);
  });
  total(draws, "cached", sent.focus, y + (high * large) / 2, true);
  return y + high * large + 5 * large;
}

// At each step all words so far.
function again(draws, top, steps, colours) {
  const { line, large, sent, labels, of } = draws;
  const from = named(draws, "again", [labels.again, labels.rows], top);
  const [high, far] = [of(HIGH), of(STEP) * large];
  line.columns.forEach((_, step) => {
    const y = from + step * far;
    const when = step > sent.focus ? "to-come" : step === sent.focus ? "now" : "before";
    const numbers = steps[step]?.map(decoded) ?? [];
    line.columns.slice(0, step + 1).forEach((column, index) => {
      pair(draws, `again ${step} ${index}`, when, { column, y, high }, numbers, index);
    });
    total(draws, "again", step, y + (high * large) / 2, step === sent.focus);
  });
  legend(draws, from, far);
  return from + line.columns.length * far;
}

// A key and a value in their frame, or an empty one for what is to come.
function pair(draws, name, when, { column, y, high }, numbers, index) {
  const { scene, parent, large, sent, of } = draws;
  const wide = Math.min(column.width - of(BESIDE), of(WIDEST) * large);
  // What is to come has the place of its numbers alone, so that its rows stay apart.
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

// How many have been computed up to a step, at the end of its row.
function total(draws, way, step, middle, isNow) {
  const { line, large, sent, end, of } = draws;
  const size = (isNow ? of(NUMBER) : TYPE) * large;
  const look = `att-line-name att-so-far${isNow ? " att-strong" : step > sent.focus ? " att-so-far-to-come" : ""}`;
  const place = { x: line.isWide ? end : line.width, y: middle + 0.36 * size, "font-size": size };
  const name = way === "cached" ? "total cached" : `total again ${step}`;
  const anchor = line.isWide ? "start" : "end";
  written(draws, name, String(sent.totals[way][step]), { class: look, ...place, "text-anchor": anchor });
}

// What the frames mean, in the corner that the steps leave free.
function legend(draws, top, far) {
  const { scene, parent, line, large, labels, of } = draws;
  const x = line.columns[of([5, 6])].middle - line.columns[of([5, 6])].width / 2;
  ["now", "before", "to_come"].forEach((when, at) => {
    const y = top + at * of([22, 17]) * large;
    const size = SWATCH * large;
    const look = {
      class: `att-swatch att-swatch-${when.replace("_", "-")}`,
      x: x + 2,
      y,
      width: size,
      height: size,
      rx: 2,
    };
    scene.put(`swatch ${when}`, "rect", look, parent);
    written(draws, `legend ${when}`, labels[when], { x: x + size + 8 * large, y: y + 0.92 * size });
  });
}
