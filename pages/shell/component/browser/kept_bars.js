// What is kept of each row as bars and cells: grey is what was there before the tile, blue what the tile brings. Where a
// larger score comes, what was there shrinks by r, from the dashed outline; of one row all parts of that are drawn.

import { mixed } from "./colour.js";
import { decoded } from "./pixels.js";
import { widthOf } from "./text.js";

const SHADES = 254;
// Milliseconds for what was there to shrink, and for what is new to come after it.
const SHRINKS = 700;
// Pixels of the widest part of the row that is followed, and of the least that has room for words.
const [PART, WORDS] = [230, 180];
const still = matchMedia("(prefers-reduced-motion: reduce)");

// The motions of a tile, played once when it has come.
export class Corrections {
  begin(tile) {
    const place = tile.join();
    this.isNew = this.place !== undefined && this.place !== place;
    this.place = place;
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
  const [maximum, factor, sum, output] = parts.map((_, at) => x + parts.slice(0, at).reduce((a, b) => a + b, 0));
  const columns = isNarrow ? { maximum, sum, output } : { maximum, factor, sum, output };
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
    write("m", m, { x: end + 4 });
    write("r", labels.factors[at], { x: factor, class: running.corrects[at] ? "att-corrects" : "att-stays" });
    write("l", l, { x: sum + Math.max(all, running.corrects[at] ? before : 0) + 4 });
  });
}

// From the line at zero to the left where it is below.
function ofMaximum({ scene, line, sent }, at, { x, width, middle, box }) {
  const { zero, maximum, corrects } = sent.running;
  const share = maximum[at] ?? zero;
  const [start, end] = [x + zero * width, x + share * width];
  scene.put(`zero ${at}`, "line", {
    ...{ class: "att-base", x1: start, x2: start, y1: middle - line / 2, y2: middle + line / 2 },
  });
  scene.put(`maximum ${at}`, "rect", {
    class: corrects[at] ? "att-maximum att-brought" : "att-maximum",
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

// One row in four parts: what was kept, times r, and this tile, is what is kept now; then what comes out of it, beside
// what the usual way makes. Returns where it ends.
export function followed(draws, { y, name: names, width }, corrections) {
  const { scene, type, colours } = draws;
  const { labels, running } = draws.sent;
  const name = Math.max(names, widthOf(labels.output_short, type, colours.font) + 8);
  const { sums, outputs } = running.followed;
  const large = type / 14;
  const isOneLine = (width - name) / 6 >= WORDS * large;
  const part = Math.min((width - name) / (isOneLine ? 6 : 4), PART * large);
  const high = 1.25 * type;
  const write = (id, text, more) => scene.put(`followed ${id}`, "text", more, undefined, text);
  reason(draws, y);
  const [heads, lines] = [y + 1.6 * type, [y + 2.1 * type, y + 2.1 * type + 1.35 * high]];
  [labels.so_far, labels.multiplied, labels.added, labels.now].forEach((said, at) =>
    write(`head ${at}`, said, { x: name + at * part, y: heads }),
  );
  [labels.sum_short, labels.output_short].forEach((said, at) =>
    write(`line ${at}`, said, { x: 0, y: lines[at] + 0.5 * high + 0.35 * type }),
  );
  const most = part - 3.4 * type;
  const shapes = sums.map((share, at) => {
    const x = name + at * part;
    const box = { y: lines[0], height: high };
    const wide = Math.max(share ?? 0, 0) * most;
    const isNew = at === 2;
    const kind = isNew ? "att-brought" : "att-sum-bar";
    const bar = scene.put(`followed bar ${at}`, "rect", { class: kind, x, width: wide, ...box });
    if (at === 1 && running.corrects[running.followed.row])
      scene.put("followed was", "rect", { class: "att-was", x, width: (sums[0] ?? 0) * most, ...box });
    const beside = at === 1 ? Math.max(wide, (sums[0] ?? 0) * most) : wide;
    write(`number ${at}`, labels.parts[at], { x: x + beside + 4, y: lines[0] + 0.5 * high + 0.35 * type });
    const cells = ofOutput(draws, `followed output ${at}`, decoded(outputs[at]), {
      ...{ x, width: 0.88 * part, box: { y: lines[1], height: high }, isThere: share !== null },
    });
    return { bar, cells, wide };
  });
  const [before, left, ...later] = shapes;
  corrections.add(left.bar, { width: `${before.wide}px` }, { width: `${left.wide}px` });
  const [from, to] = [outputs[0], outputs[1]].map((one) => decoded(one));
  left.cells.forEach((cell, at) =>
    corrections.add(cell, { fill: fillOf(from[at], colours) }, { fill: fillOf(to[at], colours) }),
  );
  for (const { bar, cells } of later)
    for (const shape of [bar, ...cells]) corrections.add(shape, { opacity: 0 }, { opacity: 1 }, true);
  const end = lines[1] + high + 4;
  if (isOneLine) {
    results(draws, { x: name + 4 * part, y: heads, part, high });
    return key(draws, end + 1.5 * type);
  }
  return key(draws, results(draws, { x: 0, y: end + 1.4 * type, part: width / 2, high }) + 1.5 * type);
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

// What the colours mean. Returns where it ends.
function key({ scene, sent, type, colours }, y) {
  const { labels } = sent;
  const shown = [
    [labels.old, { class: "att-sum-bar" }],
    [labels.new, { class: "att-brought" }],
    [labels.above, { class: "att-out-cell", fill: fillOf(0.8 * SHADES, colours) }],
    [labels.below, { class: "att-out-cell", fill: fillOf(0.2 * SHADES, colours) }],
  ];
  let x = 0;
  shown.forEach(([said, fill], at) => {
    scene.put(`key ${at}`, "rect", { ...fill, x, y: y - 0.75 * type, width: 0.9 * type, height: 0.9 * type });
    scene.put(`key said ${at}`, "text", { x: x + 1.2 * type, y }, undefined, said);
    x += 2.2 * type + widthOf(said, type, colours.font);
  });
  return y + 0.5 * type;
}
