// What a tile does to the sum of the row that is followed: dashed is the sum before it, and below that grey is what is kept
// of it, and dark what the tile brings. Where a larger score comes, what was kept shrinks.

import { mixed } from "./colour.js";
import { decoded } from "./pixels.js";
import { isOnWall } from "./tall.js";
import { broken } from "./text.js";

// Milliseconds for what was there to shrink, and for what is new to come after it.
const SHRINKS = 700;
// Pixels of the longest bar.
const LONGEST = 640;
const still = matchMedia("(prefers-reduced-motion: reduce)");

// The motions of a tile, played once when it has come. Tiles of another size are no motion: what is known stays.
export class Corrections {
  begin(tile, size) {
    const [place, sides] = [tile.join(), size.join()];
    this.isNew = this.place !== undefined && this.place !== place && this.sides === sides;
    this.place = place;
    this.sides = sides;
    this.motions = [];
  }

  // from, to: what of the shape changes; later: whether it comes when the others have shrunk.
  add(shape, from, to, later = false) {
    this.motions.push([shape, from, to, later]);
  }

  play() {
    if (!this.isNew || still.matches) return;
    for (const [shape, from, to, later] of this.motions)
      shape.animate([from, to], {
        duration: SHRINKS,
        delay: later ? SHRINKS : 0,
        fill: "backwards",
        easing: "ease-in-out",
      });
  }
}

// The largest score, the sum as a bar and in numbers, and where its factor comes from; where the outputs are too small to
// be read beside their row, its output, too. Returns where they end.
export function ofSum(draws, { x, y, width }, corrections) {
  const { scene, type, isNarrow, sent } = draws;
  const write = (name, text, more) => scene.put(name, "text", { x, ...more }, undefined, text);
  write("followed said", sent.labels.said, { y, class: "att-read" });
  write("followed sum", sent.labels.sum, { y: y + 1.4 * type, class: "att-small" });
  const [top, high] = [y + 1.9 * type, (isOnWall() ? 2 : 3) * type];
  bar(draws, { x, y: top, high, width: Math.min(width, LONGEST * (type / 14)) }, corrections);
  const numbers = top + high + 1.3 * type;
  parts(draws, x, numbers);
  if (isNarrow) output(draws, { x, y: numbers + 1.6 * type, width });
  const from = numbers + (isNarrow ? 3.1 : 1.4) * type;
  const lines = isNarrow ? broken(sent.labels.why, width, type, draws.colours.font) : [sent.labels.why];
  lines.forEach((part, at) => write(`followed why ${at}`, part, { y: from + 1.25 * at * type, class: "att-small" }));
  // As many lines as there is room for words of every tile, so that nothing below moves.
  return from + (isNarrow ? 1.75 : 0.5) * type;
}

// The output so far of the row: as many of its numbers as there is room for.
function output({ scene, sent: { running, labels }, type, measure, colours }, { x, y, width }) {
  const put = (name, text, more) => scene.put(name, "text", { x, y, ...more }, undefined, text);
  put("followed output", labels.output_so_far, { class: "att-read" });
  const { row } = running.followed;
  const shades = decoded(running.output).slice(row * running.features, (row + 1) * running.features);
  const numbers = labels.written[row][2].split(", ");
  const end = x + width;
  x += measure(labels.output_so_far, type, 700) + 0.6 * type;
  for (const [at, said] of numbers.entries()) {
    const next = x + 1.2 * type + measure(said) + 0.6 * type;
    if (next > end && at < numbers.length - 1) return put("followed more", "…", { x });
    if (numbers.length === shades.length) {
      const box = { x, y: y - 0.75 * type, width: 0.9 * type, height: 0.9 * type };
      const fill = `rgb(${mixed(colours.signed, shades[at] / 254).map(Math.round)})`;
      scene.put(`followed cell ${at}`, "rect", { ...box, fill });
    }
    put(`followed number ${at}`, said, { x: x + 1.2 * type });
    x = next;
  }
}

function bar({ scene, sent, type }, { x, y, high, width }, corrections) {
  const [before, left, all] = sent.running.followed.sums.map((share) => share * width);
  const added = Math.max(all - left, 0);
  const above = high / 3;
  const box = { y: y + above, height: high - above };
  const old = scene.put("sum old", "rect", { class: "att-sum-old", x, width: left, ...box });
  const brought = scene.put("sum added", "rect", { class: "att-brought", x: x + left, width: added, ...box });
  if (before) {
    scene.put("sum before", "rect", { class: "att-was", x, width: before, y, height: above });
    const said = { x: x + before + 0.4 * type, y: y + above - 0.15 * type, "font-size": 0.85 * type };
    scene.put("sum before said", "text", { ...said, class: "att-small" }, undefined, sent.labels.before);
  }
  corrections.add(old, { width: `${before}px` }, { width: `${left}px` });
  corrections.add(brought, { width: "0px" }, { width: `${added}px` }, true);
}

// What was kept, and what is new, each beside its colour, and what they come to.
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
