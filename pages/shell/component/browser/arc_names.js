// The places of the names of arcs: each at the word where its arc ends, inside the picture, clear of the other names
// and the words and, if there is room, of the arcs. Nothing here reads the page.

// Points along an arc that are tested; pixels that stay free around a name, and between two names above each other.
const [POINTS, AROUND, LINE] = [24, 2, 3];
// The costs of a place on an arc, on the other side of the word, farther from the word, and between the ends of the arc, in
// lines that a name goes up to avoid it.
const [ON_ARC, OTHER, FARTHER, BETWEEN] = [12, 2.5, 0.5, 3.5];
// Pixels farther from the word; the lines near the words, where a name between the ends would be read as one of the word below.
const [AWAY, LOWEST] = [9, 2];
// Pixels from one place to the next, and the most places at one height.
const [STEP, MOST] = [8, 40];

/**
 * The box of each name, from its upper left corner; null for a name without room.
 *
 * names: the size of each, its possible corners with their costs, and the most that it may cost; arcs: paths of one
 * curve each, and their widths; blocked: boxes that stay free; width: of the picture.
 * @param {{ wide: number, high: number, places: Record<string, number>[], most?: number }[]} names
 * @param {{ arcs: { d: string, wide: number }[], blocked: Record<string, number>[], width: number }} around
 */
export function laid(names, { arcs, blocked, width }) {
  const points = arcs.flatMap(({ d, wide }) => along(d).map((point) => ({ ...point, far: wide / 2 + AROUND })));
  const taken = blocked.map((box) => ({ ...box }));
  return names.map(({ wide, high, places, most = Infinity }) => {
    let best = null;
    for (const { x, y, costs } of places) {
      const box = { x, y, wide, high };
      if (x < 0 || y < 0 || x + wide > width || taken.some((one) => meet(one, box))) continue;
      const isOnArc = points.some((point) => isNear(point, box));
      const cost = costs + (isOnArc ? ON_ARC : 0);
      if (cost <= most && (!best || cost < best.cost)) best = { cost, box };
    }
    if (best) taken.push(best.box);
    return best?.box ?? null;
  });
}

/**
 * The possible corners of a name: on the side of its word away from the other end of the arc, on the other side or
 * between both ends, and ever higher; a corner beyond the edge is moved into the picture.
 * @param {Record<string, number>} name
 */
export function placesAt({ middle, end, bottom, beside, side, wide, high, width, rows }) {
  const inside = (x) => Math.min(Math.max(x, 0), width - wide);
  const at = (towards, far) => inside(towards > 0 ? middle + far : middle - far - wide);
  const columns = [
    { x: at(side, beside), more: 0 },
    { x: at(side, beside + AWAY), more: FARTHER },
    { x: at(-side, beside), more: OTHER },
    { x: at(-side, beside + AWAY), more: OTHER + FARTHER },
    { x: inside((middle + end - wide) / 2), more: BETWEEN, from: LOWEST },
  ];
  return Array.from({ length: rows }, (_, row) =>
    columns
      .filter(({ from = 0 }) => row >= from)
      .map(({ x, more }) => ({ x, y: bottom - high - row * (high + LINE), costs: row + more })),
  ).flat();
}

/**
 * The box of a text about the whole picture: at the right and above the words, as high as there is room.
 * bottom: the upper edge of the words.
 * @param {{ wide: number, high: number }} size
 * @param {number} bottom
 * @param {{ arcs: { d: string, wide: number }[], blocked: Record<string, number>[], width: number }} around
 */
export function atTheRight({ wide, high }, bottom, around) {
  const right = around.width - wide;
  const places = steps(bottom - high, high).flatMap((y, row) =>
    steps(right, Math.max(STEP, right / MOST)).map((away, at) => ({ x: right - away, y, costs: at / 3 + row / 2 })),
  );
  return laid([{ wide, high, places }], around)[0];
}

const steps = (to, step) => Array.from({ length: Math.floor(to / step) + 1 }, (_, at) => at * step);

// Points of a path that is one cubic curve.
export function along(d) {
  const [x0, y0, x1, y1, x2, y2, x3, y3] = d.match(/-?\d+(\.\d+)?(e-?\d+)?/g).map(Number);
  return Array.from({ length: POINTS + 1 }, (_, at) => {
    const [t, left] = [at / POINTS, 1 - at / POINTS];
    const [a, b, c, e] = [left ** 3, 3 * left * left * t, 3 * left * t * t, t ** 3];
    return { x: a * x0 + b * x1 + c * x2 + e * x3, y: a * y0 + b * y1 + c * y2 + e * y3 };
  });
}

const meet = (a, b) => a.x < b.x + b.wide && b.x < a.x + a.wide && a.y < b.y + b.high && b.y < a.y + a.high;

const isNear = ({ x, y, far }, box) =>
  x > box.x - far && x < box.x + box.wide + far && y > box.y - far && y < box.y + box.high + far;
