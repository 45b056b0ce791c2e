// Below the words one line for each head: at each word its weight, and beside it an arrow that says whether a larger or
// a smaller weight would help the answer. Three sizes say how strong the push is; numbers are told under the pointer,
// and in the table. After a layer has learned, a line marks the former weight of each arrow, and the arrow is hollow if
// the weight went the other way. A bar that is pointed at or moved by hand has its weight in numbers above it.

import { isHeld, taking } from "./lane_hand.js";
import { laneAnswers } from "./lane_answers.js";
import { laneGain } from "./lane_gain.js";
import { laneKey } from "./lane_key.js";
import { BEYOND, NAME, UP, DOWN, barOf, box, heightOf, push, wideOf } from "./lane_shapes.js";
import { filled } from "./text.js";

// Pixels between two lines.
const APART = 12;
// Decimals of a weight, and the most that are used to tell its two values apart.
const [DIGITS, MOST] = [2, 4];
// The least change of a weight without an arrow that counts as moved; the radius of the handle.
const [MOVED, GRIP] = [0.02, 7];
const MARKS = { right: "✓", wrong: "✗" };

export function lanes(draws) {
  const { line, large, at, sent } = draws;
  at.y += 11 * large;
  const top = at.y;
  const [due, bars] = [[], []];
  sent.asks.forEach((ask, of) => {
    head(draws, ask.weights, of, due, bars);
    at.y += heightOf(line, large) + APART * large;
  });
  // Write the numbers above all bars.
  due.forEach((write) => write());
  laneAnswers(draws);
  if (!line.hasKey) at.y = laneGain(draws, at.y);
  const beside = laneKey(draws, top, at.y);
  at.y = line.hasKey ? Math.max(at.y, laneGain(draws, beside)) : beside;
  return bars;
}

function head({ scene, parent, line, large, at, sent, labels, colours, pointed, take }, weights, of, due, bars) {
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
  const barAt = (to, tall) => box(columns[to].middle - bar - 1, bottom - tall, bar, tall);
  const boxes = (heights) => heights.map((tall, to) => barAt(to, tall)).join("");
  scene.put(`frames ${of}`, "path", { class: "att-share-frame", d: boxes(columns.map(() => high)) }, parent);
  const tallOf = (weight) => Math.min(weight, 1) * high;
  scene.put(`weights ${of}`, "path", { class: "att-lane-weight", d: boxes(weights.map(tallOf)) }, parent);
  const widest = wideOf(line, large, 3);
  const arrowAt = (to, pushed) =>
    push(line, large, columns[to].middle + 3 + widest / 2, middle, Math.abs(pushed), Math.sign(pushed));
  for (const [side, sign, tone] of /** @type {[string, number, number][]} */ ([
    ["up", 1, UP],
    ["down", -1, DOWN],
  ])) {
    const d = sent.pushes[of]
      .map((pushed, to) => arrowAt(to, sign * pushed > 0 && !isMissed(sent, of, to) ? pushed : 0))
      .join("");
    scene.put(`${side} ${of}`, "path", { class: "att-push", d, fill: colours.series[tone] }, parent);
  }
  const missed = sent.pushes[of].map((pushed, to) => (isMissed(sent, of, to) ? arrowAt(to, pushed) : "")).join("");
  scene.put(`missed ${of}`, "path", { class: "att-lane-missed", d: missed }, parent);
  // The strongest push, and its bar.
  const [strongest, where] = sent.fastest;
  if (strongest === of && sent.pushes[of][where]) {
    const d = arrowAt(where, sent.pushes[of][where]) + barAt(where, high);
    scene.put("strongest", "path", { class: "att-push-strongest", d }, parent);
  }
  const before = sent.before[of] ?? [];
  // If the layer has made no steps along the arrows, every weight that has moved has a line.
  const hasLine = (to, weight) => (sent.came.length ? sent.pushes[of][to] : Math.abs(weights[to] - weight) >= MOVED);
  const lineAt = (to, weight) =>
    hasLine(to, weight)
      ? `M${columns[to].middle - bar - 1 - BEYOND},${bottom - tallOf(weight)}h${bar + 2 * BEYOND}`
      : "";
  const lines = before.map((weight, to) => lineAt(to, weight)).join("");
  scene.put(`before ${of}`, "path", { class: "att-lane-before", d: lines }, parent);
  columns.forEach((column, to) => {
    const place = { x: column.middle - column.width / 2, y: top, width: column.width, height: high };
    const field = scene.put(`told ${of} ${to}`, "rect", { class: "att-lane-field", ...place }, parent);
    const numbers = { weight: weightOf(sent, of, to), push: labels.written[of]?.[to] ?? "" };
    const words = { head: sent.asks[of].head, word: sent.tokens[to], ...numbers };
    const said = [filled(labels.told, words), labels.whys[of][to]].filter(Boolean).join("\n");
    scene.put(`tells ${of} ${to}`, "title", {}, field, said);
    const name = `${of} ${to}`;
    const write = () => {
      const x = Math.max(column.middle - bar / 2, 4.5 * NAME * large);
      const look = { class: "att-lane-number", x, y: top + NAME * large, "font-size": NAME * large };
      scene.put("pointed", "text", look, parent, pointed.at === name ? numbers.weight : "");
    };
    const at = (next) => () => {
      pointed.at = next;
      write();
    };
    Object.assign(field, { onpointerenter: at(name), onclick: at(name), onpointerleave: at(null) });
    if (pointed.at === name) due.push(write);
    const own = of * columns.length + to;
    if (sent.isTaken) {
      field.setAttribute("aria-label", said);
      bars.push(taking(field, { sent, of, to, take: () => take(sent.tokens.length + own) }));
    }
    const x = column.middle - bar / 2 - 1;
    if (isHeld(sent, of, to)) {
      const grip = { class: "att-lane-grip", cx: x, cy: bottom - tallOf(weights[to]), r: GRIP * large };
      due.push(() => scene.put("grip", "circle", grip, parent));
    }
    if (sent.marked[0] === of && sent.marked[1] === to) {
      const mark = {
        class: `att-lane-mark att-${sent.marked[2]}`,
        x,
        y: bottom - 4 * large,
        "font-size": NAME * large,
      };
      due.push(() => scene.put("marked", "text", mark, parent, MARKS[sent.marked[2]]));
    }
  });
}

// A weight in words; after a layer has learned, with its former value.
export function weightOf({ asks, before, pushes }, of, to) {
  const [then, now] = [before[of]?.[to], asks[of].weights[to]];
  if (then === undefined) return now.toFixed(DIGITS);
  let digits = DIGITS;
  while (pushes[of][to] && digits < MOST && then.toFixed(digits) === now.toFixed(digits)) digits += 1;
  const written = [then, now].map((weight) => weight.toFixed(digits));
  return written[0] === written[1] ? now.toFixed(DIGITS) : written.join(" → ");
}

// Whether the layer has learned and the weight has not followed its arrow.
const isMissed = ({ pushes, came }, of, to) => Boolean(pushes[of][to] && came[of] && !came[of][to]);
