// Parts of the picture of words in two orders: names of the lines, an output as cells, and what a word is taken by.

import { mixed } from "./colour.js";

// What the lines are: beside them, or above the columns.
export function lineNames(scene, parent, labels, layout, large) {
  const { isAcross, left, high, written, moved, right, tall, isChanged } = layout;
  const type = (isAcross ? 14 : 15.5) * large;
  const put = (name, place, kind = "") =>
    scene.put(
      `line ${name}`,
      "text",
      { class: `att-line-name ${kind}`, "font-size": type, ...place },
      parent,
      labels[name],
    );
  if (!isAcross) {
    put("written", { x: 0, y: type, "text-anchor": "start" }, "att-strong");
    put("moved", { x: right, y: type, "text-anchor": "start" }, "att-strong");
    return;
  }
  const at = (y) => ({ x: left, y, "text-anchor": "end" });
  const [top, second] = [written[0].y, moved[0].y];
  put("written", at(top + 0.66 * high), "att-strong");
  put("of_written", at(top + high + 4 + tall / 2 + 0.35 * type));
  put("moved", at(second + 0.5 * high - 2 * large), "att-strong");
  put("drag", at(second + 0.5 * high + 1.15 * type));
  put("of_moved", at(second + high + 4 + tall / 2 + 0.35 * type));
  put("apart", at(second + high + tall + 24 * large));
  if (isChanged) put("changed", at(second + high + tall + 43 * large));
}

// An output as rows of cells, which are read like a text. shades: a number a feature; x, y, width, height: of all of them.
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

// Dots by which one sees that a word can be taken.
export function grip(scene, group, name, { x, y, step, r }) {
  [0, 1, 2, 3, 4, 5].forEach((dot) => {
    const place = { cx: x + (dot % 2) * step, cy: y + (Math.floor(dot / 2) - 1) * step, r };
    scene.put(`grip ${name} ${dot}`, "circle", { class: "att-grip", ...place }, group);
  });
}
