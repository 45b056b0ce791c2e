// How the share of the pairs goes with n, on a line on which each step doubles n, below the slider of n: drawn as far as the
// text, so that who drags it finds out; and where it is half, of this layer once the text has come there, or of several.

import { widthOf } from "./text.js";

// Pixels of a share of 1; what a slider leaves beside the way of its thumb.
const [HIGH, BESIDE] = [54, 6];

// Returned is where it ends.
export function track(scene, { labels, sheet }, { width, type, large, font }) {
  const text = (name, said, attributes) => scene.put(name, "text", attributes, scene.root, said);
  const top = 0.5 * type;
  const high = HIGH * large;
  const foot = top + high;
  const way = width - 2 * BESIDE;
  const here = BESIDE + sheet.at * way;
  const line = (over, end = 1) => {
    const last = over.length - 1;
    const shown = (at) => Math.min(at, Math.round(end * last));
    return over.map((_, at) => `${BESIDE + (shown(at) * way) / last},${foot - over[shown(at)] * high}`).join("L");
  };
  const box = { x: BESIDE, y: top, height: high };
  scene.put("to come", "rect", { class: "att-room", ...box, width: way });
  scene.put("track", "rect", { class: "att-track", ...box, width: sheet.at * way });
  scene.put("over", "path", { class: "att-over", d: `M${BESIDE},${foot}L${line(sheet.over, sheet.at)}V${foot}Z` });
  scene.put("half", "path", { class: "att-halfway", d: `M${BESIDE},${foot - high / 2}h${way}` });
  const inside = { x: BESIDE + 0.6 * type, "font-size": 0.87 * type };
  text("over n", labels.over_n, { ...inside, y: foot - high / 2 - 0.45 * type });
  text("halfway", labels.halfway, { ...inside, y: foot - high / 2 + 1.15 * type });
  const [first, most] = labels.ends;
  text("first", first, { x: 0, y: foot + 1.3 * type });
  text("last", most, { x: width, "text-anchor": "end", y: foot + 1.3 * type });
  const beside = [first, most].map((end) => widthOf(end, type, font) + type);
  // In each line of words, where the last one ends.
  const lines = [beside[0]];
  sheet.meetings.forEach(({ at, text: said, over }, index) => {
    const x = BESIDE + at * way;
    const half = widthOf(said, type, font, 700) / 2;
    // In the first line both ends of the way have their words.
    const within = (row) => Math.min(Math.max(x, half + (row ? 0 : beside[0])), width - half - (row ? 0 : beside[1]));
    const free = lines.findIndex((end, row) => within(row) - half >= end);
    const row = free < 0 ? lines.length : free;
    const middle = within(row);
    lines[row] = middle + half + type;
    if (over.length) scene.put(`line ${index}`, "path", { class: "att-other", d: `M${line(over)}` });
    scene.put(`meets ${index}`, "circle", { class: "att-meets", cx: x, cy: foot - high / 2, r: 5 * large });
    const d = `M${x},${foot - high / 2}V${foot + 4}`;
    scene.put(`meets line ${index}`, "path", { class: "att-halfway", d });
    const y = foot + 1.3 * (row + 1) * type;
    text(`meeting ${index}`, said, { class: "att-called", x: middle, "text-anchor": "middle", y });
  });
  scene.put("here", "path", { class: "att-here", d: `M${here},0V${foot + 3}` });
  return foot + (1.3 + 1.3 * lines.length) * type;
}
