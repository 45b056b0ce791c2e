// Parts of the picture of words in two orders: names of the lines, an output as cells, the weight on a word, and the
// grip of a word.

import { mixed } from "./colour.js";
import { BAR, LOW, SHARE } from "./reordered_places.js";
import { widthOf } from "./text.js";

// A smaller part of the largest weight is not written.
const SMALL = 0.1;

// The texts that may stand beside the lines, and their type.
const NAMES = "written look moved drag of_written of_moved takes mean before apart changed".split(" ");
const NAME = 14;

// The meaning of a bar.
export const bars = ({ takes, mean }) => [takes, mean].filter(Boolean).join(", ");

// Pixels of the texts beside the lines.
export const namesWide = (labels, { font, large }) =>
  Math.max(...NAMES.map((name) => widthOf(labels[name], NAME * large, font, 700)));

// The names of the lines, beside them or above the columns.
export function lineNames(scene, parent, labels, layout, large) {
  const { isAcross, left, high, written, moved, right, tall, shares, isMoved, isChanged } = layout;
  const type = (isAcross ? NAME : 15.5) * large;
  const put = (name, place, kind = "", line = name) =>
    scene.put(
      `line ${line}`,
      "text",
      { class: `att-line-name ${kind}`, "font-size": type, ...place },
      parent,
      labels[name],
    );
  if (!isAcross) {
    put("written", { x: 0, y: type, "text-anchor": "start" }, "att-strong");
    put("moved", { x: right, y: type, "text-anchor": "start" }, "att-strong");
    // The meaning of a bar, after a sample of one.
    const y = layout.height - 6 * large;
    const sample = { x: 0, y: y - 8 * large, width: 18 * large, height: 5 * large };
    scene.put("sample", "rect", { class: "att-taking", ...sample }, parent);
    const look = { class: "att-line-name", x: 24 * large, y, "font-size": NAME * large };
    scene.put("line bars", "text", look, parent, bars(labels));
    return;
  }
  const at = (y) => ({ x: left, y, "text-anchor": "end" });
  const [top, second] = [written[0].y, moved[0].y];
  put("written", at(top + 0.5 * high - 2 * large), "att-strong");
  put("look", at(top + 0.5 * high + 1.15 * type));
  put("of_written", at(top + high + 4 + tall / 2 + 0.35 * type));
  put("moved", at(second + 0.5 * high - 2 * large), "att-strong");
  put("drag", at(second + 0.5 * high + 1.15 * type));
  put("of_moved", at(second + high + 4 + tall / 2 + 0.35 * type));
  for (const [line, y] of Object.entries({ written: top, moved: second })) {
    put("takes", at(y + high + tall + shares - 26 * large), "", `takes ${line}`);
    put("mean", at(y + high + tall + shares - 12 * large), "", `mean ${line}`);
  }
  if (isChanged) put("before", at(second + high + tall + shares + 2 * large));
  if (isMoved) put("apart", at(second + high + tall + shares + 23 * large));
  if (isChanged) put("changed", at(second + high + tall + shares + 41 * large));
}

// The weight on a word, as a part of the largest one: an upright bar with its number, or a lying one if there is little
// room. was: the same in the other line, if that differs.
export function shareTaken(scene, group, name, { part, was, said, isAcross, x, y, width, large }) {
  const [high, wide] = isAcross ? [BAR * large, 18 * large] : [LOW * large, width];
  const bar = (of) =>
    isAcross
      ? { x: x + (width - wide) / 2, y: y + high * (1 - of), width: wide, height: high * of }
      : { x, y, width: wide * of, height: high - 2 * large };
  scene.put(`share ${name}`, "rect", { class: "att-taking", ...bar(part) }, group);
  if (was !== part && Math.max(was, part) >= SMALL)
    scene.put(`was ${name}`, "rect", { class: "att-taking-was", ...bar(was) }, group);
  if (!isAcross || part < SMALL) return;
  const below = { x: x + width / 2, y: y + high + SHARE * large, "text-anchor": "middle", "font-size": 12.5 * large };
  scene.put(`share said ${name}`, "text", { class: "att-taking-said", ...below }, group, said);
}

// An output as rows of cells, in reading order. shades: a number for each feature; x, y, width, height: of all cells.
export function outputCells(scene, group, name, { shades, x, y, width, height, rows, colours }) {
  const count = Math.ceil(shades.length / rows);
  const [wide, high] = [width / count, height / rows];
  shades.forEach((shade, index) => {
    const fill = `rgb(${mixed(colours.signed, shade / 254).map(Math.round)})`;
    const place = { x: x + (index % count) * wide, y: y + Math.floor(index / count) * high };
    const size = { width: wide + 0.3, height: high + 0.3 };
    scene.put(`cell ${name} ${index}`, "rect", { class: "att-output-cell", ...place, ...size, fill }, group);
  });
  const around = { x: x - 1, y: y - 1, width: width + 2, height: height + 2, rx: 2 };
  scene.put(`around ${name}`, "rect", { class: "att-around-cells", ...around }, group);
}

// Dots that show that a word can be dragged.
export function grip(scene, group, name, { x, y, step, r }) {
  [0, 1, 2, 3, 4, 5].forEach((dot) => {
    const place = { cx: x + (dot % 2) * step, cy: y + (Math.floor(dot / 2) - 1) * step, r };
    scene.put(`grip ${name} ${dot}`, "circle", { class: "att-grip", ...place }, group);
  });
}
