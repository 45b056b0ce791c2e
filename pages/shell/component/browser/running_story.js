// The effect of the tile on the followed row: the row with its piece in memory (running_row.js), the largest score so
// far, and the other kept numbers (running_chain.js).

import { mixed } from "./colour.js";
import { chain } from "./running_chain.js";
import { strip } from "./running_row.js";

// The width, in type, from which the shrinking is told beside the largest score.
const ROOMY = 34;

// place: x, y and the width. Returns the lower end, and the place of the strip. Room is reserved for the texts of other
// tiles, so that nothing below moves.
export function storyOf(draws, { x, y, width }, corrections) {
  const { scene, type, sent, measure } = draws;
  scene.put("followed said", "text", { x, y: y + type, class: "att-read" }, undefined, sent.labels.said);
  const isLine = signs(draws, { x, y: y + type, width }, measure(sent.labels.said, type, 700));
  const row = strip(draws, { x, y: y + (isLine ? 1.7 : 3.1) * type, width });
  const below = largest(draws, { x, y: row.end + 0.6 * type, width });
  return { end: chain(draws, { x, y: below + 0.3 * type, width }, corrections), strip: row };
}

// The meaning of the colours of scores, beside the row's text if there is room, otherwise below it; and a note if
// another row is followed than the chosen one. Returns whether there was room.
function signs({ scene, sent, type, measure, colours, isBeside }, { x, y, width }, taken) {
  const { signs: said, instead } = sent.labels;
  const wide = 2.4 * type + measure(said);
  // Above the matrices, the menu of the figure takes the right end.
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

// The largest score so far and, if it has grown, the factor by which the kept part shrinks. Returns the lower end.
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
