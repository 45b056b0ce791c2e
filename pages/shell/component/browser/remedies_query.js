// The query as an arrow that is as long as it is, beside how long it was when the layer was trained.

import { widthOf } from "./text.js";

// Pixels: type; the tip of an arrow, which a shorter one has less of; the arrow from end to end of its place, at most.
const [NUMBER, TIP, LONGEST] = [12, 10, 900];

// Where there is little room, its mark is that of the lines above, which has the word.
export const highOfQuery = ({ type, isNarrow }) => (isNarrow ? 1.6 : 2.4) * type;

// draws: scene, sent, write and layout, of a picture of remedies.
export function query({ scene, sent: { labels, remedies }, write, layout }, width) {
  const { type, font, large, isNarrow } = layout;
  const [long, longest] = remedies.query;
  const y = 0.7 * type;
  write("query", labels.query, { x: 0, y: y + 0.35 * type });
  const from = widthOf(labels.query, type, font) + 0.7 * type;
  const room = Math.min(width - from - (isNarrow ? 0 : 3 * type), LONGEST * large);
  const of = (factor) => from + (factor / longest) * room;
  const small = NUMBER * large;
  const trained = of(1);
  scene.put("trained", "line", { class: "att-trained", x1: trained, x2: trained, y1: 0, y2: y + 0.6 * type });
  const said = { x: trained + 3, y: y + 1.4 * type, "font-size": small, class: "att-why" };
  if (!isNarrow) write("trained said", labels.trained, said);
  const end = of(long);
  const tip = Math.min(TIP * large, end - from);
  const half = 0.45 * tip;
  scene.put("query line", "rect", { class: "att-query", x: from, y: y - 1.5, width: end - from - tip, height: 3 });
  const d = `M${end},${y}L${end - tip},${y - half}V${y + half}Z`;
  scene.put("query tip", "path", { class: "att-query", d });
}
