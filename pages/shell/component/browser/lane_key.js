// The key to bars, arrows and marks, once for all heads: beside their lines or, if there is no room, below them.

import { BEYOND, NAME, UP, DOWN, barOf, box, longOf, push, wave, wideOf } from "./lane_shapes.js";
import { widthOf } from "./text.js";

// Pixels: between a sign and its name, between two signs of one name, between two entries in a row, between rows.
const [NEAR, CLOSE, BESIDE, APART] = [6, 3, 18, 8];
// Pixels between the lines and a key beside them; the length of a mark.
const [GAP, MARK] = [12, 24];

// Draw the key. Returns where it ends.
export function laneKey(draws, top, bottom) {
  const { line, large } = draws;
  const told = entries(draws);
  if (!line.hasKey) return rows(draws, told, bottom);
  const x = line.right + GAP * large;
  return told.reduce((y, one) => row(draws, [{ ...one, x }], y), top);
}

// The entries of the key, each with its signs in true size, their width and height together, and its name.
function entries({ line, large, sent, labels, colours }) {
  const bar = barOf(line, large);
  const [tall, slim] = [NAME * large, wideOf(line, large, 1)];
  const way = (name, sign, tone, from) => ({
    name,
    drawn: (x, y) => push(line, large, x + from + slim / 2, y, 1, sign),
    look: { class: "att-push", fill: colours.series[tone] },
  });
  const beyond = BEYOND * large;
  const weight = {
    name: "weight",
    drawn: (x, y) => box(x + beyond, y - tall / 2, bar, tall),
    look: { class: "att-lane-weight" },
  };
  // The former weight, for a layer that has learned.
  const before = {
    name: "before",
    drawn: (x, y) => `M${x},${y}h${bar + 2 * beyond}`,
    look: { class: "att-lane-before" },
  };
  const hasLearned = sent.before.length > 0;
  const mark = {
    name: "wrong",
    drawn: (x, y) => wave(x, y, (hasLearned ? MARK / 2 : MARK) * large, large),
    look: { class: "att-lane-wrong" },
  };
  const newly = {
    name: "newly",
    drawn: (x, y) => wave(x + (MARK / 2 + CLOSE) * large, y, (MARK / 2) * large, large),
    look: { class: "att-lane-wrong att-newly" },
  };
  const down = slim + CLOSE * large;
  const missed = {
    name: "missed",
    drawn: (x, y) => push(line, large, x + slim / 2, y, 1, -1),
    look: { class: "att-lane-missed" },
  };
  const hasMissed = sent.came.some((row, of) => row.some((came, to) => sent.pushes[of][to] && !came));
  const all = [
    {
      signs: hasLearned ? [weight, before] : [weight],
      name: labels[hasLearned ? "before" : "weight"],
      // At rest the entry keeps the width of its longer name, so that the others stay in place.
      longest: labels.ways && [labels.before, labels.weight].sort((a, b) => b.length - a.length)[0],
      wide: bar + 2 * beyond,
      high: tall,
    },
    {
      signs: [way("up", 1, UP, 0), way("down", -1, DOWN, down)],
      name: labels.ways,
      wide: down + slim,
      high: longOf(line, large, 1),
    },
    {
      signs: hasLearned ? [mark, newly] : [mark],
      name: labels[hasLearned ? "wrong_newly" : "wrong"],
      longest: labels.ways && labels.wrong_newly,
      wide: (MARK + CLOSE) * large,
      high: tall,
    },
    // This entry is the last, because it comes and goes.
    { signs: [missed], name: hasMissed ? labels.missed : "", wide: slim, high: longOf(line, large, 1) },
  ];
  return all.filter(({ name }) => name);
}

function rows(draws, told, top) {
  const { line, large, colours } = draws;
  const left = line.isWide ? line.left : 2;
  const found = [[]];
  let x = left;
  for (const one of told) {
    const long = one.wide + NEAR * large + widthOf(one.longest || one.name, NAME * large, colours.font);
    if (x > left && x + long > line.width) {
      found.push([]);
      x = left;
    }
    found.at(-1).push({ ...one, x });
    x += long + BESIDE * large;
  }
  return found.reduce((y, each) => row(draws, each, y), top);
}

// Draw entries at one height, each from its own x. Returns where the next row begins.
function row({ scene, parent, large }, told, top) {
  const tall = Math.max(NAME * large, ...told.map(({ high }) => high));
  const middle = top + tall / 2;
  for (const { signs, name, wide, x } of told) {
    for (const sign of signs) scene.put(`key ${sign.name}`, "path", { d: sign.drawn(x, middle), ...sign.look }, parent);
    const place = { x: x + wide + NEAR * large, y: middle + 5 * large, "font-size": NAME * large };
    scene.put(`key ${signs[0].name} said`, "text", { class: "att-line-name", ...place }, parent, name);
  }
  return top + tall + APART * large;
}
