// The query as an arrow of its length.

import { widthOf } from "./text.js";

// Pixels: the tip of an arrow, smaller for short ones; the longest arrow.
const [TIP, LONGEST] = [10, 900];

export const highOfQuery = ({ type }) => 1.6 * type;

// draws: scene, sent, write and layout of a picture of remedies.
export function query({ scene, sent: { labels, remedies }, write, layout }, width) {
  const { type, font, large, isNarrow } = layout;
  const [long, longest] = remedies.query;
  const y = 0.7 * type;
  write("query", labels.query, { x: 0, y: y + 0.35 * type });
  const from = widthOf(labels.query, type, font) + 0.7 * type;
  const room = Math.min(width - from - (isNarrow ? 0 : 3 * type), LONGEST * large);
  const end = from + (long / longest) * room;
  const tip = Math.min(TIP * large, end - from);
  const half = 0.45 * tip;
  scene.put("query line", "rect", { class: "att-query", x: from, y: y - 1.5, width: end - from - tip, height: 3 });
  const d = `M${end},${y}L${end - tip},${y - half}V${y + half}Z`;
  scene.put("query tip", "path", { class: "att-query", d });
}
