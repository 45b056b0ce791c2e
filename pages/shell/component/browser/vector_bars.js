// The weight of each word with the steps that lead to it, beside the plane of vectors or below it.

import { put } from "./plane.js";

// Pixels: the width of all, with the steps before the weights and without them; of names, of numbers, of a step; the
// highest line, a bar, type, type of a name; the room above and below the lines.
const [STEPS, BARS, NAMES, NUMBERS, STEP, LINE, BAR, TYPE, NAME] = [508, 380, 64, 56, 98, 72, 24, 16, 14];
const [HEAD, FOOT] = [42, 64];
// The height of a line of a heading.
const ROW = 18;
// The largest scale, if there is room for it.
const LARGER = 1.25;
// Below the plane: a line, its bar, the heading, the room of a number; as shares of the width, the ends of the steps
// and the start of the bars.
const BELOW = { line: 24, bar: 14, head: 42, number: 44, ends: [0.36, 0.62], start: 0.65 };

// The height of the numbers of some words below the plane, in type of the usual size.
export const roomBelow = (words) => BELOW.head + (words + 1.2) * BELOW.line;

// The width of the bars beside the plane; 0 if there is no room.
export const roomBeside = (left, large) =>
  [LARGER * STEPS, STEPS, BARS].map((room) => room * large).find((room) => left >= room) ?? 0;

// One line for each word, from its score to its weight, with the weight as a bar.
export function below(back, words, labels, { top, width }, large) {
  const ends = BELOW.ends.map((share) => share * width);
  const start = BELOW.start * width;
  const room = width - start - BELOW.number * large;
  const lines = top + BELOW.head * large;
  const write = writer(back, NAME * large);
  heading(write, labels, { names: [0, "start"], ends, start, y: lines - ROW * large, row: ROW * large });
  words.forEach((word, at) => {
    const y = lines + (at + 0.8) * BELOW.line * large;
    write(0, y, "start", word.token, { class: "att-bar-name", fill: word.colour });
    ends.forEach((end, step) => write(end, y, "end", word.steps[step], { class: "att-step" }));
    const high = BELOW.bar * large;
    const far = bar(back, word, { x: start, y: y - 0.35 * NAME * large - high / 2, high, room });
    write(far + 4, y, "start", word.written, { class: "att-step" });
  });
  const foot = lines + (words.length + 0.8) * BELOW.line * large;
  write(ends.at(-1), foot, "end", labels.total, { class: "att-step-name" });
  write(start, foot, "start", labels.softmax, { class: "att-step-name" });
}

// One bar for each word, as long as its weight, in the colour of the word; the height of the plane sets the distance of
// the lines.
export function beside(back, words, labels, { left, width, height }, large) {
  // The right ends of the steps: the numbers of a step stand below each other.
  const isWhole = width - left >= STEPS * large;
  const zoom = isWhole ? (width - left) / STEPS : large;
  const right = width - NUMBERS * zoom;
  const [type, foot] = [TYPE * zoom, (isWhole ? FOOT : 0) * zoom];
  const line = Math.min(LINE * zoom, (height - HEAD * zoom - foot) / words.length);
  const before = isWhole ? labels.named.slice(0, -1) : [];
  const ends = before.map((_, step) => left + (16 + NAMES + (step + 1) * STEP) * zoom);
  const start = isWhole ? ends.at(-1) + 24 * zoom : left + (18 + NAMES) * zoom;
  const room = right - start;
  const top = (height + HEAD * zoom - foot - line * words.length) / 2;
  const names = left + (8 + NAMES) * zoom;
  if (isWhole) {
    const write = writer(back, NAME * zoom);
    const end = top + line * words.length;
    heading(write, labels, { names: [names, "end"], ends, start, y: top - (4 + ROW) * zoom, row: ROW * zoom });
    write(ends.at(-1), end + 14 * zoom, "end", labels.total, { class: "att-step-name" });
    write(start, end + 14 * zoom, "start", labels.softmax, { class: "att-step-name" });
  }
  const write = writer(back, type);
  words.forEach((word, at) => {
    const middle = top + (at + 0.5) * line;
    const y = middle + 0.35 * type;
    write(names, y, "end", word.token, { class: "att-bar-name", fill: word.colour });
    ends.forEach((end, step) => write(end, y, "end", word.steps[step], { class: "att-step" }));
    const far = bar(back, word, { x: start, y: middle - (BAR * zoom) / 2, high: BAR * zoom, room });
    write(far + 6 * zoom, y, "start", word.written, { class: "att-bar-name", fill: "currentColor" });
  });
}

const writer = (back, size) => (x, y, anchor, said, look) => {
  put(back, "text", { x, y, "text-anchor": anchor, "font-size": size, ...look }).textContent = said;
};

// Two lines: the name of a step, and how it is computed. names: where the words end or begin.
function heading(write, { named, key_of: keyOf }, { names: [x, anchor], ends, start, y, row }) {
  write(x, y + row, anchor, keyOf, { class: "att-step-name" });
  named.forEach(([what, how], step) => {
    const place = step < ends.length ? [ends[step], "end"] : [start, "start"];
    [what, how].forEach((said, line) =>
      write(place[0], y + line * row, place[1], said, { class: line ? "att-step-name" : "att-step-name att-strong" }),
    );
  });
}

// Draw a bar, and dashed that of a query twice as long. Returns the end of both.
function bar(back, { weight, twice, colour }, { x, y, high, room }) {
  const long = (share) => Math.max(share * room, 1);
  const box = { x, y, height: high };
  put(back, "rect", { class: "att-share-bar", ...box, width: long(weight), fill: colour });
  if (twice !== null) put(back, "rect", { class: "att-twice", ...box, width: long(twice), stroke: colour });
  return x + Math.max(weight, twice ?? 0) * room;
}
