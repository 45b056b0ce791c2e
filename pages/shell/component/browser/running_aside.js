// What holds for the whole figure: what scores take of a long text, and how far both outputs are apart.

import { broken } from "./text.js";

// There is room for what is not said yet, so that nothing jumps when it comes. Returns where they end.
export function aside({ scene, sent, type, colours, isNarrow }, { x, y, width }) {
  const line = 1.3 * type;
  const said = (name, text, from, kind, weight) => {
    const parts = broken(text, width, type, colours.font, weight);
    parts.forEach((part, at) =>
      scene.put(`${name} ${at}`, "text", { x, y: from + at * line, class: kind }, undefined, part),
    );
    return from + parts.length * line;
  };
  const below = said("long", sent.labels.long, y, "att-small", 400);
  if (sent.labels.laid) said("apart", sent.labels.laid, below, "att-read", 700);
  return below + (isNarrow ? 2 : 1) * line;
}
