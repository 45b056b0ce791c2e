// What is kept of each row as bars and cells: grey is what was there before the tile, dark what the tile brings. Where a
// larger score comes, what was there shrinks by r, from the dashed outline.

import { mixed } from "./colour.js";
import { decoded } from "./pixels.js";
import { widthOf } from "./text.js";

const SHADES = 254;
// Milliseconds for what was there to shrink, and for what is new to come after it.
const SHRINKS = 700;
// Pixels of the widest result of the row that is followed.
const PART = 300;
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

// draws: scene, sent, line, type, colours, isNarrow; place: x, y and width of all columns.
export function bars(draws, { x, y, width }, corrections) {
  const { scene, line, type, isNarrow } = draws;
  const { labels, running } = draws.sent;
  const shares = isNarrow ? [0.3, 0, 0.36, 0.34] : [0.25, 0.13, 0.32, 0.3];
  const parts = shares.map((share) => share * width);
  const [maximum, , sum, output] = parts.map((_, at) => x + parts.slice(0, at).reduce((a, b) => a + b, 0));
  const columns = { maximum, sum, output };
  for (const [name, at] of Object.entries(columns)) {
    const base = { x: at, y: y - 0.6 * type };
    const said = isNarrow ? labels[`${name}_short`] : labels[name];
    const slanted = isNarrow ? { transform: `rotate(-50 ${base.x + 6} ${base.y})` } : { transform: null };
    scene.put(`head ${name}`, "text", { ...base, ...slanted }, undefined, said);
  }
  const { row } = running.followed;
  scene.put("followed band", "rect", {
    class: "att-followed",
    x: 0,
    y: y + row * line,
    width: x + width,
    height: line,
  });
  // Numbers stand beside their bars, where there is room for them.
  const isWritten = line >= type && !isNarrow;
  const room = isNarrow ? 8 : 3.6 * type;
  running.rows.forEach((_, at) => {
    const middle = y + (at + 0.5) * line;
    const base = middle + 0.35 * type;
    const box = { y: middle - 0.31 * line, height: 0.62 * line };
    const write = (name, text, more) => scene.put(`${name} ${at}`, "text", { y: base, ...more }, undefined, text);
    const end = ofMaximum(draws, at, { x: maximum, width: parts[0] - room, middle, box });
    const [all, left, before] = running.sums[at].map((share) => share * (parts[2] - room));
    ofSum(draws, at, { x: sum, all, left, before, box }, corrections);
    ofOutput(draws, `output ${at}`, decoded(running.output).slice(at * running.features, (at + 1) * running.features), {
      ...{ x: output, width: parts[3], box, isThere: running.maximum[at] !== null },
    });
    if (!isWritten) return;
    const [m, l] = labels.written[at];
    const first = write("m", m, { x: end + 4 });
    // What is done to the sum stands right before it.
    if (running.corrects[at])
      write("r", labels.factors[at], { x: sum - 8, "text-anchor": "end", class: "att-corrects" });
    const second = write("l", l, { x: sum + Math.max(all, running.corrects[at] ? before : 0) + 4 });
    if (at < running.tile[0] || at >= running.tile[1]) return;
    // A number is there when its bar is.
    for (const [number, later] of [
      [first, false],
      [second, true],
    ])
      corrections.add(number, { opacity: 0 }, { opacity: 1 }, later);
  });
}

// From the line at zero to the left where it is below.
function ofMaximum({ scene, line, sent }, at, { x, width, middle, box }) {
  const { zero, maximum, raised } = sent.running;
  const share = maximum[at] ?? zero;
  const [start, end] = [x + zero * width, x + share * width];
  scene.put(`zero ${at}`, "line", {
    ...{ class: "att-base", x1: start, x2: start, y1: middle - line / 2, y2: middle + line / 2 },
  });
  scene.put(`maximum ${at}`, "rect", {
    class: raised[at] ? "att-maximum att-brought" : "att-maximum",
    x: Math.min(start, end),
    width: Math.abs(end - start),
    ...box,
  });
  return Math.max(start, end);
}

