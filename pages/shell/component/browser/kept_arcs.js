// How much an arc counts that dropout leaves: said once, under the farthest of those that have room for it.

import { laid } from "./arc_names.js";
import { widthOf } from "./text.js";

// Pixels: the type, from the arc to the words, and how far down they may be, in steps.
const [TYPE, UNDER, DOWN, STEP] = [14, 5, 60, 4];

export function counts({ scene, sent, kept, around }, parent, line, { large, font }) {
  const said = sent.labels.counts;
  if (!said) return;
  const size = TYPE * large;
  const [wide, high] = [widthOf(said, size, font, 600), 1.15 * size];
  const far = ({ to }) => Math.abs(line.words[to].middle - line.words[sent.arcs.focus].middle);
  const steps = Array.from({ length: DOWN / STEP }, (_, at) => at * STEP);
  for (const { x, y, width, colour } of [...kept].sort((a, b) => far(b) - far(a))) {
    const under = (down) => ({ x: x - wide / 2, y: y + width / 2 + (UNDER + down) * large, costs: down / DOWN });
    // On no arc.
    const [box] = laid([{ wide, high, places: steps.map(under), most: 1 }], around);
    if (!box) continue;
    around.blocked.push(box);
    const place = { x: box.x, y: box.y + 0.8 * high, "font-size": size };
    scene.put("counts", "text", { class: "att-arc-name att-counts", ...place }, parent, said).style.fill = colour;
    return;
  }
}
