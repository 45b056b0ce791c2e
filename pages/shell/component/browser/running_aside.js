// What holds for the whole figure: what colours mean, how far both outputs are apart, and what scores take of a long text.

import { mixed } from "./colour.js";
import { broken } from "./text.js";

// There is room for what is not said yet, so that nothing jumps when it comes. Returns where they end.
export function aside({ scene, sent, type, colours, isNarrow }, { x, y, width }) {
  [0.8, 0.2].forEach((share, at) => {
    const box = { x: x + 1.2 * type * at, y: y - 0.75 * type, width: 0.9 * type, height: 0.9 * type };
    scene.put(`sign ${at}`, "rect", { ...box, fill: `rgb(${mixed(colours.signed, share).map(Math.round)})` });
  });
  const write = (name, text, place) => scene.put(name, "text", place, undefined, text);
  write("signs", sent.labels.signs, { x: x + 2.4 * type, y });
  const line = 1.3 * type;
  const said = (name, text, from, kind, weight) => {
    const parts = broken(text, width, type, colours.font, weight);
    parts.forEach((part, at) => write(`${name} ${at}`, part, { x, y: from + at * line, class: kind }));
    return from + parts.length * line;
  };
  const below = said("long", sent.labels.long, y + 1.5 * type, "att-small", 400);
  if (sent.labels.laid) said("apart", sent.labels.laid, below, "att-read", 700);
  return below + (isNarrow ? 2 : 1) * line;
}
