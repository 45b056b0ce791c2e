// The content of heads: the colours of keys from negative to positive, and the meaning of a column; without names
// beside the rows, the content of query heads as well.

import { broken, widthOf } from "./text.js";

// Shares of the type: its own size, a line; a part, the height and the end numbers of the strip of colours.
const [SIZE, LINE, PART, HIGH, NEAR] = [0.85, 1.4, 0.7, 0.8, 0.5];

// top: the upper end. Returns the lower end.
export function legend(scene, { labels }, { left, top, width, type: whole, colours, font, isWide }) {
  const type = SIZE * whole;
  let y = top + type;
  const said = (name, x, text) =>
    scene.put(
      `legend ${name}`,
      "text",
      { class: "att-line", "aria-hidden": "true", "font-size": type, x, y },
      scene.root,
      text,
    );
  const lines = (name, text, x) =>
    broken(text, width - x, type, font).forEach((line, at) => {
      said(`${name} ${at}`, x, line);
      y += LINE * type;
    });
  if (!isWide) {
    lines("query", labels.legend, left);
    lines("key", labels.key_legend, left);
  }
  const strip = left + widthOf(labels.below, type, font) + NEAR * type;
  said("below", left, labels.below);
  colours.signed.forEach((fill, at) => {
    const place = { x: strip + at * PART * type, y: y - HIGH * type, width: PART * type, height: HIGH * type };
    scene.put(`legend colour ${at}`, "rect", { class: "att-legend-colour", fill, ...place });
  });
  const ended = strip + colours.signed.length * PART * type + NEAR * type;
  said("above", ended, labels.above);
  if (!isWide) return y + 0.4 * type;
  lines("key", labels.key_legend, ended + widthOf(labels.above, type, font) + 2 * type);
  return y - (LINE - 0.4) * type;
}
