// The name of each way, and the number of scores that it keeps in memory, in larger type.

import { broken } from "./text.js";

const LARGER = 1.4;

// Lay out the headings of both ways: in one line if there is room, otherwise with the name above.
export function headsOf({ sent: { labels }, type, isNarrow, measure, colours: { font } }, rooms) {
  const [big, small] = [LARGER * type, isNarrow ? 0.86 * type : type];
  const names = [labels.usual, labels.by_tiles];
  const after = names.map((name) => measure(name, type, 700) + type);
  const numbers = labels.held.map((held) => measure(held, big, 700) + 0.5 * small);
  const isLine = names.every((_, at) => after[at] + numbers[at] + measure(labels.scores, small) <= rooms[at]);
  const said = names.map((_, at) =>
    isLine ? [labels.scores] : broken(labels.scores, rooms[at] - numbers[at], small, font),
  );
  const base = big + (isLine ? 0 : 1.3 * big);
  // Both headings have the lines of the longer one.
  const high = base + (Math.max(...said.map((lines) => lines.length)) - 1) * 1.2 * small + 0.4 * type;
  return { names, after, numbers, isLine, said, base, high, big, small };
}

// at: which of both ways; place: the upper left corner.
export function head({ scene, sent: { labels }, type }, heads, at, place) {
  const { names, after, numbers, isLine, said, base, big, small } = heads;
  const write = (name, text, attributes) => scene.put(name, "text", attributes, undefined, text);
  const [x, y] = [place.x + (isLine ? after[at] : 0), place.y + base];
  write(`way ${at}`, names[at], { x: place.x, y: isLine ? y : place.y + 1.1 * type, class: "att-read" });
  write(`big ${at}`, labels.held[at], { x, y, class: "att-big", "font-size": big });
  said[at].forEach((part, line) => {
    const words = { x: x + numbers[at], y: y + line * 1.2 * small };
    write(`words ${at} ${line}`, part, { ...words, class: "att-small", "font-size": small });
  });
}
