// What holds for the whole figure: how often what was kept is corrected in tiles of this size, and how far both outputs are
// apart, or that this is asked; what scores take of a long text.

import { broken } from "./text.js";

// Returns where they end.
export function aside({ scene, sent: { labels }, type, colours }, { x, y, width }) {
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
  return said("long", labels.long, apart + 0.4 * line, "att-small", 400);
}
