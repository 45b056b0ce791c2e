// What holds for the whole figure: what both memories have room for, and what scores take of it for a long text; once it is
// told, how often what was kept is corrected in tiles of this size, and how far both outputs are apart.

import { isOnWall } from "./tall.js";
import { broken } from "./text.js";

// Of the width, what the fast memory has; the height of a box, and what is between both, in type.
const [SMALL, HIGH, GAP] = [0.3, 1.7, 1.6];

// Two boxes, each with what it is called above, and filled as far as the scores fill it. Returns where they end.
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

// Returns where they end.
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
  // On a wall there is no room for it.
  const drawn = isOnWall() ? apart + 0.4 * line : memories(draws, { x, y: apart - 0.4 * line, width }) + line;
  return said("long", labels.long, drawn, "att-small", 400);
}
