// Below the words a line for each head: at each word its weight, and beside it an arrow that says whether more of it would
// help the answer or hurt it. Three sizes say how hard it is pushed; the numbers are told where one points, and in the table.

import { filled, widthOf } from "./text.js";

// Pixels: a line, on a narrow screen, between two lines, the widest bar, type of names.
const [HIGH, LOW, APART, BAR, NAME] = [68, 44, 12, 15, 15];
// Of no push, a weak, a clear and a strong one: the length of the arrow as a share of its line; its width as a share of
// that of a bar, and where there is little room.
const LONG = [0, 0.32, 0.6, 0.94];
const WIDE = [0, 0.8, 1.15, 1.6];
const SLIM = [0, 0.6, 0.8, 1];
// The colours of both directions, of those that a figure has beside each other: neither is that of the bars.
const [UP, DOWN] = [2, 0];

// Between what the key tells; between its lines, below its arrows, and below it.
const [BESIDE, LEAD, BELOW] = [18, 6, 10];

const box = (x, y, wide, high) =>
  `M${x.toFixed(2)},${y.toFixed(2)}h${wide.toFixed(2)}v${high.toFixed(2)}h${(-wide).toFixed(2)}Z`;

// An arrow around a point, up or, where it is below 0, down; its tip is as high as half of it is wide.
function arrow(x, y, wide, long) {
  const [tip, end] = [y - long / 2, y + long / 2];
  const neck = tip + Math.sign(long) * Math.min(Math.abs(long) / 2, wide * 0.6);
  const points = [
    [x, tip],
    [x + wide / 2, neck],
    [x + wide / 4, neck],
    [x + wide / 4, end],
    [x - wide / 4, end],
    [x - wide / 4, neck],
    [x - wide / 2, neck],
  ];
  return `M${points.map((point) => point.map((one) => one.toFixed(2)).join(",")).join("L")}Z`;
}

export function lanes(draws) {
  const { line, large, at, sent } = draws;
  at.y += 6 * large;
  key(draws);
  sent.asks.forEach((ask, of) => {
    head(draws, ask.weights, of);
    at.y += heightOf(line, large) + APART * large;
  });
}

const heightOf = ({ isWide }, large) => (isWide ? HIGH : LOW) * large;

const barOf = ({ columns }, large) => Math.min(BAR * large, columns[0].width / 2 - 2);

// An arrow of one of the sizes: the same in the key as in the line of a head.
function push(line, large, x, y, size, sign) {
  const wide = barOf(line, large) * (line.isWide ? WIDE : SLIM)[size];
  return arrow(x, y, wide, sign * LONG[size] * heightOf(line, large));
}

// What bars and arrows are, once for all heads: where there is little room, in short, and without the sizes.
function key({ scene, parent, line, large, at, labels, colours }) {
  const [wides, words] = [line.isWide ? WIDE : SLIM, line.isWide ? labels : labels.short_key];
  const [bar, high] = [barOf(line, large), heightOf(line, large)];
  const way = (name, sign, tone) => ({
    name,
    wide: bar * wides[1],
    high: LONG[1] * high,
    drawn: (x, y) => push(line, large, x + (bar * wides[1]) / 2, y, 1, sign),
    look: { class: "att-push", fill: colours.series[tone] },
  });
  const told = [
    {
      name: "weight",
      wide: bar,
      high: NAME * large,
      drawn: (x, y) => box(x, y - (NAME * large) / 2, bar, NAME * large),
      look: { class: "att-lane-weight" },
    },
    way("up", 1, UP),
    way("down", -1, DOWN),
    ...(line.isWide ? [sizes(line, large)] : []),
    // How many times as long arrows are drawn.
    ...(words.times ? [{ name: "times", wide: 0, high: 0, drawn: () => "", look: {} }] : []),
  ];
  const left = line.isWide ? line.left : 2;
  const rows = [[]];
  let x = left;
  for (const one of told) {
    const long = one.wide + 5 * large + widthOf(words[one.name], NAME * large, colours.font);
    if (x > left && x + long > line.width) {
      rows.push([]);
      x = left;
    }
    rows.at(-1).push({ ...one, x });
    x += long + BESIDE * large;
  }
  for (const row of rows) {
    const tall = Math.max(NAME * large, ...row.map((one) => one.high));
    const middle = at.y + tall / 2;
    for (const { name, wide, x: from, drawn, look } of row) {
      scene.put(`key ${name}`, "path", { d: drawn(from, middle), ...look }, parent);
      const kind = name === "times" ? "att-line-name att-strong" : "att-line-name";
      const place = { class: kind, x: from + wide + 5 * large, y: middle + 5 * large, "font-size": NAME * large };
      scene.put(`key ${name} said`, "text", place, parent, words[name]);
    }
    at.y += tall + LEAD * large;
  }
  at.y += (BELOW - LEAD) * large;
}

