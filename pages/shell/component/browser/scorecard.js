// The answers of a layer beside its side of a comparison, one mark and line for each question, and arcs that this side
// has lost: dashed, to where the other side has them.

import { broken, widthOf } from "./text.js";

// Pixels: type of the answers and of the name of a side, a row, the gap between two texts, the room of the menu.
const [TYPE, SIDE, ROW, GAP, MENU] = [15, 17, 26, 22, 44];
// The same on a narrow screen: type, a row.
const [SMALL, LOW] = [14, 19];
export const MARKS = { right: "✓", chance: "○", wrong: "✗", open: "…" };

// The name of a side, then its answers. A name wider than the figure is broken into several rows.
function partsOf(side, lines, states, width, { large, font }) {
  const named = broken(side, width - MENU * large, SIDE * large, font, 700);
  const scored = lines.map((line, at) => ({
    text: `${MARKS[states[at]]} ${line}`,
    state: states[at],
    size: TYPE * large,
    weight: 600,
  }));
  return [...named.map((text, at) => ({ text, size: SIDE * large, weight: 700, begins: at > 0 })), ...scored];
}

// The rows of texts side by side; isAlone: without the answers of the side below.
export function rowsOf({ labels, arcs }, width, colours, isAlone = true) {
  const own = partsOf(labels.side, labels.scored ?? [], arcs.scored, width, colours);
  if (isAlone || !labels.other_scored) return inRows(own, width, colours);
  const other = partsOf(labels.other_side, labels.other_scored, arcs.other_scored, width, colours);
  return inColumns([own, other], width, colours) ?? [own, other].flatMap((parts) => inRows(parts, width, colours));
}

// Both sides as a table with one column for each question; null if there is no room.
function inColumns(sides, width, { large, font }) {
  if (sides[0].length !== sides[1].length || sides.flat().some((one) => one.begins)) return null;
  const wide = ({ text, size, weight }) => widthOf(text, size, font, weight);
  let x = 0;
  const places = sides[0].map((_, at) => {
    const place = x;
    x += Math.max(...sides.map((parts) => wide(parts[at]))) + GAP * large;
    return place;
  });
  return x <= width - MENU * large ? sides.map((parts) => parts.map((one, at) => ({ ...one, x: places[at] }))) : null;
}

function inRows(parts, width, { large, font }) {
  /** @type {Record<string, any>[][]} */
  const rows = [[]];
  let x = 0;
  for (const one of parts) {
    const wide = widthOf(one.text, one.size, font, one.weight);
    if (x && (one.begins || x + wide > width - MENU * large)) {
      rows.push([]);
      x = 0;
    }
    rows.at(-1).push({ ...one, x });
    x += wide + GAP * large;
  }
  return rows;
}

export const highOf = (rows, large) => rows.length * ROW * large;

// top: that of the first row.
export function writeRows({ scene, svg }, rows, top, { large }) {
  rows.forEach((row, line) =>
    row.forEach(({ text, state, size, x }, at) => {
      const place = { x, y: top + (line * ROW + 0.95 * SIDE) * large, "font-size": size };
      const kind = state ? `att-scored att-scored-${state}` : "att-side";
      scene.put(`scored ${line} ${at}`, "text", { class: kind, ...place }, svg, text);
    }),
  );
}

// Write a column: at most two lines for the side, then one line for each question.
export function writeColumn({ scene, svg, sent: { labels, arcs } }, x, width, { large, font }) {
  const scored = (labels.scored ?? []).map((text, at) => `${MARKS[arcs.scored[at]]} ${text}`);
  // Whole answers, in smaller type if necessary.
  const longest = Math.max(1, ...scored.map((text) => widthOf(text, SMALL * large, font, 600)));
  const size = SMALL * large * Math.min(1, (width - x - 2) / longest);
  let y = 0;
  const line = (id, text, kind, type, high) => {
    scene.put(id, "text", { class: kind, x, y: y + type, "font-size": type }, svg, text);
    y += high;
  };
  const side = broken(labels.side, width - 28 * large, (SIDE - 2) * large, font).slice(0, 2);
  side.forEach((part, at) => line(`side ${at}`, part, "att-side", (SIDE - 2) * large, 18 * large));
  y += 4 * large;
  scored.forEach((text, at) =>
    line(`scored ${at}`, text, `att-scored att-scored-${arcs.scored[at]}`, size, LOW * large),
  );
}

export const columnHigh = ({ labels }, large) => (labels.scored?.length ?? 0) * LOW * large;

// The lost arcs of a figure, thin enough to fit, in front of all others.
export function goneArcs({ labels, arcs }, large) {
  return (arcs.gone ?? []).map(({ to, state }, at) => ({
    ...{ of: `gone ${at}`, to, weight: 1, wide: 2.5 * large, isGone: true },
    name: labels.gone[at],
    state,
  }));
}
