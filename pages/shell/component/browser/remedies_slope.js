// The gradient that is left of a row, as a bar whose frame ends where a slope of softmax can be no larger.

import { widthOf } from "./text.js";

// Pixels of the widest frame.
const WIDEST = 120;

// draws: scene, sent, write and layout, of a picture of remedies; y: where its words stand.
export function slope({ scene, sent: { labels, remedies }, write, layout }, line, x, y) {
  const { type, font, large, wide, isSplit } = layout;
  const small = (isSplit ? 0.85 : 1) * type;
  write(`slope said ${line}`, labels.slope, { x, y, "font-size": small });
  const from = x + widthOf(labels.slope, small, font) + 0.5 * type;
  const number = widthOf(labels.slopes[line], small, font, 700);
  const width = Math.min(x + wide - number - 0.5 * type - from, WIDEST * large);
  const box = { x: from, y: y - 0.7 * small, height: 0.7 * small };
  scene.put(`slope ${line}`, "rect", { class: "att-slope", ...box, width: remedies.slopes[line] * width });
  scene.put(`slope room ${line}`, "rect", { class: "att-room", ...box, width });
  write(`slope number ${line}`, labels.slopes[line], {
    x: from + width + 0.5 * type,
    y,
    "font-size": small,
    "font-weight": 700,
  });
}
