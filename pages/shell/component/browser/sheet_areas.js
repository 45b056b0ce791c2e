// What a layer computes for a text, as areas that stand on one line and are as high as the text is long: the matrices that
// each token passes, always as wide, and the square of the pairs, as wide as it is high. All are true to one scale. Dashed,
// what half of the text takes; around the square a frame, in which it grows, and around the picture of the scale before one.

import { widthOf } from "./text.js";

// Pixels between two blocks, and to a factor beside one; those of a cell that is large enough to be seen.
const [GAP, BESIDE, CELL] = [2, 6, 5];
// The parts of the frame at which lengths stand, each of them the side of a square to come.
const TICKS = [1 / 4, 1 / 2, 1];

// How wide all but the square are, where a token is so many pixels.
export const besideSquare = (unit, { columns }) =>
  columns.slice(1).reduce((sum, one) => sum + one * unit, (columns.length - 1) * GAP);

// x: where the square begins, and the others end; ground: the line that all stand on; unit: pixels of a token; shapes,
// words: where each of both is put: shapes move when the scale changes. id: of the scale; left: of a lens, where it
// begins, and right, where it ends; isMagnified: whether a lens has the words.
export function areas(scene, { labels, sheet }, place) {
  const { id, x, ground, unit, left, type, font, shapes, words, isMagnified } = place;
  const [high, isLens] = [unit * sheet.n, left !== undefined];
  // Of another scale it is another shape, which does not travel.
  const put = (name, tag, attributes) => scene.put(`${name}, ${id}`, tag, attributes, shapes);
  const text = (name, said, attributes) => scene.put(`${name}, ${id}`, "text", attributes, words, said);
  const shape = (name, kind, from, width, height) => {
    const box = { x: from, y: ground - height, width, height };
    put(name, "rect", { class: kind, ...box });
    return box;
  };
  const frame = sheet.most * unit;
  if (!isLens) {
    shape("frame", "att-room", x, frame, frame);
    TICKS.forEach((part) => shape(`to come ${part}`, "att-to-come", x, part * frame, part * frame));
  }
  const boxes = [shape("block 0", kindOf(0), x, high, high)];
  if (high / sheet.n >= CELL) put("pairs", "path", { class: "att-cells", d: cells(boxes[0], sheet.n) });
  let start = x - GAP;
  for (let index = sheet.columns.length - 1; index; index--) {
    const width = sheet.columns[index] * unit;
    boxes[index] = shape(`block ${index}`, kindOf(index), start - width, width, high);
    start -= width + GAP;
  }
  const [square, first] = boxes;
  shape("half pairs", "att-half", x, high / 2, high / 2);
  shape("half rest", "att-half", first.x, x - GAP - first.x, high / 2);
  const areIn = boxes.map((box, index) =>
    factor(text, inside(box, left), labels.factors[index], index, { type, font }),
  );
  const ends = boxes.slice(1).map((box, at) => {
    const index = at + 1;
    const said = areIn[index] || isMagnified ? "" : ` ${labels.factors[index]}`;
    return called(text, inside(box, left), labels.names[index] + said, index, { type, font, x });
  });
  if (!isMagnified) {
    const end = isLens ? place.right : x + frame;
    const free = Math.max(x, ...ends.map((one) => one + BESIDE));
    const times = areIn[0] ? "" : labels.factors[0];
    sides(text, labels, { square, free, ground, frame, end, type, font, factor: times });
  }
  if (isLens) return;
  ticks(scene, text, labels, { x, frame, ground, type, font, words });
  if (!sheet.before) return;
  const edge = sheet.before * unit;
  shape("before", "att-before", first.x, x + edge - first.x, edge);
  // Left of the lengths, or below them where it has no room there.
  const size = 0.87 * type;
  const wide = widthOf(labels.before, size, font);
  const beside = Math.min(first.x, x + frame / 8 - wide);
  const [from, line] = beside < 0 ? [Math.min(first.x, place.width - wide - BESIDE), 2.6] : [beside, 1.3];
  scene.put("before line", "path", { class: "att-tick", d: `M${first.x},${ground}v${(line - 1) * type}` }, words);
  text("before said", labels.before, { class: "att-means", x: from, y: ground + line * type, "font-size": size });
}

// Of a block, what a lens has of it.
function inside(box, left = -Infinity) {
  const from = Math.max(box.x, left + BESIDE);
  return { ...box, x: from, width: Math.max(box.x + box.width - from, 0) };
}

