// What bars and arrows are, once for all heads: beside their lines, or, where there is no room, below them.

import { NAME, UP, DOWN, barOf, box, longOf, push, wideOf } from "./lane_shapes.js";
import { widthOf } from "./text.js";

// Pixels: between a sign and its name, between two entries in a row, between rows.
const [NEAR, BESIDE, APART] = [6, 18, 8];
// Between the lines and a key beside them.
const GAP = 12;

// Returns where it ends.
export function laneKey(draws, top, bottom) {
  const { line, large } = draws;
  const told = entries(draws);
  if (!line.hasKey) return rows(draws, told, bottom);
  const x = line.right + GAP * large;
  return Math.max(
    bottom,
    told.reduce((y, one) => row(draws, [{ ...one, x }], y), top),
  );
}

// The signs in true size, with how wide and how high each is.
function entries({ line, large, labels, colours }) {
  const bar = barOf(line, large);
  const way = (name, sign, tone) => ({
    name,
    wide: wideOf(line, large, 1),
    high: longOf(line, large, 1),
    drawn: (x, y) => push(line, large, x + wideOf(line, large, 1) / 2, y, 1, sign),
    look: { class: "att-push", fill: colours.series[tone] },
  });
  const weight = {
    name: "weight",
    wide: bar,
    high: NAME * large,
    drawn: (x, y) => box(x, y - (NAME * large) / 2, bar, NAME * large),
    look: { class: "att-lane-weight" },
  };
  const before = {
    name: "before",
    wide: bar,
    high: NAME * large,
    drawn: (x, y) => `M${x},${y}h${bar}`,
    look: { class: "att-lane-before" },
  };
  const missed = { ...way("missed", -1, DOWN), look: { class: "att-lane-missed" } };
  const ways = [way("up", 1, UP), way("down", -1, DOWN)];
  const all = [weight, before, ...ways, missed, ...(line.isWide ? [sizes(line, large)] : [])];
  return all.filter(({ name }) => labels[name]);
}

// The three sizes of an arrow, beside each other.
function sizes(line, large) {
  const from = (size) =>
    [1, 2, 3].slice(0, size - 1).reduce((sum, each) => sum + wideOf(line, large, each) + 3 * large, 0);
  const drawn = (x, y) =>
    [1, 2, 3].map((size) => push(line, large, x + from(size) + wideOf(line, large, size) / 2, y, size, 1)).join("");
  return {
    name: "sizes",
    wide: from(4) - 3 * large,
    high: longOf(line, large, 3),
    drawn,
    look: { class: "att-push", fill: "var(--att-grey)" },
  };
}

function rows(draws, told, top) {
  const { line, large, labels, colours } = draws;
  const left = line.isWide ? line.left : 2;
  const found = [[]];
  let x = left;
  for (const one of told) {
    const long = one.wide + NEAR * large + widthOf(labels[one.name], NAME * large, colours.font);
    if (x > left && x + long > line.width) {
      found.push([]);
      x = left;
    }
    found.at(-1).push({ ...one, x });
    x += long + BESIDE * large;
  }
  return found.reduce((y, each) => row(draws, each, y), top);
}

// Entries at one height, each from its own x; returns where the next row begins.
function row({ scene, parent, large, labels }, told, top) {
  const tall = Math.max(NAME * large, ...told.map(({ high }) => high));
  const middle = top + tall / 2;
  for (const { name, wide, x, drawn, look } of told) {
    scene.put(`key ${name}`, "path", { d: drawn(x, middle), ...look }, parent);
    const place = { x: x + wide + NEAR * large, y: middle + 5 * large, "font-size": NAME * large };
    scene.put(`key ${name} said`, "text", { class: "att-line-name", ...place }, parent, labels[name]);
  }
  return top + tall + APART * large;
}
