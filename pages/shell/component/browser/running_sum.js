// What a tile does to the sum of the row that is followed: grey is what was kept before, dark what the tile brings. Where a
// larger score comes, what was kept shrinks, from the dashed outline.

import { mixed } from "./colour.js";
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

// The sum as a bar, in numbers, and where its factor comes from; where there is room, what colours mean stands before them,
// from `first`. Returns where they end.
export function ofSum(draws, { first, x, y, width }, corrections) {
  const { scene, type, isNarrow, sent } = draws;
  const write = (name, text, more) => scene.put(name, "text", { x, ...more }, undefined, text);
  write("followed said", sent.labels.said, { y, class: "att-read" });
  if (!isNarrow) signs(draws, first, y);
  const high = (isOnWall() ? 1 : 1.3) * type;
  bar(draws, { x, y: y + 0.6 * type, high, width: Math.min(width, LONGEST * (type / 14)) }, corrections);
  const numbers = y + 0.6 * type + high + 1.3 * type;
  parts(draws, x, numbers);
  // As many lines as there is room for words of every tile, so that nothing below moves.
  const lines = isNarrow ? broken(sent.labels.why, width, type, draws.colours.font) : [sent.labels.why];
  lines.forEach((part, at) => write(`followed why ${at}`, part, { y: numbers + (1.4 + 1.25 * at) * type }));
  const end = numbers + (isNarrow ? 2.65 : 1.4) * type;
  if (isNarrow) signs(draws, first, end + 1.4 * type);
  return end + (isNarrow ? 1.9 : 0.5) * type;
}

function bar({ scene, sent }, { x, y, high, width }, corrections) {
  const { sums, corrects } = sent.running.followed;
  const [before, left, all] = sums.map((share) => share * width);
  const added = Math.max(all - left, 0);
  const box = { y, height: high };
  const old = scene.put("sum old", "rect", { class: "att-sum-old", x, width: left, ...box });
  const brought = scene.put("sum added", "rect", { class: "att-brought", x: x + left, width: added, ...box });
  if (corrects) scene.put("sum before", "rect", { class: "att-was", x, width: before, ...box });
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

// What the colours of scores and outputs mean.
function signs({ scene, sent, type, colours }, start, y) {
  [0.8, 0.2].forEach((share, at) => {
    const box = { x: start + 1.2 * type * at, y: y - 0.75 * type, width: 0.9 * type, height: 0.9 * type };
    const fill = `rgb(${mixed(colours.signed, share).map(Math.round)})`;
    scene.put(`sign ${at}`, "rect", { ...box, fill });
  });
  scene.put("signs", "text", { x: start + 2.4 * type, y }, undefined, sent.labels.signs);
}
