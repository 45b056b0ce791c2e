// Facts of the whole figure: what both memories hold, and how much of that the scores of a long text take; once told,
// how often tiles of this size correct what was kept, and how far both outputs are apart.

import { isOnWall } from "./tall.js";
import { broken } from "./text.js";

// The fast memory's share of the width; the height of a box, and the gap between both boxes, in type.
const [SMALL, HIGH, GAP] = [0.3, 1.7, 1.6];

// Two boxes with their names above, filled as far as the scores fill them. Returns their lower end.
function memories({ scene, sent: { labels }, type, measure }, { x, y, width }) {
  const small = SMALL * width;
  const places = { fast: { x, wide: small }, slow: { x: x + small + GAP * type, wide: width - small - GAP * type } };
  const top = y + 1.6 * type;
  Object.entries(places).forEach(([name, { x: left, wide }]) => {
    const { called, size, held, share } = labels[name];
    const box = { x: left, y: top + 1.2 * type, height: HIGH * type };
    const write = (of, said, place, kind) =>
      scene.put(`memory ${name} ${of}`, "text", { x: left, ...place, class: kind }, undefined, said);
    write("name", called, { y: top - 0.35 * type }, "att-read");
    write("size", size, { y: top + 0.85 * type }, "att-small");
    scene.put(`memory ${name} held`, "rect", { class: "att-block-new", ...box, width: share * wide });
    scene.put(`memory ${name}`, "rect", { class: "att-row-frame", ...box, width: wide });
    const beside = { x: left + share * wide + 0.4 * type, y: box.y + box.height / 2 + 0.35 * type };
    if (measure(held) + 0.5 * type <= (1 - share) * wide) write("held words", held, beside);
  });
  return top + (1.2 + HIGH + 0.4) * type;
}

// Returns the lower end.
export function aside(draws, { x, y, width }) {
  const { scene, sent, type, colours } = draws;
  const { labels } = sent;
  const line = 1.3 * type;
  const said = (name, text, from, kind, weight) => {
    const parts = broken(text, width, type, colours.font, weight);
    parts.forEach((part, at) =>
      scene.put(`${name} ${at}`, "text", { x, y: from + at * line, class: kind }, undefined, part),
    );
    return from + parts.length * line;
  };
  const corrected = said("corrected", labels.corrected, y, "att-read", 700);
  const apart = said("apart", labels.laid, corrected, "att-read", 700);
  // A projector has no room for the memories.
  const drawn = isOnWall() ? apart + 0.4 * line : memories(draws, { x, y: apart - 0.4 * line, width }) + line;
  return said("long", labels.long, drawn, "att-small", 400);
}