// The longest text is named first, and the others where they have room before it.
function ticks(scene, text, labels, { x, frame, ground, type, font, words }) {
  const under = { y: ground + 1.3 * type, "font-size": 0.87 * type };
  let free = Infinity;
  [...TICKS.keys()].reverse().forEach((index) => {
    const part = TICKS[index];
    const at = x + part * frame;
    const wide = widthOf(labels.ticks[index], under["font-size"], font);
    const [from, to] = part === 1 ? [at - wide, at] : [at - wide / 2, at + wide / 2];
    if (to + BESIDE > free) return;
    free = from;
    scene.put(`tick line ${index}`, "path", { class: "att-tick", d: `M${at},${ground}v5` }, words);
    // The last one stays inside the picture.
    const [end, anchor] = part === 1 ? [at + BESIDE, "end"] : [at, "middle"];
    text(`tick ${index}`, labels.ticks[index], { class: "att-means", x: end, "text-anchor": anchor, ...under });
  });
}

// The lines between the cells of a square.
function cells({ x, y, width, height }, count) {
  const within = Array.from({ length: count - 1 }, (_, at) => (at + 1) / count);
  return within.map((part) => `M${x + part * width},${y}v${height}M${x},${y + part * height}h${width}`).join("");
}

const kindOf = (index) => `att-block att-part-${index}`;

// The name of a block above it: as far as its end, where it is longer. The first block of all has a line of its own then,
// and begins with it where there is room. Returned is where it ends, just above the blocks; nowhere where it is not there.
function called(text, { x, y, width }, name, index, { type, font, x: end }) {
  if (width < 1) return -Infinity;
  const size = 0.87 * type;
  const wide = widthOf(name, size, font);
  const fits = wide + BESIDE < width;
  const line = fits || index > 1 ? 0 : 1;
  const begins = fits || (line && x + wide < end);
  const place = begins ? { x, "text-anchor": "start" } : { x: Math.max(x + width, wide), "text-anchor": "end" };
  text(`called ${index}`, name, { ...place, y: y - (0.4 + 1.1 * line) * type, "font-size": size });
  return line ? -Infinity : begins ? x + wide : place.x;
}

// In what a block has beyond that of half the text, large or as large as other words, if there is room.
function factor(text, { x, y, width, height }, said, index, { type, font }) {
  const [wide, middle] = index ? [width, x + width / 2] : [width / 2, x + width / 4];
  const fits = (size) => widthOf(said, size, font, 700) + BESIDE <= wide && 1.1 * size <= height / 2;
  const size = [1.4 * type, type].find(fits);
  if (!size) return false;
  const place = { x: middle, y: y + height / 4 + 0.35 * size, "font-size": size, "text-anchor": "middle" };
  text(`times ${index}`, said, { class: `att-called att-on-${index}`, ...place });
  return true;
}

// Keys run along the upper side, queries up the right one. What a small square has no room for stands beside it, in two lines
// where the frame ends before it. free: where the names above the others end.
function sides(text, { across, down }, { square, free, ground, frame, end, type, font, factor }) {
  const [right, size] = [square.x + square.width, 0.87 * type];
  if (free + widthOf(across, size, font) < right && widthOf(down, size, font) < square.height) {
    text("across", across, { x: free, y: square.y - 0.4 * type, "font-size": size });
    const turned = `translate(${right + type} ${ground}) rotate(-90)`;
    text("down", down, { transform: turned, "font-size": size });
    return;
  }
  const beside = right + BESIDE;
  if (factor) text("times square", factor, { class: "att-called", x: beside, y: ground - 4 });
  const x = beside + (factor ? widthOf(factor, type, font, 700) + BESIDE : 0);
  const both = `${down} × ${across}`;
  // Above it, where not even two lines have room before the end.
  if (x + Math.max(...[across, down].map((one) => widthOf(`${one} ×`, size, font))) > end) {
    const y = Math.min(square.y - 1.5 * type, ground - frame - 0.4 * type);
    text("both", both, { x: end, y, "text-anchor": "end", "font-size": size });
    return;
  }
  const lines = x + widthOf(both, size, font) <= end ? [both] : [`${down} ×`, across];
  lines.forEach((line, index) => {
    const y = ground - 4 - (lines.length - 1 - index) * 1.2 * size;
    text(`both ${index}`, line, { x, y, "font-size": size });
  });
}
