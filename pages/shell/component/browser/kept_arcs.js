// Texts under the arcs that dropout leaves, once each, under the farthest arc with room for it: that this arc alone is
// not enough, because its answer is still wrong; that it is enough, counted with its factor, if it is the only one left
// of several; or else the factor with which an arc counts.

import { laid } from "./arc_names.js";
import { widthOf } from "./text.js";

// Pixels: the type, the gap from an arc to its text, and the most that the text moves down, in steps.
const [TYPE, UNDER, DOWN, STEP] = [14, 5, 60, 4];

export function counts(figure, parent, line, look) {
  const { kept, sent } = figure;
  const { alone, enough, counts: times } = sent.labels;
  const row = ({ of }) => sent.arcs.answers[of];
  const isAlone = (one) => kept.filter((other) => row(other) === row(one)).length === 1;
  const isOneOfSeveral = (one) => sent.arcs.answers.filter((other) => other === row(one)).length > 1;
  const short = kept.filter((one) => figure.rightly(one) === "0" && isAlone(one));
  const able = kept.filter((one) => figure.rightly(one) === "1" && isAlone(one) && isOneOfSeveral(one));
  under(figure, { name: "alone", text: alone, kept: short }, parent, line, look);
  if (enough && under(figure, { name: "enough", text: enough, kept: able }, parent, line, look)) return;
  if (times) under(figure, { name: "counts", text: times, kept }, parent, line, look);
}

// Returns whether the text has found room.
function under({ scene, sent, around }, { name, text, kept }, parent, line, { large, font }) {
  const size = TYPE * large;
  const [wide, high] = [widthOf(text, size, font, 600), 1.15 * size];
  const far = ({ to }) => Math.abs(line.words[to].middle - line.words[sent.arcs.focus].middle);
  const steps = Array.from({ length: DOWN / STEP }, (_, at) => at * STEP);
  for (const { x, y, width, colour } of [...kept].sort((a, b) => far(b) - far(a))) {
    const at = (down) => ({ x: x - wide / 2, y: y + width / 2 + (UNDER + down) * large, costs: down / DOWN });
    // With a cost of at most 1, the text is on no arc.
    const [box] = laid([{ wide, high, places: steps.map(at), most: 1 }], around);
    if (!box) continue;
    around.blocked.push(box);
    const place = { x: box.x, y: box.y + 0.8 * high, "font-size": size };
    scene.put(name, "text", { class: "att-arc-name att-counts", ...place }, parent, text).style.fill = colour;
    return true;
  }
  return false;
}
