// Where the parts of the figure stand: what is told of a row beside both matrices or, where there is less room, above them; on
// a phone each matrix has the width, that of the tile first; on a wall, of the usual way there is the output alone.

import { headsOf } from "./running_heads.js";
import { clip } from "./sentence_line.js";
import { isOnWall, tall } from "./tall.js";

// Pixels: the highest line, and the lowest; of names the most; below which there is room for one matrix, and from which on for
// the row beside both; the least and the most of the row, what it has on a wall, and what is between.
const [LINE, LEAST, NAME, NARROW, ROOMY, ROW, ROWS, WALL, GAP] = [30, 9, 84, 600, 1000, 430, 560, 350, 44];

export const isOfPhone = (width, large) => width < NARROW * large;

// Where the row is told, and where the matrices have their room: beside the row, or below it.
export function sidesOf(width, large) {
  if (!isOnWall() && width < ROOMY * large) return { story: { x: 0, y: 0, width }, x: 0, width };
  const story = isOnWall() ? WALL * large : Math.min(Math.max(0.4 * width, ROW * large), ROWS * large);
  const x = story + GAP * large;
  return { story: { x: 0, y: 0, width: story }, x, width: width - x, isBeside: true };
}

// Both matrices, each with its head and its outputs: the usual way and the tiles.
export function boardOf(draws, { x, top, width }, large) {
  const { sent, type, isNarrow, measure } = draws;
  const { running, labels } = sent;
  const count = running.rows.length;
  const isWall = isOnWall();
  // On a wall lines grow less than type, which leaves room for the player above them.
  const line = Math.max(Math.min(isNarrow ? 0.72 * LINE : LINE, (isWall ? 230 : 330) / count) * tall(), LEAST);
  const name = Math.min(Math.max(...running.rows.map((token) => measure(clip(token)))) + 8, NAME * large);
  const heading = Math.max(...[labels.output, labels.output_so_far].map((said) => measure(said)));
  const least = isWall ? measure(labels.usual) : heading;
  const output = Math.max(Math.min(22 * running.features, isNarrow ? 60 : 110) * large, Math.min(least, 90 * large));
  const gap = isNarrow ? 6 : 14 * large;
  const said = isNarrow ? type : Math.max(measure(labels.agrees, type, 700), measure(labels.differs)) + 8;
  const between = isNarrow || isWall ? 0 : 28 * large;
  const [matrices, outputs] = isNarrow ? [1, 1] : isWall ? [1, 2] : [2, 2];
  const room =
    (width - name - between - matrices * gap - outputs * output - (outputs - matrices) * gap - said) / matrices;
  const cell = Math.min(room / running.columns.length, (isWall ? 2 : 1.5) * line);
  const [wide, high] = [cell * running.columns.length, count * line];
  const first = x + name;
  const beside = first + wide + gap + output + between;
  const [usual, tiles] = isNarrow ? [first, first] : isWall ? [first + gap + output, first] : [first, beside];
  const rooms = isNarrow
    ? [width, width]
    : isWall
      ? [width, width]
      : [beside - first - between / 2, x + width - beside];
  const heads = headsOf(draws, rooms);
  const above = heads.high + 1.7 * type;
  // On a phone that of the tiles comes first.
  const tops = isNarrow ? [top + 2 * above + high + type, top + above] : [top + above, top + above];
  const left = (start) => (isNarrow || isWall ? x : start);
  const places = [usual, tiles].map((start, at) => ({
    x: start,
    top: tops[at],
    head: { x: left(start), y: tops[at] - above },
    isAlone: isWall && !at,
  }));
  const end = Math.max(...tops) + high;
  // Beside the last outputs.
  const verdict = Math.max(usual, tiles) + wide + gap + output;
  return { heads, places, x, line, cell, wide, high, name, gap, output, verdict, end };
}
