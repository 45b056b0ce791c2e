// The lines under the arcs, one for each question of the word: a tick for each draw so far with a right answer, a cross
// for a wrong one, a ring for one that is right with all of its arcs cut, and the number of right ones. A frame marks
// the shown draw; draws to come are dots. If there is another layer, the last two lines are of both layers: the results
// of one answer after the same cuts. A click on the other layer's line shows its arcs.

import { pressed } from "./pressed.js";
import { filled, widthOf } from "./text.js";

// Pixels: above and below the lines, a line, the type, the largest mark, from a name to the marks, above the lines of
// two layers; if the words wrap, the number of lines of marks, and their distance.
const [ABOVE, BELOW, HIGH, SIZE, MARK, GAP, OTHER] = [18, 8, 22, 15, 11, 12, 6];
const [LINES, APART] = [2, 19];
// The part of its place that a mark takes, and the part of the largest mark below which a tick is a stroke.
const [SHARE, SMALL] = [0.62, 0.6];

const tick = (x, y, side) =>
  side < MARK * SMALL
    ? `M${x},${y - MARK / 2}v${MARK}`
    : `M${x - side / 2},${y}l${side * 0.35},${side * 0.4}l${side * 0.65},${-side * 0.9}`;
const cross = (x, y, side) =>
  `M${x - side / 2},${y - side / 2}l${side},${side}M${x - side / 2},${y + side / 2}l${side},${-side}`;
const ring = (x, y, side) =>
  `M${x - 0.4 * side},${y}a${0.4 * side},${0.4 * side} 0 1 0 ${0.8 * side},0a${0.4 * side},${0.4 * side} 0 1 0 ${-0.8 * side},0`;
const dot = (x, y) => `M${x},${y}h0`;

// The lines in their order: of two layers, the one without dropout is the last. at: the suffix of the names of a line's
// parts.
function ordered({ rights, beside }, { asked, beside: name }) {
  const rows = rights.map((marks, at) => ({ at, marks, name: asked[at], sets: null, isOne: false }));
  if (!beside) return rows;
  const [here] = rows.splice(beside.row, 1);
  const there = { at: rights.length, marks: beside.rights, name, sets: beside.sets, isOne: true };
  const both = [{ ...here, isOne: true }, there];
  return [...rows, ...(beside.isBelow ? both : both.reverse())];
}

// Draw the lines. Returns where they end.
export function answers({ scene, parent, sent, labels, line, large, font, top, at }) {
  if (!sent.rights.length) return top;
  const size = SIZE * large;
  const rows = ordered(sent, labels);
  const asked = rows.map(({ name }) => name);
  const wide = (texts) => Math.max(...texts.map((text) => widthOf(text, size, font, 600)));
  const counted = (right, draws, lucky) =>
    filled(labels.counted, { right, draws, lucky: lucky ? filled(labels.rings, { lucky }) : "" });
  // The counts have room for all draws, so that nothing moves. If ticks would be strokes, the words stand above the
  // marks.
  const most = wide([counted(sent.draws, sent.draws, sent.draws)]);
  const beside = [Math.max(line.left, wide(asked) + GAP), line.width - most - GAP];
  const isWide = line.isWide && (SHARE * (beside[1] - beside[0])) / sent.draws >= SMALL * MARK * large;
  const [left, right] = isWide ? beside : [2, line.width - 2];
  const many = Math.ceil(sent.draws / (isWide ? 1 : LINES));
  const one = (right - left) / many;
  const side = Math.min(MARK * large, SHARE * one);
  const high = (isWide ? HIGH : HIGH + LINES * APART) * large;
  let next = top + ABOVE * large;
  rows.forEach(({ at: row, marks: rights, name: asks, sets, isOne }, order) => {
    const named = next + (isOne && !rows[order - 1]?.isOne ? OTHER * large : 0);
    // A name that leaves no room for the count has a line of its own.
    const isLong = !isWide && wide([asks]) + GAP + most > line.width;
    const above = named + (isLong ? APART * large : 0);
    next = above + high;
    const y = above + 0.5 * HIGH * large;
    const group = isOne ? layer({ scene, parent, row, asks, sets }) : parent;
    const hit = { class: "att-hit", x: 0, y: named, width: line.width, height: next - named };
    if (sets) scene.put(`hit ${row}`, "rect", hit, group);
    const said = (name, text, look) =>
      scene.put(`${name} ${row}`, "text", { y: y + 0.35 * size, "font-size": size, ...look }, group, text);
    said("asked", asks, {
      class: "att-line-name",
      x: isWide ? left - GAP : 0,
      y: y - above + named + 0.35 * size,
      "text-anchor": isWide ? "end" : "start",
    });
    const drawn = [...rights.slice(0, at + 1)];
    const of = (mark) => drawn.filter((one) => one === mark).length;
    said("counted", counted(of("1"), at + 1, of("2")), {
      class: "att-line-name",
      x: isWide ? right + GAP : line.width,
      "text-anchor": isWide ? "start" : "end",
    });
    const place = (draw) => ({
      x: left + ((draw % many) + 0.5) * one,
      y: isWide ? y : above + (HIGH + (Math.floor(draw / many) + 0.5) * APART) * large,
    });
    const marks = { right: "", wrong: "", lucky: "", later: "" };
    [...rights].forEach((mark, draw) => {
      const { x, y } = place(draw);
      if (draw > at) marks.later += dot(x, y);
      else if (mark === "1") marks.right += tick(x, y, side);
      else if (mark === "2") marks.lucky += ring(x, y, side);
      else marks.wrong += cross(x, y, side);
    });
    for (const [kind, d] of Object.entries(marks))
      scene.put(`${kind} ${row}`, "path", { class: `att-${kind}`, d }, group);
    const { x, y: middle } = place(at);
    const tall = (isWide ? 0.84 * HIGH : APART - 1) * large;
    const frame = { x: x - one / 2, y: middle - tall / 2, width: one, height: tall, rx: 2 };
    scene.put(`draw ${row}`, "rect", { class: "att-draw", ...frame }, group);
  });
  return next + BELOW * large;
}

// The line of one of two layers: the pressed one, or the one that a click presses.
function layer({ scene, parent, row, asks, sets }) {
  const given = { class: "att-line-layer", role: "button", tabindex: 0, "aria-label": asks, "aria-pressed": !sets };
  const group = scene.put(`layer ${row}`, "g", given, parent);
  pressed(group, sets ?? {});
  return group;
}
