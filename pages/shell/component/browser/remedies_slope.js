// The remaining gradient of a row as a bar, in a frame that ends at the largest possible slope of softmax.

import { widthOf } from "./text.js";

// Pixels of the widest frame.
const WIDEST = 120;

// draws: scene, labels, slopes, write and layout of a figure of columns; y: the upper end.
export function slope({ scene, labels, slopes, write, layout }, at, x, y) {
  const { small, font, large, wide } = layout;
  const down = y + small;
  write(`slope said ${at}`, labels.slope, { x, y: down, "font-size": small });
  const from = x + widthOf(labels.slope, small, font) + 0.5 * small;
  const number = widthOf(labels.slopes[at], small, font, 700);
  const width = Math.min(x + wide - number - 0.5 * small - from, WIDEST * large);
  const box = { x: from, y: down - 0.7 * small, height: 0.7 * small };
  scene.put(`slope ${at}`, "rect", { class: "att-slope", ...box, width: slopes[at] * width });
  scene.put(`slope room ${at}`, "rect", { class: "att-room", ...box, width });
  const place = { x: from + width + 0.5 * small, y: down, "font-size": small, "font-weight": 700 };
  write(`slope number ${at}`, labels.slopes[at], place);
}
