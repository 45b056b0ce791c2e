// The probability of the answer with the new weights alone, and with everything that was learned: two bars in one
// place, with a line at the former one, and below them the part that has brought more.

import { BEYOND, NAME, box } from "./lane_shapes.js";
import { broken, widthOf } from "./text.js";

// Pixels: the height and the most length of a bar; between a name and its bar, between rows, from the lines to the bars
// beside them.
const [HIGH, LONG, NEAR, APART, GAP] = [12, 120, 5, 8, 12];

// Draw the bars beside the lines from y on, each below its name, or else in rows of the whole width. Returns where they
// end.
export function laneGain({ scene, parent, line, large, sent, colours }, y) {
  const { title, said, then, rows } = sent.gain ?? {};
  if (!rows) return y;
  const size = NAME * large;
  const look = { class: "att-line-name", "font-size": size };
  const wide = (text) => widthOf(text, size, colours.font);
  const x = line.hasKey ? line.right + GAP * large : line.isWide ? line.left : 2;
  const number = wide("0.00") + 2 * NEAR * large;
  const names = line.hasKey ? 0 : Math.max(...rows.map(({ name }) => wide(name))) + 2 * NEAR * large;
  const long = Math.min(LONG * large, line.width - x - names - number);
  y += line.hasKey ? 2 * size : size;
  scene.put("gain title", "text", { ...look, x, y }, parent, title);
  rows.forEach(({ name, share, written }, at) => {
    y += size + APART * large;
    scene.put(`gain name ${at}`, "text", { ...look, x, y }, parent, name);
    if (line.hasKey) y += NEAR * large;
    const top = line.hasKey ? y : y - HIGH * large;
    const bar = (part) => box(x + names, top, part * long, HIGH * large);
    scene.put(`gain frame ${at}`, "path", { class: "att-share-frame", d: bar(1) }, parent);
    scene.put(`gain ${at}`, "path", { class: "att-lane-answer att-right", d: bar(share) }, parent);
    // The part that the weights bring has their colour.
    const looks = { class: "att-gain-looks", d: bar(Math.min(share, rows[0].share)) };
    scene.put(`gain looks ${at}`, "path", looks, parent);
    const d = `M${x + names + then * long},${top - BEYOND}v${HIGH * large + 2 * BEYOND}`;
    scene.put(`gain before ${at}`, "path", { class: "att-lane-before", d }, parent);
    if (line.hasKey) y += HIGH * large;
    const place = { x: x + names + long + NEAR * large, y: top + HIGH * large - 1, "font-size": size };
    scene.put(`gain number ${at}`, "text", { class: "att-gain-number", ...place }, parent, written);
  });
  for (const [at, text] of broken(said, line.width - x, size, colours.font).entries()) {
    y += size + (at ? NEAR : APART) * large;
    scene.put(`gain said ${at}`, "text", { ...look, class: "att-gain-said", x, y }, parent, text);
  }
  return y + (said ? 2 : 1) * APART * large;
}
