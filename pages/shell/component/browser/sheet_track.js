// How the share of the pairs goes with n, on a line on which each step doubles n: where the text stands, and where it is half.

import { broken, widthOf } from "./text.js";

// Pixels of a share of 1.
const HIGH = 54;

// y: where it begins. Returned is where it ends.
export function track(scene, { labels, sheet }, { y, width, type, large, font }) {
  const text = (name, said, attributes) => scene.put(name, "text", attributes, scene.root, said);
  const said = broken(labels.over_n, width, type, font);
  said.forEach((part, at) => text(`over n ${at}`, part, { x: 0, y: y + (1.2 + 1.3 * at) * type }));
  const top = y + (0.7 + 1.3 * said.length) * type;
  const high = HIGH * large;
  const foot = top + high;
  const last = sheet.over.length - 1;
  const line = sheet.over.map((share, at) => `${(at * width) / last},${foot - share * high}`).join("L");
  scene.put("track", "rect", { class: "att-track", x: 0, y: top, width, height: high });
  scene.put("over", "path", { class: "att-over", d: `M0,${foot}L${line}V${foot}Z` });
  scene.put("half", "path", { class: "att-halfway", d: `M0,${foot - high / 2}H${width}` });
  const ends = { y: foot + 1.3 * type };
  const [first, most] = labels.ends;
  text("first", first, { x: 0, ...ends });
  text("last", most, { x: width, "text-anchor": "end", ...ends });
  const here = Math.min(Math.max(sheet.at * width, 1.5), width - 1.5);
  scene.put("here", "path", { class: "att-here", d: `M${here},${top - 3}V${foot + 3}` });
  if (sheet.meets === null) return foot + 1.8 * type;
  const at = sheet.meets * width;
  const room = widthOf(labels.meeting, type, font, 700) / 2;
  const beside = [first, most].map((end) => widthOf(end, type, font) + type);
  const x = Math.min(Math.max(at, room + beside[0]), width - room - beside[1]);
  scene.put("meets", "circle", { class: "att-meets", cx: at, cy: foot - high / 2, r: 5 * large });
  scene.put("meets line", "path", { class: "att-halfway", d: `M${at},${foot - high / 2}V${foot + 4}` });
  text("meeting", labels.meeting, { class: "att-called", x, "text-anchor": "middle", ...ends });
  return foot + 1.8 * type;
}
