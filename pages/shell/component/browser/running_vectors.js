// The output below the sum, in the same five steps: one cell with its number for each feature.

import { ink, mixed } from "./colour.js";
import { decoded } from "./pixels.js";

// The height of a cell in type; the smallest type of a number, as a share of small type.
const [HIGH, LEAST] = [1.45, 0.8];

// Returns the lower end.
export function vectors(draws, { lefts, middles, wide, size, signs, x, y, small }, corrections) {
  const { scene, type, sent, colours, measure } = draws;
  const { cells, features } = sent.labels.chain;
  const { is_last, corrects, output } = sent.running.followed;
  const shades = decoded(output);
  const high = HIGH * type;
  const write = (name, text, attributes) => scene.put(name, "text", attributes, undefined, text);
  features.forEach((name, at) =>
    write(`feature ${at}`, name, { x, y: y + (at + 0.5) * high + 0.35 * small, "font-size": small }),
  );
  const longest = Math.max(...cells.flat().map((said) => measure(said, small)));
  const shrunk = Math.min(1, (wide - 3) / longest);
  const ends = cells.map((numbers, column) => {
    numbers.forEach((said, at) => {
      const rgb = mixed(colours.signed, shades[column * features.length + at] / 254);
      const box = { x: lefts[column], y: y + at * high, width: wide, height: high };
      const fill = `rgb(${rgb.map(Math.round)})`;
      const shapes = [scene.put(`cell ${column} ${at}`, "rect", { class: "att-cell", ...box, fill })];
      if (shrunk >= LEAST) {
        const middle = { x: box.x + wide / 2, y: box.y + high / 2 + 0.35 * small, "text-anchor": "middle" };
        const look = { "font-size": shrunk * small, style: `fill: ${ink(rgb)}` };
        shapes.push(write(`cell ${column} number ${at}`, said, { ...middle, ...look }));
      }
      if (column > 1) shapes.forEach((shape) => corrections.add(shape, { opacity: 0 }, { opacity: 1 }, true));
    });
    return numbers.length;
  });
  if (is_last && ends[4]) {
    const done = { x: lefts[4], y, width: wide, height: ends[4] * high };
    scene.put("output done", "rect", { class: "att-row-frame", ...done });
  }
  signs.forEach((said, at) => {
    const kind = (at === 0 && corrects) || (at === 3 && is_last) ? "att-read" : null;
    const middle = y + (features.length / 2) * high + 0.35 * size;
    write(`output sign ${at}`, said, {
      x: middles[at],
      y: middle,
      "text-anchor": "middle",
      "font-size": size,
      class: kind,
    });
  });
  const end = y + features.length * high;
  if (!is_last) return end + 1.4 * small;
  const place = { x: lefts[4] + wide / 2, y: end + 1.1 * small, "text-anchor": "middle", "font-size": small };
  write("output name", sent.labels.output, { ...place, class: "att-read" });
  return end + 1.4 * small;
}
