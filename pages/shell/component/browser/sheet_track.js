// How the share of the pairs goes with n, on a line on which each step doubles n, below the slider of n: where the text stands
// and, once it has come there, where it is half.

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
  const last = sheet.over.length - 1;
  const line = sheet.over.map((share, at) => `${BESIDE + (at * way) / last},${foot - share * high}`).join("L");
  scene.put("track", "rect", { class: "att-track", x: BESIDE, y: top, width: way, height: high });
  scene.put("over", "path", { class: "att-over", d: `M${BESIDE},${foot}L${line}V${foot}Z` });
  scene.put("half", "path", { class: "att-halfway", d: `M${BESIDE},${foot - high / 2}h${way}` });
  const inside = { x: BESIDE + 0.6 * type, "font-size": 0.87 * type };
  text("over n", labels.over_n, { ...inside, y: foot - high / 2 - 0.45 * type });
  text("halfway", labels.halfway, { ...inside, y: foot - high / 2 + 1.15 * type });
  const ends = { y: foot + 1.3 * type };
  const [first, most] = labels.ends;
  text("first", first, { x: 0, ...ends });
  text("last", most, { x: width, "text-anchor": "end", ...ends });
  const here = BESIDE + sheet.at * way;
  scene.put("here", "path", { class: "att-here", d: `M${here},0V${foot + 3}` });
  if (sheet.meets !== null) {
    const at = BESIDE + sheet.meets * way;
    const room = widthOf(labels.meeting, type, font, 700) / 2;
    const beside = [first, most].map((end) => widthOf(end, type, font) + type);
    const x = Math.min(Math.max(at, room + beside[0]), width - room - beside[1]);
    scene.put("meets", "circle", { class: "att-meets", cx: at, cy: foot - high / 2, r: 5 * large });
    scene.put("meets line", "path", { class: "att-halfway", d: `M${at},${foot - high / 2}V${foot + 4}` });
    text("meeting", labels.meeting, { class: "att-called", x, "text-anchor": "middle", ...ends });
  }
  return foot + 2.6 * type;
}
