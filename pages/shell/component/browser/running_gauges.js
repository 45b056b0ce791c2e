// The three numbers that are kept of a row, as bars, each under its name. Dashed is what was there before the tile, grey what is
// left of it, dark what the tile brings, and a line where both come to: sum and output shrink by the same factor. The bars of
// the sum say so themselves.

import { isOnWall } from "./tall.js";

// The height of bars, in type; the widest pair of bars; shares of the width that the largest score, the sum and the output
// have; the smallest type of a number.
const [HIGH, PAIR, SHARES, SMALL] = [6, 4, [0.1, 0.45, 0.45], 0.78];

// Returns where they end.
export function gauges(draws, { x, y, width }, corrections) {
  const { scene, type, sent, measure, isNarrow } = draws;
  const names = [
    ["largest", sent.labels.largest],
    ["total", sent.labels.total],
    ["output", sent.labels.output_kept],
  ];
  const { corrects, row } = sent.running.followed;
  const shrinks = corrects ? sent.labels.factors[row] : "";
  const high = HIGH * type * (isNarrow || isOnWall() ? 1 : 1.75);
  // A name has its room on a phone, too.
  const least = names.map(([, said]) => measure(said, type, 700) + type);
  const spare = Math.max(width - least.reduce((sum, one) => sum + one, 0), 0);
  let left = x;
  names.forEach(([name, said], at) => {
    const wide = least[at] + SHARES[at] * spare;
    scene.put(`gauge ${name} name`, "text", { x: left, y: y + type, class: "att-read" }, undefined, said);
    const from = measure(said, type, 700) + 0.4 * type;
    if (shrinks && at && from + measure(shrinks) < wide - 0.5 * type)
      scene.put(`gauge ${name} factor`, "text", { x: left + from, y: y + type }, undefined, shrinks);
    bars(draws, name, { x: left, y: y + 1.8 * type, width: wide - type, high }, corrections);
    left += wide;
  });
  return y + 3.2 * type + high;
}

function bars(draws, name, { x, y, width, high }, corrections) {
  const { scene, type, sent, measure, isNarrow } = draws;
  const { zero, bars } = sent.running.followed.gauges[name];
  const said = sent.labels.gauged[name];
  const one = width / bars.length;
  // Narrower on a phone, where what the bars of the sum are stands beside them, too.
  const pair = Math.min(0.86 * one, (isNarrow ? 0.65 : 1) * PAIR * type);
  // Both ends of a bar as a box, from above.
  const boxOf = (from, to) => ({ y: y + (1 - Math.max(from, to)) * high, height: Math.abs(to - from) * high });
  const pixels = ({ y, height }) => ({ y: `${y}px`, height: `${height}px` });
  bars.forEach(([before, left, after], at) => {
    const start = bars.length > 1 ? x + (at + 0.5) * one - pair / 2 : x;
    const half = { x: start, width: pair / 2 };
    if (before !== left) {
      scene.put(`${name} before ${at}`, "rect", { class: "att-was", ...half, ...boxOf(zero, before) });
    }
    const old = scene.put(`${name} old ${at}`, "rect", { class: "att-sum-old", ...half, ...boxOf(zero, left) });
    const joins = { ...half, x: start + pair / 2 };
    const added = scene.put(`${name} added ${at}`, "rect", { class: "att-brought", ...joins, ...boxOf(left, after) });
    const level = y + (1 - after) * high;
    scene.put(`${name} now ${at}`, "path", { class: "att-now", d: `M${start},${level}h${pair}` });
    corrections.add(old, pixels(boxOf(zero, before)), pixels(boxOf(zero, left)));
    corrections.add(added, pixels(boxOf(left, left)), pixels(boxOf(left, after)), true);
  });
  if (name === "total") {
    const [before, left, after] = bars[0];
    // The height of each: of what was before its end, of what is there its middle.
    const heights = [before, (zero + left) / 2, (left + after) / 2].map((share) => y + (1 - share) * high);
    told(draws, heights, { x: x + pair + 0.4 * type, end: x + width + type, bottom: y + high });
  }
  scene.put(`${name} zero`, "path", { class: "att-zero", d: `M${x},${y + (1 - zero) * high}h${width}` });
  const longest = Math.max(...said.map((text) => measure(text)));
  const size = bars.length > 1 ? Math.min(1, (one - 2) / longest) * type : type;
  if (size < SMALL * type) return;
  said.forEach((text, at) => {
    const place = bars.length > 1 ? { x: x + (at + 0.5) * one, "text-anchor": "middle" } : { x };
    const number = { ...place, y: y + high + 1.2 * type, "font-size": size };
    scene.put(
      `${name} number ${at}`,
      "text",
      { ...number, class: bars.length > 1 ? null : "att-read" },
      undefined,
      text,
    );
  });
}

// What each bar of the sum is, beside it: one below the other, as near to the height of its bar as there is room.
function told({ scene, type, sent, measure }, heights, { x, end, bottom }) {
  const size = isOnWall() ? type : 0.86 * type;
  const line = 1.15 * size;
  const found = sent.labels.parts
    .map((said, at) => ({ said, at, y: heights[at] + 0.35 * size }))
    .filter(({ said }) => said && x + measure(said, size) <= end)
    .sort((one, other) => one.y - other.y);
  let lowest = bottom - 0.3 * size;
  for (const one of [...found].reverse()) {
    one.y = Math.min(one.y, lowest);
    lowest = one.y - line;
  }
  found.forEach(({ said, at, y }) =>
    scene.put(`total part ${at}`, "text", { x, y, "font-size": size, class: "att-small" }, undefined, said),
  );
}
