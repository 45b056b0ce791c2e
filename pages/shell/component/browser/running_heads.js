// How much of the scores each way keeps in memory, in type as large as what it says.

import { broken } from "./text.js";

// Of each way its name, and in large type how much of the scores it keeps, here and of a long text. Returns where they end.
export function headsOf({ scene, sent: { labels }, type, isNarrow, measure, colours: { font } }, starts, rooms) {
  const write = (name, text, attributes) => scene.put(name, "text", attributes, undefined, text);
  const [big, small] = isNarrow ? [1.4 * type, 0.86 * type] : [2.1 * type, type];
  const pairs = [0, 1].map((at) => [
    [labels.held[at], labels.scores],
    [labels.long[at], at ? labels.long_tile : labels.long_text],
  ]);
  const wide = (pair) => measure(pair[0], big, 700) + measure(pair[1], small) + 2 * type;
  const isLine = pairs.every(([here, long], at) => wide(here) + wide(long) <= rooms[at]);
  const isBeside = isLine || pairs.flat().every((pair, at) => wide(pair) <= rooms[Math.floor(at / 2)]);
  const lines = (words, room) => (isBeside ? [words] : broken(words, room, small, font));
  // As many lines as the longer words of both take.
  const most = [0, 1].map((at) => Math.max(...pairs.map((pair, of) => lines(pair[at][1], rooms[of]).length)));
  let end = 0;
  pairs.forEach((both, of) => {
    let [x, y] = [starts[of], 1.1 * type];
    write(`way ${of}`, of ? labels.by_tiles : labels.usual, { x, y, class: "att-read" });
    both.forEach(([number, words], at) => {
      if (!at || !isLine) y += 1.1 * big;
      write(`big ${of} ${at}`, number, { x, y, class: "att-big", "font-size": big });
      const beside = x + measure(number, big, 700) + 0.5 * small;
      lines(words, rooms[of]).forEach((part, row) => {
        const place = isBeside ? { x: beside, y } : { x, y: y + (row + 1) * 1.15 * small };
        write(`words ${of} ${at} ${row}`, part, { ...place, class: "att-small", "font-size": small });
      });
      if (isLine) x += wide([number, words]);
      else if (!isBeside) y += most[at] * 1.15 * small;
    });
    end = y;
  });
  return end + 0.4 * type;
}
