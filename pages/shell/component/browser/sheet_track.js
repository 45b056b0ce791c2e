// The share of the pairs over n, on a line whose equal steps double n, as on the slider. It is drawn up to the present
// text, so that a reader finds out by dragging, with a mark where the share is half: for this layer once the text has
// reached it, or for several layers.

import { asked, guessed } from "./sheet_guess.js";
import { broken, widthOf } from "./text.js";

// Pixels of a share of 1; the room that a slider leaves beside the track of its thumb.
const [HIGH, BESIDE] = [54, 6];

// Draw the line from `start` on. Returns where it ends.
export function track(scene, sent, { start, width, type, large, font }) {
  const { labels, sheet } = sent;
  const text = (name, said, attributes) => scene.put(name, "text", attributes, scene.root, said);
  const isAsked = sheet.asked.length > 0;
  const said = isAsked ? labels.asked : sheet.guessed ? labels.told : "";
  const told = said ? broken(said, width, type, font, 700) : [];
  told.forEach((part, at) =>
    text(`asked ${at}`, part, { class: "att-called", x: 0, y: start + (1.1 + 1.3 * at) * type }),
  );
  const top = start + (0.6 + 1.3 * Math.max(told.length, 1)) * type;
  const high = HIGH * large;
  const foot = top + high;
  const way = width - 2 * BESIDE;
  const along = (part) => BESIDE + part * way;
  const here = along(sheet.at);
  const line = (over, end = 1) => {
    const last = over.length - 1;
    const shown = (at) => Math.min(at, Math.round(end * last));
    return over.map((_, at) => `${along(shown(at) / last)},${foot - over[shown(at)] * high}`).join("L");
  };
  const box = { x: BESIDE, y: top, height: high };
  scene.put("to come", "rect", { class: "att-room", ...box, width: way });
  scene.put("track", "rect", { class: "att-track", ...box, width: sheet.at * way });
  scene.put("over", "path", { class: "att-over", d: `M${BESIDE},${foot}L${line(sheet.over, sheet.at)}V${foot}Z` });
  scene.put("half", "path", { class: "att-halfway", d: `M${BESIDE},${foot - high / 2}h${way}` });
  // The words stand beyond the present text, if the line up to it is shorter than they are.
  const isBefore = widthOf(labels.over_n, 0.87 * type, font) + type < here;
  const inside = { class: "att-over-all", x: (isBefore ? BESIDE : here) + 0.6 * type, "font-size": 0.87 * type };
  text("over n", labels.over_n, { ...inside, y: foot - high / 2 - 0.45 * type });
  text("halfway", labels.halfway, { ...inside, y: foot - high / 2 + 1.15 * type });
  const place = { along, width, top, high, type, font, large };
  guessed(scene, sheet, place);
  asked(scene, sent, place);
  const rowsOfLengths = lengths(text, labels.lengths, { along, width, y: foot + 1.2 * type, size: 0.87 * type, font });
  const first = foot + (1.4 + 1.2 * rowsOfLengths) * type;
  // The end of the last word in each line of words.
  const rows = [];
  sheet.meetings.forEach(({ at, text: named, over }, index) => {
    const x = along(at);
    const half = widthOf(named, type, font, 700) / 2;
    const middle = Math.min(Math.max(x, half), width - half);
    const free = rows.findIndex((end) => middle - half >= end);
    const row = free < 0 ? rows.length : free;
    rows[row] = middle + half + type;
    if (over.length) scene.put(`line ${index}`, "path", { class: "att-other", d: `M${line(over)}` });
    scene.put(`meets ${index}`, "circle", { class: "att-meets", cx: x, cy: foot - high / 2, r: 5 * large });
    const d = `M${x},${foot - high / 2}V${row || rowsOfLengths > 1 ? foot + 4 : first - type}`;
    scene.put(`meets line ${index}`, "path", { class: "att-halfway", d });
    const y = first + 1.3 * row * type;
    text(`meeting ${index}`, named, { class: "att-called", x: middle, "text-anchor": "middle", y });
  });
  scene.put("here", "path", { class: "att-here", d: `M${here},${top - 0.3 * type}V${foot + 3}` });
  return first + (1.3 * Math.max(rows.length, 1) - 0.2) * type;
}

// As many lengths as have room below the line, including the first and the last one; in two alternating rows, unless
// all fit in one. Returns the number of rows.
function lengths(text, words, { along, width, y, size, font }) {
  const last = words.length - 1;
  const wide = words.map((word) => widthOf(word, size, font));
  const placed = (at) => Math.min(Math.max(along(at / last), wide[at] / 2), width - wide[at] / 2);
  // Count from the last one, so that the longest length is named.
  const every = (step) => [...words.keys()].reverse().filter((at) => !at || (last - at) % step === 0);
  const fits = ({ step, rows }) =>
    every(step).every((at, index, shown) => {
      const next = shown[index + rows];
      return next === undefined || placed(at) - placed(next) > (wide[at] + wide[next]) / 2 + size;
    });
  const ways = [1, 2, 3, 4, 6].map((step) => ({ step, rows: step === 1 ? 1 : 2 }));
  const { step, rows } = ways.find(fits) ?? { step: last, rows: 1 };
  every(step).forEach((at, index) => {
    const place = { x: placed(at), y: y + (index % rows) * 1.2 * size, "font-size": size };
    text(`length ${at}`, words[at], { class: "att-means", "text-anchor": "middle", ...place });
  });
  return rows;
}
