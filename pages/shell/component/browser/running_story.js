// What the tile does to the row that is followed: the row with the piece of it that is in memory (running_row.js), the largest
// score so far, and what is kept besides (running_chain.js).

import { mixed } from "./colour.js";
import { chain } from "./running_chain.js";
import { strip } from "./running_row.js";

// From which width on, in type, what shrinks has room beside the largest score.
const ROOMY = 34;

// place: x, y and the width. Returns where it ends, and where the strip is. There is room for what other tiles say, so that
// nothing below moves.
export function storyOf(draws, { x, y, width }, corrections) {
  const { scene, type, sent, measure } = draws;
  scene.put("followed said", "text", { x, y: y + type, class: "att-read" }, undefined, sent.labels.said);
  const isLine = signs(draws, { x, y: y + type, width }, measure(sent.labels.said, type, 700));
  const row = strip(draws, { x, y: y + (isLine ? 1.7 : 3.1) * type, width });
  const below = largest(draws, { x, y: row.end + 0.6 * type, width });
  return { end: chain(draws, { x, y: below + 0.3 * type, width }, corrections), strip: row };
}

// What the colours of scores mean, beside what is said of the row where there is room for it, else below it; and where another
// row is followed than the one that was chosen, that it is. Returns whether there was room.
function signs({ scene, sent, type, measure, colours, isBeside }, { x, y, width }, taken) {
  const { signs: said, instead } = sent.labels;
  const wide = 2.4 * type + measure(said);
  // Above the matrices the menu of the figure has its place at the right.
  const isLine = isBeside && taken + 2 * type + wide <= width;
  const place = isLine ? { x: x + width - wide, y } : { x, y: y + 1.5 * type };
  [0.8, 0.2].forEach((share, at) => {
    const box = { x: place.x + 1.2 * type * at, y: place.y - 0.75 * type, width: 0.9 * type, height: 0.9 * type };
    scene.put(`sign ${at}`, "rect", { ...box, fill: `rgb(${mixed(colours.signed, share).map(Math.round)})` });
  });
  scene.put("signs", "text", { x: place.x + 2.4 * type, y: place.y }, undefined, said);
  if (!instead) return isLine;
  const beside = isLine ? x + taken + type : x + wide + 1.2 * type;
  const room = isLine ? place.x - type - beside : width;
  if (measure(instead, type, 700) <= room)
    scene.put("followed instead", "text", { x: beside, y: place.y, class: "att-read" }, undefined, instead);
  return isLine;
}

// The largest score so far and, where it has grown, by what that shrinks what was kept. Returns where it ends.
function largest({ scene, sent, type, measure }, { x, y, width }) {
  const { largest: name, so_far: number, why } = sent.labels;
  const first = { x, y: y + 1.2 * type };
  const from = x + measure(name) + 0.6 * type;
  scene.put("largest name", "text", { ...first, class: "att-small" }, undefined, name);
  scene.put("largest number", "text", { ...first, x: from, class: "att-read" }, undefined, number);
  const isLine = width >= ROOMY * type;
  const beside = from + measure(number, type, 700) + 1.2 * type;
  const place = isLine ? { ...first, x: beside } : { x, y: first.y + 1.3 * type };
  if (why) scene.put("followed why", "text", place, undefined, why);
  return first.y + (isLine ? 0.4 : 1.7) * type;
}
