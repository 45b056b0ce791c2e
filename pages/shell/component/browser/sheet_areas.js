// What a layer computes for a text, as areas that stand on one line and are as high as the text is long: the matrices that
// each token passes, always as wide, and the square of the pairs, as wide as it is high. Dashed, what half of the text
// takes; around the square a frame, in which it grows.

import { widthOf } from "./text.js";

// Pixels between two blocks, and to a factor beside one; those of a cell that is large enough to be seen.
const [GAP, BESIDE, CELL] = [2, 6, 5];
// The parts of the frame at which lengths stand, each of them the side of a square to come.
const TICKS = [1 / 4, 1 / 2, 1];
// Of a block that is cut the part before its gap, and the teeth of that.
const [CUT, TEETH] = [0.8, 4];

// How wide all but the square are at most, for a frame of so many pixels.
export const besideSquare = (frame, { room, widths }) => frame * room + (widths.length - 1) * GAP;

// x: where the square begins, and the others end; ground: the line that all stand on; frame: pixels of its side; shapes,
// words: where each of both is put: shapes move when the scale changes.
export function areas(scene, { labels, sheet }, { x, ground, frame, type, font, shapes, words }) {
  const high = frame * sheet.side;
  // Of another scale it is another shape, which does not travel.
  const put = (name, tag, attributes) => scene.put(`${name}, ${sheet.most}`, tag, attributes, shapes);
  const text = (name, said, attributes) => scene.put(name, "text", attributes, words, said);
  const shape = (name, kind, left, width, height) => {
    const box = { x: left, y: ground - height, width: Math.max(width, 1), height: Math.max(height, 1) };
    put(name, "rect", { class: kind, ...box });
    return box;
  };
  shape("frame", "att-room", x, frame, frame);
  TICKS.forEach((part) => shape(`to come ${part}`, "att-to-come", x, part * frame, part * frame));
  const boxes = [shape("block 0", kindOf(0), x, high, high)];
  if (high / sheet.n >= CELL) put("pairs", "path", { class: "att-cells", d: cells(boxes[0], sheet.n) });
  let start = x - GAP;
  for (let index = sheet.widths.length - 1; index; index--) {
    const width = Math.max(sheet.drawn * sheet.widths[index] * frame, 1);
    const box = shape(`block ${index}`, kindOf(index), start - width, width, high);
    if (sheet.drawn < 1) put(`cut ${index}`, "path", { class: "att-cut", d: torn(box) });
    boxes[index] = box;
    start -= width + GAP;
  }
  const [square, first] = boxes;
  shape("half pairs", "att-half", x, high / 2, high / 2);
  shape("half rest", "att-half", first.x, x - GAP - first.x, high / 2);
  const areIn = boxes.map((box, index) => factor(text, box, labels.factors[index], index, { type, font }));
  // Those of the others are one: what has no room in any of them stands beside all.
  if (!areIn.includes(true, 1)) {
    const place = { x: first.x - BESIDE, y: ground - Math.max(high / 2 - 0.35 * type, 0), "text-anchor": "end" };
    text("times rest", labels.factors[1], { class: "att-called", ...place });
  }
  boxes.slice(1).forEach((box, index) => called(text, box, labels.names[index + 1], index + 1, { type, font }));
  sides(text, labels, { square, ground, end: x + frame, type, font, factor: areIn[0] ? "" : labels.factors[0] });
  const under = { y: ground + 1.3 * type, "font-size": 0.87 * type };
  text("cut", labels.cut, { x: x - GAP, "text-anchor": "end", ...under });
  // The longest text is named first, and the others where they have room before it.
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
  const inside = Array.from({ length: count - 1 }, (_, at) => (at + 1) / count);
  return inside.map((part) => `M${x + part * width},${y}v${height}M${x},${y + part * height}h${width}`).join("");
}

const kindOf = (index) => `att-block att-part-${index}`;

// A gap with teeth through a block, of which only a part is drawn.
function torn({ x, y, width, height }) {
  const [middle, tooth] = [x + CUT * width, height / TEETH];
  const turns = Array.from({ length: TEETH }, (_, at) => `l${at % 2 ? -BESIDE : BESIDE},${tooth}`);
  return `M${middle},${y}${turns.join("")}`;
}

// The name of a block above it, if there is room.
function called(text, { x, y, width }, name, index, { type, font }) {
  const size = 0.87 * type;
  if (widthOf(name, size, font) < width) text(`called ${index}`, name, { x, y: y - 0.4 * type, "font-size": size });
}

// In what a block has beyond that of half the text, large or as large as other words, if there is room.
function factor(text, { x, y, width, height }, said, index, { type, font }) {
  const [wide, middle] = index ? [width, x + width / 2] : [width / 2, x + 0.75 * width];
  const fits = (size) => widthOf(said, size, font, 700) + BESIDE <= wide && 1.1 * size <= height / 2;
  const size = [1.4 * type, type].find(fits);
  if (!size) return false;
  const kind = `att-called${index ? "" : " att-in-square"}`;
  const place = { x: middle, y: y + height / 4 + 0.35 * size, "font-size": size, "text-anchor": "middle" };
  text(`times ${index}`, said, { class: kind, ...place });
  return true;
}

// Keys run along the upper side, queries up the right one. What a small square has no room for stands beside it, in two lines
// where the frame ends before it.
function sides(text, { across, down }, { square, ground, end, type, font, factor }) {
  const [right, size] = [square.x + square.width, 0.87 * type];
  if (widthOf(across, size, font) < square.width && widthOf(down, size, font) < square.height) {
    text("across", across, { x: square.x, y: square.y - 0.4 * type, "font-size": size });
    const turned = `translate(${right + type} ${ground}) rotate(-90)`;
    text("down", down, { transform: turned, "font-size": size });
    return;
  }
  const beside = right + BESIDE;
  if (factor) text("times square", factor, { class: "att-called", x: beside, y: ground - 4 });
  const x = beside + (factor ? widthOf(factor, type, font, 700) + BESIDE : 0);
  const both = `${down} × ${across}`;
  const lines = x + widthOf(both, size, font) <= end ? [both] : [`${down} ×`, across];
  lines.forEach((line, index) => {
    const y = ground - 4 - (lines.length - 1 - index) * 1.2 * size;
    text(`both ${index}`, line, { x, y, "font-size": size });
  });
}
