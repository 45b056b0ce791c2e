// Texts at columns: their names, the names of their lines, and the numbers for which there is room.

import { clip } from "./sentence_line.js";

// Pixels of type, of a number and of a name.
export const NUMBER = 12;
export const LABEL = 14;

// The names of the columns, if the sentence itself stands elsewhere.
export function slanted({ scene, options, line, large, sent, at }, tokens) {
  const bottom = at.y + line.slanted * 1.05;
  const written = apart(
    sent.columns.map(([, share]) => share ?? 0),
    line,
    large,
    sent.answer,
    LABEL + 2,
  );
  tokens.forEach((token, index) => {
    const { middle } = line.columns[index];
    const kind = index === sent.focus ? "att-slanted att-strong" : "att-slanted";
    if (!written.has(index)) return;
    scene.put(
      `slanted ${index}`,
      "text",
      { class: kind, "font-size": LABEL * large, transform: `translate(${middle + 4},${bottom - 4}) rotate(-60)` },
      options[index],
      clip(token),
    );
  });
  at.y = bottom;
}

// The name of a line: on its left, or above it if there is no room.
export function named({ scene, parent, line, large, at }, name, text, middle) {
  const here = line.isWide
    ? { x: line.left - 10 * large, y: middle, "text-anchor": "end" }
    : { x: 0, y: at.y + LABEL * large, "text-anchor": "start" };
  scene.put(`line ${name}`, "text", { class: "att-line-name", "font-size": LABEL * large, ...here }, parent, text);
  if (!line.isWide) at.y += (LABEL + 5) * large;
}

// The columns whose number is written: all if there is room, otherwise the one that is looked at and the largest.
export function apart(numbers, { columns }, large, looked, wide = 30) {
  const room = wide * large;
  if (columns.every(({ width }) => width >= room)) return new Set(numbers.keys());
  const written = new Set();
  const order = [...numbers.keys()].sort(
    (a, b) => Number(b === looked) - Number(a === looked) || Math.abs(numbers[b]) - Math.abs(numbers[a]),
  );
  for (const index of order) {
    const { middle } = columns[index];
    if (![...written].some((one) => Math.abs(columns[one].middle - middle) < room)) written.add(index);
  }
  return written;
}
