// The words in the plane: for each an arrow, at its end a circle as large as its weight, and a name with the weight,
// which avoids q and the output.

import { marker, put } from "./plane.js";
import { around, atEnd } from "./vector_names.js";

// Pixels: the circle of a weight of 1, the head of an arrow, the least distance of a name from the end, the height of a
// name.
const [WHOLE, HEAD, LEAST, HIGH] = [20, 8, 4, 19];

// Draw the words, and return the boxes that other names avoid. free: boxes that their own names avoid.
/** @param {Record<string, any>[]} words */
export function drawWords(back, words, { scale, large, free }) {
  const origin = scale.at([0, 0]);
  const ends = words.map(({ point, weight }) => ({ ...scale.at(point), radius: WHOLE * Math.sqrt(weight) }));
  const groups = words.map(({ called, weight, twice, colour }, at) => {
    const { x, y, radius } = ends[at];
    const group = put(back, "g", { class: "att-token" });
    const wide = large * (1 + 4 * weight);
    put(group, "path", {
      class: "att-word-arrow",
      d: marker.arrow(origin, ends[at], HEAD + wide),
      stroke: colour,
      "stroke-width": wide,
    });
    put(group, "circle", { cx: x, cy: y, r: radius, fill: colour, "fill-opacity": 0.3, stroke: colour });
    if (twice !== null)
      put(group, "circle", { class: "att-twice", cx: x, cy: y, r: WHOLE * Math.sqrt(twice), stroke: colour });
    put(group, "title").textContent = called;
    return group;
  });
  const circles = ends.map((end) => around(end, Math.max(end.radius, LEAST)));
  const names = [];
  const labels = words.map(({ token, written, colour }, at) => {
    const label = put(groups[at], "text", { fill: colour });
    label.textContent = `${token} ${written}`;
    return label;
  });
  // Measure all names together: after each change the browser would lay out the page for the next measurement.
  const lengths = labels.map((label) => label.getComputedTextLength() + 4);
  words.forEach(({ point }, at) => {
    const [label, wide] = [labels[at], lengths[at]];
    const others = circles.filter((_, other) => other !== at);
    const { width, height } = scale;
    const box = atEnd(
      { ...ends[at], far: Math.max(ends[at].radius, LEAST), isBelow: point[1] < 0, wide, high: HIGH * large },
      { arcs: free.arcs, blocked: [...free.blocked, ...others, ...names], width, height },
    );
    names.push(box);
    const place = { x: box.x + wide / 2, y: box.y + 0.77 * box.high, "text-anchor": "middle" };
    Object.entries(place).forEach((pair) => label.setAttribute(...pair));
  });
  return [...names, ...circles];
}
