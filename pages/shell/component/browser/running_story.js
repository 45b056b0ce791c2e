// What the tile does to the row that is followed: the row with the piece of it that is in memory (running_row.js), the three
// numbers that are kept of it (running_gauges.js), and what the sum is of.

import { mixed } from "./colour.js";
import { gauges } from "./running_gauges.js";
import { strip } from "./running_row.js";
import { broken } from "./text.js";

// place: x, y and the width. Returns where it ends, and where the strip is. There is room for what other tiles say, so that
// nothing below moves.
export function storyOf(draws, { x, y, width }, corrections) {
  const { scene, type, sent, colours } = draws;
  const write = (name, text, more) => scene.put(name, "text", { x, ...more }, undefined, text);
  write("followed said", sent.labels.said, { y: y + type, class: "att-read" });
  signs(draws, { x, y: y + 2.5 * type });
  const row = strip(draws, { x, y: y + 3.2 * type, width });
  const kept = gauges(draws, { x, y: row.end + 1.1 * type, width }, corrections);
  const why = kept + 1.8 * type;
  broken(sent.labels.why || sent.labels.sum, width, type, colours.font).forEach((part, at) =>
    write(`followed why ${at}`, part, { y: why + 1.3 * at * type, class: "att-small" }),
  );
  return { end: why + 1.6 * type, strip: row };
}

// What the colours of scores mean; and where another row is followed than the one that was chosen, that it is.
function signs({ scene, sent, type, measure, colours }, { x, y }) {
  const write = (name, text, more) => scene.put(name, "text", { y, ...more }, undefined, text);
  [0.8, 0.2].forEach((share, at) => {
    const box = { x: x + 1.2 * type * at, y: y - 0.75 * type, width: 0.9 * type, height: 0.9 * type };
    scene.put(`sign ${at}`, "rect", { ...box, fill: `rgb(${mixed(colours.signed, share).map(Math.round)})` });
  });
  const { signs: said, instead } = sent.labels;
  write("signs", said, { x: x + 2.4 * type });
  if (instead) write("followed instead", instead, { x: x + 3.6 * type + measure(said), class: "att-read" });
}
