// Below the words a line for each head: at each word its weight, and beside it what pushes that weight up or down.

import { inLines } from "./chart_layout.js";
import { mixed } from "./colour.js";
import { slanted } from "./columns.js";
import { widthOf } from "./text.js";

// Pixels: a line, on a narrow screen, between two lines, the widest bar, type of names and of numbers.
const [HIGH, LOW, APART, BAR, NAME, NUMBER] = [68, 44, 12, 15, 15, 14];
// The share of the longest push from which its number is written beside it, on a wide screen.
const WRITTEN = 0.08;
// Pixels of the shortest push that is drawn.
const LEAST = 2;
// How strongly both directions are coloured.
const [UP, DOWN] = [0.92, 0.08];

const box = (x, y, wide, high) =>
  `M${x.toFixed(2)},${y.toFixed(2)}h${wide.toFixed(2)}v${high.toFixed(2)}h${(-wide).toFixed(2)}Z`;

// From a middle line so far up, or down where it is below 0: a bar that ends in a tip.
function arrow(x, y, wide, far) {
  const tip = Math.sign(far) * Math.min(Math.abs(far), 6);
  const [left, right, end] = [x, x + wide, y - far + tip].map((one) => one.toFixed(2));
  return `M${left},${y.toFixed(2)}L${left},${end}L${(x + wide / 2).toFixed(2)},${(y - far).toFixed(2)}L${right},${end}L${right},${y.toFixed(2)}Z`;
}

export function lanes(draws) {
  const { line, large, at, sent, labels } = draws;
  at.y += 6 * large;
  key(draws);
  if (!line.isWide)
    slanted({ ...draws, options: sent.tokens.map(() => draws.parent), sent: { ...sent, answer: -1 } }, sent.tokens);
  sent.asks.forEach((ask, of) => {
    head(draws, ask.weights, sent.flows[of], labels.written[of], labels.short[of], of);
    at.y += heightOf(line, large) + APART * large;
  });
}

const heightOf = ({ isWide }, large) => (isWide ? HIGH : LOW) * large;

// What both bars are, once for all heads.
function key({ scene, parent, line, large, at, labels, colours }) {
  const y = at.y + 13 * large;
  let x = line.isWide ? line.left : 2;
  const [wide, high] = [9 * large, 13 * large];
  const put = (name, d, text, look) => {
    scene.put(`key ${name}`, "path", { d, ...look }, parent);
    x += wide + 5 * large;
    scene.put(`key ${name} said`, "text", { class: "att-line-name", x, y, "font-size": NAME * large }, parent, text);
    x += widthOf(text, NAME * large, colours.font) + 18 * large;
  };
  put("weight", box(x, y - high + 2, wide, high), labels.weight, { class: "att-lane-weight" });
  put("up", arrow(x, y + 2, wide, high), labels.up, { class: "att-push", fill: tone(colours, UP) });
  put("down", arrow(x, y + 2 - high, wide, -high), labels.down, { class: "att-push", fill: tone(colours, DOWN) });
  // What lengths and numbers are: on a narrow screen, in lines of their own.
  const words = labels.measure;
  if (x + widthOf(words, NAME * large, colours.font) <= line.width) {
    scene.put("key measure", "text", { class: "att-line-name", x, y, "font-size": NAME * large }, parent, words);
  } else {
    inLines(words, line.width - 4, (one) => widthOf(one, NAME * large, colours.font)).forEach((one, row) => {
      at.y += 19 * large;
      const said = { class: "att-line-name", x: 2, y: at.y + 13 * large, "font-size": NAME * large };
      scene.put(`key measure ${row}`, "text", said, parent, one);
    });
  }
  at.y += 26 * large;
}

const tone = ({ signed }, share) => `rgb(${mixed(signed, share).map(Math.round)})`;

function head({ scene, parent, line, large, at, sent, colours }, weights, pushes, written, name, of) {
  const high = heightOf(line, large);
  const [top, bottom, middle] = [at.y, at.y + high, at.y + high / 2];
  const { columns } = line;
  const right = columns.at(-1).middle + columns.at(-1).width / 2;
  const bar = Math.min(BAR * large, columns[0].width / 2 - 2);
  const said = { class: "att-line-name", "font-size": NAME * large };
  if (line.isWide) Object.assign(said, { x: line.left - 10 * large, y: middle + 5 * large, "text-anchor": "end" });
  else Object.assign(said, { x: right + 2, y: middle + 5 * large, "text-anchor": "start" });
  scene.put(`lane ${of}`, "text", said, parent, line.isWide ? name : String(sent.asks[of].head));
  scene.put(`floor ${of}`, "path", { class: "att-zero", d: `M${line.left},${bottom}H${right}` }, parent);
  const boxes = (heights) =>
    columns.map((column, to) => box(column.middle - bar - 1, bottom - heights[to], bar, heights[to])).join("");
  scene.put(`frames ${of}`, "path", { class: "att-share-frame", d: boxes(columns.map(() => high)) }, parent);
  const shares = weights.map((weight) => Math.min(weight, 1) * high);
  scene.put(`weights ${of}`, "path", { class: "att-lane-weight", d: boxes(shares) }, parent);
  // By the square root: weak pushes are seen beside strong ones.
  const far = pushes.map((push) => (Math.sign(push) * Math.sqrt(Math.min(1, Math.abs(push) / sent.bound)) * high) / 2);
  const push = (side, sign, share) => {
    const long = far.map((one) => (sign * one < LEAST ? 0 : one));
    const d = columns.map((column, to) => arrow(column.middle + 2, middle, bar, long[to])).join("");
    scene.put(`${side} ${of}`, "path", { class: "att-push", d, fill: tone(colours, share) }, parent);
  };
  push("up", 1, UP);
  push("down", -1, DOWN);
  const [fastest, where] = sent.fastest;
  columns.forEach((column, to) => {
    const isFastest = fastest === of && where === to;
    // A push that is too weak to be drawn has no number either.
    if (Math.abs(far[to]) < LEAST) return;
    if (!isFastest && !(line.isWide && Math.abs(pushes[to]) >= WRITTEN * sent.bound)) return;
    const number = { class: isFastest ? "att-push-number att-strong" : "att-push-number", "font-size": NUMBER * large };
    const isRoomy = line.isWide;
    number.x = isRoomy ? column.middle + bar + 6 * large : column.middle;
    number.y = isRoomy ? middle + (pushes[to] > 0 ? -4 : 14) * large : pushes[to] > 0 ? bottom - 2 : top + 10 * large;
    number["text-anchor"] = isRoomy ? "start" : to > columns.length / 2 ? "end" : "start";
    if (!isRoomy) number.x += to > columns.length / 2 ? -bar - 5 : bar + 5;
    scene.put(`pushed ${of} ${to}`, "text", number, parent, written[to]);
  });
}