// The three sizes of an arrow, beside each other.
function sizes(line, large) {
  const wides = WIDE.map((one) => one * barOf(line, large));
  const from = (size) => wides.slice(1, size).reduce((sum, each) => sum + each + 3 * large, 0);
  const drawn = (x, y) => [1, 2, 3].map((size) => push(line, large, x + from(size) + wides[size] / 2, y, size, 1));
  return {
    name: "sizes",
    wide: from(4) - 3 * large,
    high: LONG[3] * heightOf(line, large),
    drawn: (x, y) => drawn(x, y).join(""),
    look: { class: "att-push", fill: "var(--att-grey)" },
  };
}

function head({ scene, parent, line, large, at, sent, labels, colours }, weights, of) {
  const high = heightOf(line, large);
  const [top, bottom, middle] = [at.y, at.y + high, at.y + high / 2];
  const { columns } = line;
  const right = columns.at(-1).middle + columns.at(-1).width / 2;
  const bar = barOf(line, large);
  const said = { class: "att-line-name", "font-size": NAME * large };
  if (line.isWide) Object.assign(said, { x: line.left - 10 * large, y: middle + 5 * large, "text-anchor": "end" });
  else Object.assign(said, { x: right + 2, y: middle + 5 * large, "text-anchor": "start" });
  scene.put(`lane ${of}`, "text", said, parent, line.isWide ? labels.short[of] : String(sent.asks[of].head));
  scene.put(`floor ${of}`, "path", { class: "att-zero", d: `M${line.left},${bottom}H${right}` }, parent);
  const boxes = (heights) =>
    columns.map((column, to) => box(column.middle - bar - 1, bottom - heights[to], bar, heights[to])).join("");
  scene.put(`frames ${of}`, "path", { class: "att-share-frame", d: boxes(columns.map(() => high)) }, parent);
  const shares = weights.map((weight) => Math.min(weight, 1) * high);
  scene.put(`weights ${of}`, "path", { class: "att-lane-weight", d: boxes(shares) }, parent);
  const widest = bar * (line.isWide ? WIDE : SLIM)[3];
  const arrowAt = (to, pushed) =>
    push(line, large, columns[to].middle + 3 + widest / 2, middle, Math.abs(pushed), Math.sign(pushed));
  for (const [side, sign, tone] of /** @type {[string, number, number][]} */ ([
    ["up", 1, UP],
    ["down", -1, DOWN],
  ])) {
    const d = sent.pushes[of].map((pushed, to) => arrowAt(to, sign * pushed > 0 ? pushed : 0)).join("");
    scene.put(`${side} ${of}`, "path", { class: "att-push", d, fill: colours.series[tone] }, parent);
  }
  const [strongest, where] = sent.fastest;
  if (strongest === of && sent.pushes[of][where])
    scene.put("strongest", "path", { class: "att-push-strongest", d: arrowAt(where, sent.pushes[of][where]) }, parent);
  columns.forEach((column, to) => {
    const place = { x: column.middle - column.width / 2, y: top, width: column.width, height: high };
    const field = scene.put(`told ${of} ${to}`, "rect", { class: "att-lane-field", ...place }, parent);
    const numbers = { weight: weights[to].toFixed(2), push: labels.written[of][to] };
    const words = { head: sent.asks[of].head, word: sent.tokens[to], ...numbers };
    scene.put(`tells ${of} ${to}`, "title", {}, field, filled(labels.told, words));
  });
}
