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

// What bars and arrows are, once for all heads: where there is little room, in short.
function key({ scene, parent, line, large, at, labels, colours }) {
  const [wide, high] = [9 * large, 15 * large];
  const left = line.isWide ? line.left : 2;
  let x = left;
  const said = (name, text, width) => {
    const long = width + 5 * large + widthOf(text, NAME * large, colours.font);
    if (x > left && x + long > line.width) {
      x = left;
      at.y += 21 * large;
    }
    const place = { class: "att-line-name", x: x + width + 5 * large, y: at.y + 13 * large, "font-size": NAME * large };
    scene.put(`key ${name} said`, "text", place, parent, text);
    const from = x;
    x += long + 18 * large;
    return from;
  };
  const put = (name, d, look) => scene.put(`key ${name}`, "path", { d, ...look }, parent);
  const middle = () => at.y + 15 * large - high / 2;
  const words = line.isWide ? labels : labels.short_key;
  const weight = said("weight", words.weight, wide);
  put("weight", box(weight, middle() - high / 2, wide, high), { class: "att-lane-weight" });
  for (const [way, sign, tone] of /** @type {[string, number, number][]} */ ([
    ["up", 1, UP],
    ["down", -1, DOWN],
  ])) {
    const from = said(way, words[way], 14 * large);
    const d = arrow(from + 7 * large, middle(), 14 * large, sign * 17 * large);
    put(way, d, { class: "att-push", fill: colours.series[tone] });
  }
  if (line.isWide) steps(said, put, middle(), labels.sizes, large);
  // How many times as long arrows are drawn.
  if (words.times) scene.put("key times", "text", timesAt(x, at, large), parent, words.times);
  at.y += 28 * large;
}

const timesAt = (x, at, large) => ({
  class: "att-line-name att-strong",
  x,
  y: at.y + 13 * large,
  "font-size": NAME * large,
});

// The three sizes of an arrow.
function steps(said, put, middle, text, large) {
  const wides = [8, 13, 18].map((one) => one * large);
  const from = said("sizes", text, wides[0] + wides[1] + wides[2] + 6 * large);
  const d = wides.map((one, size) => {
    const before = wides.slice(0, size).reduce((sum, each) => sum + each + 3 * large, 0);
    return arrow(from + before + one / 2, middle, one, [8, 14, 20][size] * large);
  });
  put("sizes", d.join(""), { class: "att-push", fill: "var(--att-grey)" });
}

function head({ scene, parent, line, large, at, sent, labels, colours }, weights, of) {
  const high = heightOf(line, large);
  const [top, bottom, middle] = [at.y, at.y + high, at.y + high / 2];
  const { columns } = line;
  const right = columns.at(-1).middle + columns.at(-1).width / 2;
  const bar = Math.min(BAR * large, columns[0].width / 2 - 2);
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
  const wide = line.isWide ? WIDE : SLIM;
  const arrowAt = (to, push) => {
    const size = Math.abs(push);
    return arrow(
      columns[to].middle + 3 + (bar * wide[3]) / 2,
      middle,
      bar * wide[size],
      Math.sign(push) * LONG[size] * high,
    );
  };
  for (const [side, sign, tone] of /** @type {[string, number, number][]} */ ([
    ["up", 1, UP],
    ["down", -1, DOWN],
  ])) {
    const d = sent.pushes[of].map((push, to) => arrowAt(to, sign * push > 0 ? push : 0)).join("");
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
