// The query as an arrow that is as long as it is, beside how long it was when the layer was trained.

import { widthOf } from "./text.js";

// Pixels: type; the tip of an arrow, which a shorter one has less of; the arrow from end to end of its place, at most.
const [NUMBER, TIP, LONGEST] = [12, 10, 900];

export const HIGH_OF_QUERY = 2.4;

// draws: scene, sent, write and layout, of a picture of remedies. Returns where it ends.
export function query({ scene, sent: { labels, remedies }, write, layout }, width) {
  const { type, font, large, isNarrow } = layout;
  const { factors, at } = remedies;
  const y = 0.7 * type;
  write("query", labels.query, { x: 0, y: y + 0.35 * type });
  const from = widthOf(labels.query, type, font) + 0.7 * type;
  const room = Math.min(width - from - (isNarrow ? 0 : 3 * type), LONGEST * large);
  const of = (factor) => from + (factor / factors.at(-1)) * room;
  const small = NUMBER * large;
  const trained = of(1);
  scene.put("trained", "line", { class: "att-untamed", x1: trained, x2: trained, y1: 0, y2: y + 0.6 * type });
  write("trained said", labels.trained, { x: trained + 3, y: y + 1.4 * type, "font-size": small, class: "att-why" });
  const end = of(factors[at]);
  const tip = Math.min(TIP * large, end - from);
  const half = 0.45 * tip;
  scene.put("query line", "rect", { class: "att-query", x: from, y: y - 1.5, width: end - from - tip, height: 3 });
  const d = `M${end},${y}L${end - tip},${y - half}V${y + half}Z`;
  scene.put("query tip", "path", { class: "att-query", d });
  return HIGH_OF_QUERY * type;
}
