// Beside the vectors in the plane, or below them: what the weight of each word is made of, and how large it is.

import { put } from "./plane.js";

// Pixels: the room of all, with the steps before the weights and without them; of the names, of the numbers, of a step;
// the highest line, a bar, type, that of a name; what stands above and below the lines.
const [STEPS, BARS, NAMES, NUMBERS, STEP, LINE, BAR, TYPE, NAME] = [508, 380, 64, 56, 98, 72, 24, 16, 14];
const [HEAD, FOOT] = [24, 64];
// How much larger all of it is where there is room for that.
const LARGER = 1.25;
// A line of numbers below the plane.
const BELOW = 24;

// The height of the numbers of some words below the plane, in type of the usual size.
export const roomBelow = (words) => (words + 3.8) * BELOW;

// The width that bars take of what is left; 0 where they have no room.
export const roomBeside = (left, large) =>
  [LARGER * STEPS, STEPS, BARS].map((room) => room * large).find((room) => left >= room) ?? 0;

// A line a word, from its score to its weight.
export function below(back, words, { named, total, softmax }, { top, width }, large) {
  const ends = named.map((_, step) => (width * (step + 1.9)) / (named.length + 1));
  const write = (x, line, anchor, said, look) => {
    const place = { x, y: top + (line + 0.8) * BELOW * large, "text-anchor": anchor, "font-size": NAME * large };
    put(back, "text", { ...place, ...look }).textContent = said;
  };
  named.forEach((said, step) => write(ends[step], 0, "end", said, { class: "att-step-name" }));
  words.forEach(({ token, colour, steps, written }, at) => {
    write(0, at + 1, "start", token, { class: "att-bar-name", fill: colour });
    [...steps.slice(0, named.length - 1), written].forEach((said, step) =>
      write(ends[step], at + 1, "end", said, { class: "att-step" }),
    );
  });
  write(ends.at(-2), words.length + 1, "end", total, { class: "att-step-name" });
  write(width, words.length + 2.2, "end", softmax, { class: "att-step-name" });
}

// A bar a word, as long as its weight, in the colour of the word; the lines are as far apart as the height of the plane allows.
export function beside(back, words, { named, total, softmax }, { left, width, height }, large) {
  // Where a step ends: its numbers stand below each other.
  const isWhole = width - left >= STEPS * large;
  const zoom = isWhole ? (width - left) / STEPS : large;
  const right = width - NUMBERS * zoom;
  const [type, foot] = [TYPE * zoom, (isWhole ? FOOT : 0) * zoom];
  const line = Math.min(LINE * zoom, (height - HEAD * zoom - foot) / words.length);
  const before = isWhole ? named.slice(0, -1) : [];
  const ends = before.map((_, step) => left + (16 + NAMES + (step + 1) * STEP) * zoom);
  const start = isWhole ? ends.at(-1) + 24 * zoom : left + (18 + NAMES) * zoom;
  const room = right - start;
  const top = (height + HEAD * zoom - foot - line * words.length) / 2;
  const write = (x, y, anchor, said, kind) => {
    const place = { class: kind, x, y, "text-anchor": anchor, "font-size": NAME * zoom };
    put(back, "text", place).textContent = said;
  };
  before.forEach((said, step) => write(ends[step], top - 4 * zoom, "end", said, "att-step-name"));
  if (isWhole) {
    const end = top + line * words.length;
    write(start, top - 4 * zoom, "start", named.at(-1), "att-step-name");
    write(ends.at(-1), end + 14 * zoom, "end", total, "att-step-name");
    write(left + (8 + NAMES) * zoom, end + 48 * zoom, "start", softmax, "att-step-name");
  }
  words.forEach(({ token, colour, steps, weight, twice, written }, at) => {
    const middle = top + (at + 0.5) * line;
    const text = (x, anchor, said, fill) => {
      const place = { class: "att-bar-name", x, y: middle + 0.35 * type, "text-anchor": anchor, "font-size": type };
      put(back, "text", { ...place, fill }).textContent = said;
    };
    text(left + (8 + NAMES) * zoom, "end", token, colour);
    ends.forEach((end, step) => write(end, middle + 0.35 * type, "end", steps[step], "att-step"));
    const box = { x: start, y: middle - (BAR * zoom) / 2, height: BAR * zoom };
    put(back, "rect", { class: "att-share-bar", ...box, width: Math.max(weight * room, 1), fill: colour });
    if (twice !== null)
      put(back, "rect", { class: "att-twice", ...box, width: Math.max(twice * room, 1), stroke: colour });
    text(start + Math.max(weight, twice ?? 0) * room + 6 * zoom, "start", written, "currentColor");
  });
}
