// Where several arcs of one sentence begin and end, so that none crosses another or is cut off at the edge.

import { reach } from "./arc_paths.js";

// Half of the width of the innermost loop, in pixels.
export const LOOP = 14;

// Among arcs to one word, the one with the farther foot ends farther and goes higher, so that none crosses another. To
// a word of another line they run side by side.
export function nested(ones, line, focus) {
  const to = ones[0].to;
  const side = Math.sign(line.words[to].middle - line.words[focus].middle) || 1;
  const turned = line.words[to].line === line.words[focus].line ? side : -side;
  const order = [...ones].sort((a, b) => side * ((b.foot ?? 0) - (a.foot ?? 0)));
  const whole = order.reduce((sum, { wide }) => sum + wide + 2, -2);
  let at = -whole / 2;
  let lift = 0;
  for (const one of order) {
    one.end = to === focus ? 0 : turned * (at + one.wide / 2);
    one.lift = lift;
    at += one.wide + 2;
    lift += one.wide + 2;
  }
}

// Move the feet at a word at the edge of the picture inside it, all by the same distance.
export function feetInside(drawn, line, focus) {
  const arcs = drawn.filter(({ foot }) => foot !== undefined);
  if (!arcs.length) return;
  const { middle } = line.words[focus];
  const left = Math.max(0, ...arcs.map(({ foot, wide }) => wide / 2 - foot - middle));
  const right = Math.max(0, ...arcs.map(({ foot, wide }) => middle + foot + wide / 2 - line.width));
  for (const one of arcs) one.foot += left || -right;
}

// Move loops at the edge of the picture inside it.
export function loopsInside(drawn, line, focus) {
  const loops = drawn.filter(({ to }) => to === focus);
  if (!loops.length) return;
  const { middle } = line.words[focus];
  const half = Math.max(...loops.map(({ wide, lift = 0 }) => reach(wide, lift)));
  const at = middle + (loops[0].foot ?? 0);
  const inside = Math.max(Math.min(at, line.width - half), half);
  for (const one of loops) one.foot = inside - middle;
}

// Loops stand beside the feet of the other arcs, on the side with fewer feet.
export function loopsBeside(drawn, line, focus) {
  const { middle } = line.words[focus];
  const loops = drawn.filter(({ to }) => to === focus);
  // They may cover pale arcs that a mask has taken away.
  const arcs = drawn.filter(({ foot, isLost }) => foot !== undefined && !isLost);
  if (!loops.length || !arcs.length) return;
  const [left, right] = [-1, 1].map((side) =>
    arcs.reduce((sum, { to, wide }) => sum + (side * (line.words[to].middle - middle) > 0 ? wide : 0), 0),
  );
  const room = 2 * Math.max(...loops.map(({ lift, wide }) => lift + wide / 2)) + 2 * LOOP;
  const edge = (side) => Math.max(...arcs.map(({ foot, wide }) => side * foot + wide / 2));
  const isInside = (side) =>
    middle + side * (edge(side) + room) > 0 && middle + side * (edge(side) + room) < line.width;
  const side = [left < right ? -1 : 1, left < right ? 1 : -1].find(isInside);
  if (!side) return;
  // If all arcs come from the other side, they make room.
  const over = (side < 0 ? left : right) ? 0 : edge(side);
  for (const one of arcs) one.foot -= side * over;
  for (const one of loops) one.foot = side * (edge(side) + room / 2);
}