function ofSum({ scene, sent }, at, { x, all, left, before, box }, corrections) {
  const { corrects, tile } = sent.running;
  const old = scene.put(`old ${at}`, "rect", { class: "att-sum-bar", x, width: left, ...box });
  const added = scene.put(`added ${at}`, "rect", {
    class: "att-brought",
    x: x + left,
    width: Math.max(all - left, 0),
    ...box,
  });
  if (corrects[at]) scene.put(`ghost ${at}`, "rect", { class: "att-was", x, width: before, ...box });
  if (at < tile[0] || at >= tile[1]) return;
  corrections.add(old, { width: `${before}px` }, { width: `${left}px` });
  corrections.add(added, { width: "0px" }, { width: `${Math.max(all - left, 0)}px` }, true);
}

function fillOf(shade, colours) {
  return `rgb(${mixed(colours.signed, shade / SHADES).map(Math.round)})`;
}

function ofOutput({ scene, line, colours }, name, shades, { x, width, box, isThere }) {
  const wide = Math.min(width / shades.length, 1.4 * line);
  return [...shades].map((shade, feature) =>
    scene.put(`${name} ${feature}`, "rect", {
      ...{ class: "att-out-cell", x: x + feature * wide, width: wide, ...box },
      fill: isThere ? fillOf(shade, colours) : "transparent",
    }),
  );
}

// What r is for the row that is followed. Returns where it ends.
export function reason({ scene, sent, type, isNarrow }, y) {
  const attributes = { x: 0, y, class: "att-read" };
  scene.put("followed why", "text", attributes, undefined, sent.labels.why[isNarrow ? 1 : 0]);
  return y + 0.4 * type;
}

// Of one row why it is corrected, and what comes out of it, beside what the usual way makes. Returns where it ends.
export function followed(draws, { y, width }) {
  const { type } = draws;
  reason(draws, y);
  const part = Math.min(width / 2, PART * (type / 14));
  const end = results(draws, { x: 0, y: y + 1.8 * type, part, high: 1.25 * type });
  return key(draws, end + 1.5 * type, width);
}

// The output by tiles so far, and that of softmax over the whole row: the same cells in the end. Returns where they end.
function results(draws, { x, y, part, high }) {
  const { scene, type, colours, isNarrow } = draws;
  const { labels, running } = draws.sent;
  const { results: both, agrees } = running.followed;
  // Where there is little room, no more than the verdict is said, behind its name.
  const cells = y + 0.5 * type + (isNarrow ? 0 : 1.35 * high);
  const words = [
    [labels.by_tiles, labels.reached, agrees ? "att-agrees" : null],
    [labels.usual, labels.usual_why, null],
  ];
  words.forEach(([head, said, kind], at) => {
    const place = { x: x + at * part };
    scene.put(`result head ${at}`, "text", { ...place, y, class: "att-read" }, undefined, head);
    const behind = { x: place.x + widthOf(head, type, colours.font, 700) + 0.6 * type, y, class: kind };
    const below = { ...place, y: y + 0.5 * type + 0.5 * high + 0.35 * type, class: kind };
    if (!isNarrow || kind) scene.put(`result said ${at}`, "text", isNarrow ? behind : below, undefined, said);
    const box = { y: cells, height: high };
    const isThere = at > 0 || running.maximum[running.followed.row] !== null;
    ofOutput(draws, `result ${at}`, decoded(both[at]), { ...place, width: 0.88 * part, box, isThere });
  });
  return cells + high + 4;
}

// What the colours mean, in as many lines as the width needs. Returns where it ends.
function key({ scene, sent, type, colours }, y, width) {
  const { labels, running } = sent;
  const sign = (share) => ({ class: "att-out-cell", fill: fillOf(share * SHADES, colours) });
  const shown = [
    [labels.old, { class: "att-sum-bar" }],
    [labels.new, { class: "att-brought" }],
    // Where nothing shrinks, nothing is dashed.
    ...(running.corrects.some((one) => one) ? [[labels.was, { class: "att-was" }]] : []),
    [labels.signs, sign(0.8), sign(0.2)],
  ];
  let x = 0;
  shown.forEach(([said, ...fills], at) => {
    const boxes = 1.2 * type * fills.length;
    const wide = boxes + widthOf(said, type, colours.font);
    if (x > 0 && x + wide > width) [x, y] = [0, y + 1.5 * type];
    fills.forEach((fill, of) => {
      const box = { x: x + 1.2 * type * of, y: y - 0.75 * type, width: 0.9 * type, height: 0.9 * type };
      scene.put(`key ${at} ${of}`, "rect", { ...fill, ...box });
    });
    scene.put(`key said ${at}`, "text", { x: x + boxes, y }, undefined, said);
    x += wide + type;
  });
  return y + 0.5 * type;
}
