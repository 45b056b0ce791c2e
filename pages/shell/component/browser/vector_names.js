// The places of the names of q and of the output in the plane; nothing is drawn here.

import { laid } from "./arc_names.js";
import { polar } from "./plane.js";

// Angles, in degrees from the direction of q, at which its name may stand around its tip, and how many of them add a
// cost of one; its distance from the handle in pixels, and the cost of each step farther away.
const TURNS = Array.from({ length: 19 }, (_, step) => (step % 18 ? [10 * step, -10 * step] : [10 * step])).flat();
const [ONE, AWAY, FARTHER] = [25, [0, 12, 24, 36], 3];
// The distance of a name from its mark in pixels, and its slopes there in radians.
const [FAR, SLOPES] = [
  [13, 42, 70],
  [0, 0.9, -0.9, 1.6, -1.6],
];

/**
 * The box of the name of q: beyond its tip first, and where no word and no line is, nor the circle on which its tip moves.
 * @param {{ tip: Record<string, number>, angle: number, far: number, wide: number, high: number }} name
 * @param {{ arcs: { d: string, wide: number }[], blocked: Record<string, number>[], width: number, height: number }} plane
 */
export function atTip({ tip, angle, far, wide, high }, { height, ...plane }) {
  const places = AWAY.flatMap((more, ring) =>
    TURNS.map((turn) => {
      const [x, y] = polar(angle + turn, 1);
      const away = far + more;
      // In a slanted direction, a corner is as far away as an edge is straight on.
      const most = Math.max(Math.abs(x), Math.abs(y));
      return {
        x: tip.x + x * (away + wide / 2 / most) - wide / 2,
        y: tip.y - y * (away + high / 2 / most) - high / 2,
        costs: Math.abs(turn) / ONE + ring * FARTHER,
      };
    }),
  );
  const inside = places.filter(({ x, y }) => x >= 0 && x + wide <= plane.width && y >= 0 && y + high <= height);
  return laid([{ wide, high, places: inside }], plane)[0] ?? { ...inside[0], wide, high };
}

/**
 * The box of the name of a mark, null where it has no room, and the line from the mark to it, null where it is near.
 * @param {{ x: number, y: number, wide: number, high: number }} name
 * @param {{ arcs: { d: string, wide: number }[], blocked: Record<string, number>[], width: number, height: number }} plane
 */
export function nearby({ x, y, wide, high }, { height, ...plane }) {
  const places = FAR.flatMap((far, ring) =>
    SLOPES.flatMap((slope, costs) =>
      [1, -1].map((side) => ({
        x: x + side * (Math.cos(slope) * far + wide / 2) - wide / 2,
        y: y - Math.sin(slope) * far - high / 2,
        costs: 6 * ring + costs,
      })),
    ),
  );
  const [box] = laid([{ wide, high, places: places.filter((one) => one.y + high < height) }], plane);
  if (!box) return { box, lead: null };
  const [x2, y2] = [within(x, box.x, wide), within(y, box.y, high)];
  return { box, lead: Math.hypot(x2 - x, y2 - y) > FAR[1] / 2 ? { x1: x, y1: y, x2, y2 } : null };
}

/**
 * The box of the name of a word at the end of its arrow: above or, of one that points down, below; beside it or on the other
 * side, where q is in the way.
 * @param {{ x: number, y: number, far: number, isBelow: boolean, wide: number, high: number }} name
 * @param {{ arcs: { d: string, wide: number }[], blocked: Record<string, number>[], width: number, height: number }} plane
 */
export function atEnd({ x, y, far, isBelow, wide, high }, { height, ...plane }) {
  const inside = (left) => Math.min(Math.max(left, 0), plane.width - wide);
  const [above, below] = [y - far - high, y + far];
  const middle = y - high / 2;
  const places = [
    { x: inside(x - wide / 2), y: isBelow ? below : above },
    { x: x + far, y: isBelow ? below - high / 2 : above + high / 2 },
    { x: x - far - wide, y: isBelow ? below - high / 2 : above + high / 2 },
    { x: x + far + 3, y: middle },
    { x: x - far - 3 - wide, y: middle },
    { x: inside(x - wide / 2), y: isBelow ? above : below },
  ].map((place, costs) => ({ ...place, costs }));
  // If q is held over the word, its name goes beyond q's reach.
  const farther = places.map((place) => ({
    ...place,
    x: place.x + Math.sign(place.x + wide / 2 - x) * AWAY[2],
    y: place.y + Math.sign(place.y + high / 2 - y) * AWAY[2],
    costs: place.costs + places.length,
  }));
  const possible = [...places, ...farther].filter((one) => one.y + high <= height);
  return laid([{ wide, high, places: possible }], plane)[0] ?? { ...places[0], wide, high };
}

// The circle around a point as four curves: the distance of a curve's control points from its ends.
const BENT = 0.5523;
export function circle({ x, y }, radius) {
  const far = BENT * radius;
  return [0, 90, 180, 270].map((angle) => {
    const [[a, b], [c, d]] = [polar(angle, 1), polar(angle + 90, 1)];
    const at = (along, across) => `${x + a * along + c * across},${y + b * along + d * across}`;
    return { d: [at(radius, 0), at(radius, far), at(far, radius), at(0, radius)].join(" "), wide: 1 };
  });
}

export const around = ({ x, y }, far) => ({ x: x - far, y: y - far, wide: 2 * far, high: 2 * far });

const within = (at, from, wide) => Math.min(Math.max(at, from), from + wide);
