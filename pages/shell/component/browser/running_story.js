// What the tile does to the row that is followed: the row with the piece of it that is in memory (running_row.js), the three
// numbers that are kept of it (running_gauges.js), and their arithmetic.

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
  const sum = kept + 1.8 * type;
  write("followed sum", sent.labels.sum, { y: sum, class: "att-small" });
  parts(draws, x, sum + 1.4 * type);
  const why = sum + 2.9 * type;
  broken(sent.labels.why, width, type, colours.font).forEach((part, at) =>
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

// Of the sum what was kept, and what is new, each beside its colour, which all bars have, and what they come to.
function parts({ scene, sent, type, measure }, x, y) {
  const kinds = ["att-sum-old", "att-brought", null];
  sent.labels.parts.forEach((said, at) => {
    if (!said) return;
    if (kinds[at]) {
      const box = { x, y: y - 0.75 * type, width: 0.9 * type, height: 0.9 * type };
      scene.put(`part ${at}`, "rect", { class: kinds[at], ...box });
      x += 1.2 * type;
    }
    scene.put(`part said ${at}`, "text", { x, y, class: kinds[at] ? null : "att-read" }, undefined, said);
    x += measure(said) + 0.5 * type;
  });
}
