// The computation of a layer for a text, as areas that stand on one line and are as high as the text is long: the
// matrices that each token passes, of constant width, and the square of the pairs, as wide as it is high. All have one
// scale. Dashed lines show half of the text; one frame is around the room of the square, another around the picture of
// the scale before.

import { widthOf } from "./text.js";

// Pixels between two blocks, and to a factor beside one; the least side of a visible cell.
const [GAP, BESIDE, CELL] = [2, 6, 5];
// The parts of the frame with a written length, each the side of a later square.
const TICKS = [1 / 4, 1 / 2, 1];

// The width of everything but the square, at so many pixels a token.
export const besideSquare = (unit, { columns }) =>
  columns.slice(1).reduce((sum, one) => sum + one * unit, (columns.length - 1) * GAP);

// x: where the square begins, and the others end; ground: their common base line; unit: pixels of a token; shapes,
// words: the parents of each, because shapes move when the scale changes; id: of the scale; left, right: the ends of a
// lens; isMagnified: whether a lens has the words.
export function areas(scene, { labels, sheet }, place) {
  const { id, x, ground, unit, left, type, font, shapes, words, isMagnified } = place;
  const [high, isLens] = [unit * sheet.n, left !== undefined];
  // A shape of another scale is another element, so that it does not move there.
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
    // The frame of a lens is the square itself.
    sides(text, labels, { square, free, ground, frame: isLens ? high : frame, end, type, font, factor: times });
  }
  if (isLens) return;
  ticks(scene, text, labels, { x, frame, ground, type, font, words });
  if (!sheet.before) return;
  const edge = sheet.before * unit;
  shape("before", "att-before", first.x, x + edge - first.x, edge);
  // The text stands left of the lengths or, if it has no room there, below them.
  const size = 0.87 * type;
  const wide = widthOf(labels.before, size, font);
  const beside = Math.min(first.x, x + frame / 8 - wide);
  const [from, line] = beside < 0 ? [Math.min(first.x, place.width - wide - BESIDE), 2.6] : [beside, 1.3];
  scene.put("before line", "path", { class: "att-tick", d: `M${first.x},${ground}v${(line - 1) * type}` }, words);
  text("before said", labels.before, { class: "att-means", x: from, y: ground + line * type, "font-size": size });
}

// The part of a block inside a lens.
function inside(box, left = -Infinity) {
  const from = Math.max(box.x, left + BESIDE);
  return { ...box, x: from, width: Math.max(box.x + box.width - from, 0) };
}

// The longest text is named first, and the others if they have room before it.
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
    // The last name ends inside the picture.
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

// The name of a block above it. A longer name ends with its block; the first block's then has a line of its own, and
// begins with the block if there is room. Returns the end of a name just above the blocks, else -Infinity.
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

// The factor in the part of a block beyond half the text, in large type or else in the usual one, if it fits.
function factor(text, { x, y, width, height }, said, index, { type, font }) {
  const [wide, middle] = index ? [width, x + width / 2] : [width / 2, x + width / 4];
  const fits = (size) => widthOf(said, size, font, 700) + BESIDE <= wide && 1.1 * size <= height / 2;
  const size = [1.4 * type, type].find(fits);
  if (!size) return false;
  const place = { x: middle, y: y + height / 4 + 0.35 * size, "font-size": size, "text-anchor": "middle" };
  text(`times ${index}`, said, { class: `att-called att-on-${index}`, ...place });
  return true;
}

// The axes of the square: keys along the upper side, queries along the right one. Words without room there stand beside
// a small square, in two lines if the frame ends too early. free: the end of the names above the other blocks.
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
  // If not even two lines have room before the end, the words stand above the square.
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
