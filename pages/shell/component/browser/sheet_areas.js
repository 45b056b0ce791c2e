// What a layer computes for a text, as areas that stand on one line and are as high as the text is long: the matrices that
// each token passes, always as wide, and the square of the pairs, as wide as it is high. Dashed, what half of the text
// takes; around the square a frame, in which it grows, with a line around the frame that was too small for it.

import { widthOf } from "./text.js";

// Pixels between two blocks, and to a factor beside one.
const [GAP, BESIDE] = [2, 6];
// The parts of the frame at which lengths stand.
const TICKS = [1 / 4, 1 / 2, 1];

// How wide all but the square are at most, for a frame of so many pixels.
export const besideSquare = (frame, { widest, widths }) => frame * widest + widths.length * GAP;

// x: where the square begins, and the others end; ground: the line that all stand on; frame: pixels of its side.
export function areas(scene, { labels, sheet }, { x, ground, frame, type, font }) {
  const high = frame * sheet.side;
  const shape = (name, kind, left, width, height) => {
    const box = { x: left, y: ground - height, width: Math.max(width, 1), height: Math.max(height, 1) };
    scene.put(name, "rect", { class: kind, ...box });
    return box;
  };
  shape("frame", "att-room", x, frame, frame);
  const boxes = [shape("block 0", kindOf(0), x, high, high)];
  let start = x - GAP;
  for (let index = sheet.widths.length - 1; index; index--) {
    const width = Math.max(sheet.widths[index] * frame, 1);
    boxes[index] = shape(`block ${index}`, kindOf(index), start - width, width, high);
    start -= width + GAP;
  }
  const [square, first] = boxes;
  shape("half pairs", "att-half", x, high / 2, high / 2);
  shape("half rest", "att-half", first.x, x - GAP - first.x, high / 2);
  if (sheet.before) shape("before", "att-before", x, sheet.before * frame, sheet.before * frame);
  const areIn = boxes.map((box, index) => factor(scene, box, labels.factors[index], index, { type, font }));
  // Those of the others are one: what has no room in any of them stands beside all.
  if (!areIn.includes(true, 1)) {
    const place = { x: first.x - BESIDE, y: ground - Math.max(high / 2 - 0.35 * type, 0), "text-anchor": "end" };
    scene.put("times rest", "text", { class: "att-called", ...place }, scene.root, labels.factors[1]);
  }
  sides(scene, labels, { square, ground, end: x + frame, type, font, factor: areIn[0] ? "" : labels.factors[0] });
  const before = sheet.before && !TICKS.includes(sheet.before) ? [sheet.before] : [];
  [...TICKS, ...before].forEach((part, index) => {
    const at = x + part * frame;
    scene.put(`tick line ${index}`, "path", { class: "att-tick", d: `M${at},${ground}v5` });
    // The last one stays inside the picture.
    const [end, anchor] = part === 1 ? [at + BESIDE, "end"] : [at, "middle"];
    const place = { class: "att-means", x: end, y: ground + 1.3 * type, "text-anchor": anchor };
    scene.put(`tick ${index}`, "text", { ...place, "font-size": 0.87 * type }, scene.root, labels.ticks[index]);
  });
}

const kindOf = (index) => `att-block att-part-${index}`;

// In what a block has beyond that of half the text, if there is room.
function factor(scene, { x, y, width, height }, said, index, { type, font }) {
  const size = 1.4 * type;
  const [wide, middle] = index ? [width, x + width / 2] : [width / 2, x + 0.75 * width];
  if (widthOf(said, size, font, 700) + BESIDE > wide || 1.1 * size > height / 2) return false;
  const kind = `att-called${index ? "" : " att-in-square"}`;
  const place = { x: middle, y: y + height / 4 + 0.35 * size, "font-size": size, "text-anchor": "middle" };
  scene.put(`times ${index}`, "text", { class: kind, ...place }, scene.root, said);
  return true;
}

// Keys run along the upper side, queries up the right one. What a small square has no room for stands beside it, in two lines
// where the frame ends before it.
function sides(scene, { across, down }, { square, ground, end, type, font, factor }) {
  const [right, size] = [square.x + square.width, 0.87 * type];
  const text = (name, said, attributes) => scene.put(name, "text", attributes, scene.root, said);
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
