// The places of the figure's parts: the story of a row beside both matrices or, with less room, above them, that of the
// tile first. On a phone both matrices are small, without names; on a projector the usual way shows its output alone.

import { headsOf } from "./running_heads.js";
import { clip } from "./sentence_line.js";
import { isOnWall, tall } from "./tall.js";

// Pixels: the highest and the lowest line; the widest name; the width below which one matrix fits, and from which the
// story stands beside both; the least and the greatest width of the story, its width on a projector, and the gap.
const [LINE, LEAST, NAME, NARROW, ROOMY, ROW, ROWS, WALL, GAP] = [22, 9, 84, 600, 1000, 430, 640, 350, 44];

export const isOfPhone = (width, large) => width < NARROW * large;

// The places of the story and of the matrices, beside or below each other.
export function sidesOf(width, large) {
  if (!isOnWall() && width < ROOMY * large) return { story: { x: 0, y: 0, width }, x: 0, width };
  const story = isOnWall() ? WALL * large : Math.min(Math.max(0.46 * width, ROW * large), ROWS * large);
  const x = story + GAP * large;
  return { story: { x: 0, y: 0, width: story }, x, width: width - x, isBeside: true };
}

// The width of the outputs: that of the text above them, if there is room.
function outputOf(features, { width, large, isNarrow, isWall, least }) {
  if (isNarrow) return Math.min(9 * features, 36) * large;
  const wide = Math.min(22 * features, 110) * large;
  return isWall ? Math.max(wide, Math.min(least, 90 * large)) : Math.min(Math.max(wide, least), 0.13 * width);
}

// Both matrices, each with its heading and its outputs: the usual way and the tiles.
export function boardOf(draws, { x, top, width }, large) {
  const { sent, type, isNarrow, measure } = draws;
  const { running, labels } = sent;
  const count = running.rows.length;
  const isWall = isOnWall();
  // On a projector lines grow less than type, which leaves room for the player above them.
  const line = Math.max(Math.min(isNarrow ? 0.72 * LINE : LINE, (isWall ? 230 : 330) / count) * tall(), LEAST);
  const longest = Math.max(...running.rows.map((token) => measure(clip(token))));
  const name = isNarrow ? 0 : Math.min(longest + 8, NAME * large);
  const heading = Math.max(...[labels.output, labels.output_so_far].map((said) => measure(said)));
  const least = isWall ? measure(labels.usual) : heading;
  const output = outputOf(running.features, { width, large, isNarrow, isWall, least });
  const gap = isNarrow ? 5 : 14 * large;
  const said = isNarrow ? type : Math.max(measure(labels.agrees, type, 700), measure(labels.differs)) + 8;
  const between = (isNarrow ? 16 : 28) * large;
  const [matrices, betweens] = isWall ? [1, 0] : [2, between];
  const room = (width - name - betweens - 2 * (gap + output) - said) / matrices;
  const cell = Math.min(room / running.columns.length, (isWall ? 2 : 1.5) * line);
  const [wide, high] = [cell * running.columns.length, count * line];
  const tiles = x + name;
  const beside = tiles + wide + gap + output;
  const usual = isWall ? tiles + gap + output : beside + between;
  const rooms = isWall ? [width, width] : [x + width - usual, usual - between / 2 - tiles];
  const heads = headsOf(draws, rooms);
  const above = heads.high + 1.7 * type;
  const places = [usual, tiles].map((start, at) => ({
    x: start,
    top: top + above,
    head: { x: isWall ? x : start, y: top },
    isAlone: isWall && !at,
  }));
  const end = top + above + high;
  // To the right of the last outputs.
  const verdict = Math.max(usual, tiles) + wide + gap + output;
  return { heads, places, x, line, cell, wide, high, name, gap, output, verdict, end };
}
