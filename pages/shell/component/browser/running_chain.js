// The kept part of the row as an equation of pictures: before, times the factor, plus new, is now; after the last keys,
// that divided by its sum is the weights, and the output. Above stand the blocks of the sum, one for each word; below,
// the output with one cell for each feature (running_vectors.js). Grey is what was kept, dark what the tile adds,
// dashed what has shrunk.

import { vectors } from "./running_vectors.js";
import { clip } from "./sentence_line.js";
import { isOnWall } from "./tall.js";
import { broken } from "./text.js";

// The height of stacks in type, and on a phone or a projector; the widest column in type; small type as a share of it.
const [HIGH, LOW, WIDE, SMALL] = [8, 6, 8, 0.86];

// Returns the lower end.
export function chain(draws, { x, y, width }, corrections) {
  const { scene, type, sent, isNarrow, colours } = draws;
  const { labels } = sent;
  const small = isOnWall() ? type : SMALL * type;
  const said = (name, text, top) => {
    const parts = broken(text, width, type, colours.font, 400);
    parts.forEach((part, at) =>
      scene.put(`${name} ${at}`, "text", { x, y: top + (1 + 1.25 * at) * type, class: "att-small" }, undefined, part),
    );
    return top + 1.25 * parts.length * type;
  };
  const columns = columnsOf(draws, { x, width, small });
  const top = said("chain sum", labels.chain_sum, y) + 1.9 * small;
  const stack = { ...columns, top, high: (isNarrow || isOnWall() ? LOW : HIGH) * type, small };
  heads(draws, stack);
  stacks(draws, stack, corrections);
  const line = top + stack.high + 1.25 * type;
  equation(draws, { ...columns, y: line }, corrections);
  // A projector has no room for the vectors, and shows the outputs of all rows beside.
  if (isOnWall()) return line + 0.5 * type;
  const below = said("chain output", labels.chain_output, line + 0.7 * type);
  return vectors(draws, { ...columns, x, y: below + 0.5 * type, small }, corrections);
}

// The left ends and the width of the five columns, and the middles of the signs between them.
function columnsOf({ type, sent, measure, isNarrow }, { x, width, small }) {
  const { times, divided, equals, features } = sent.labels.chain;
  const size = isNarrow ? small : type;
  const names = Math.max(...features.map((name) => measure(name, small))) + 0.5 * type;
  const signs = [`${times || "× 0.00"} =`, "+", equals, divided || "÷ 0.00 ="];
  // Reserve the width of a longer factor, so that little moves from tile to tile.
  const between = signs.map((sign, at) => Math.max(measure(sign, size), at % 3 ? 0 : measure("× 0.00 =", size)));
  const gap = 0.35 * type;
  const taken = names + between.reduce((sum, one) => sum + one + 2 * gap, 0);
  const wide = Math.min((width - taken) / 5, WIDE * type);
  const lefts = [x + names];
  const middles = between.map((one, at) => {
    const from = lefts[at] + wide + gap;
    lefts.push(from + one + gap);
    return from + one / 2;
  });
  return { lefts, middles, wide, size, signs: [...(times ? signs.slice(0, 3) : ["", "", ""]), divided && signs[3]] };
}

const comes = (corrections, shape) => corrections.add(shape, { opacity: 0 }, { opacity: 1 }, true);

function heads({ scene, sent: { labels, running } }, { lefts, wide, top, small }) {
  const names = ["before", "kept", "new", "so_far", ...(running.followed.is_last ? ["weights"] : [])];
  names.forEach((name, at) => {
    const place = { x: lefts[at] + wide / 2, y: top - 0.5 * small, "text-anchor": "middle", "font-size": small };
    scene.put(`chain head ${at}`, "text", { ...place, class: "att-small" }, undefined, labels[`chain_${name}`]);
  });
}

function stacks(draws, { lefts, wide, top, high, small }, corrections) {
  const { scene, sent, measure } = draws;
  const { stacks: shares } = sent.running.followed;
  const { tokens } = sent.labels.chain;
  const [before, kept] = shares;
  const sum = (stack) => stack.reduce((all, one) => all + one, 0);
  const ground = top + high;
  funnel(scene, { from: lefts[0] + wide, to: lefts[1], ground, high }, sum(before), sum(kept));
  shares.forEach((stack, column) => {
    const [left, first] = [lefts[column], column === 2 ? before.length : 0];
    let [level, was] = [ground, ground];
    stack.forEach((share, at) => {
      const height = share * high;
      const box = { x: left, y: level - height, width: wide, height };
      const isNew = first + at >= before.length;
      const kind = isNew ? "att-block-new" : "att-block-old";
      const block = scene.put(`block ${column} ${at}`, "rect", { class: `att-block ${kind}`, ...box });
      if (column === 1) {
        was -= before[at] * high;
        const ends = [
          [was, before[at] * high],
          [box.y, height],
        ].map(([y, height]) => ({ y: `${y}px`, height: `${height}px` }));
        corrections.add(block, ...ends);
      } else if (column > 1) comes(corrections, block);
      level = box.y;
      const word = clip(tokens[first + at]);
      if (height < 1.05 * small || measure(word, small) > wide - 4) return;
      const place = { x: left + wide / 2, y: box.y + height / 2 + 0.35 * small, "text-anchor": "middle" };
      const look = { "font-size": small, class: `${kind}-word` };
      const said = scene.put(`block ${column} word ${at}`, "text", { ...place, ...look }, undefined, word);
      if (column) comes(corrections, said);
    });
    scene.put(`ground ${column}`, "path", { class: "att-zero", d: `M${left},${ground}h${wide}` });
  });
  if (!sent.running.followed.corrects) return;
  const ghost = { x: lefts[1], y: ground - sum(before) * high, width: wide, height: sum(before) * high };
  scene.put("block was", "rect", { class: "att-was", ...ghost });
}

// A wedge from the former height to the remaining one.
function funnel(scene, { from, to, ground, high }, was, is) {
  if (!was) return;
  const d = `M${from},${ground}V${ground - was * high}L${to},${ground - is * high}V${ground}Z`;
  scene.put("funnel", "path", { class: "att-seen", d });
}

// The heights, with the signs of the equation between them.
function equation({ scene, sent }, { lefts, middles, wide, y, size, signs }, corrections) {
  const { corrects, is_last } = sent.running.followed;
  const strong = [false, corrects, false, true, is_last];
  sent.labels.chain.numbers.forEach((said, at) => {
    const place = { x: lefts[at] + wide / 2, y, "text-anchor": "middle", "font-size": size };
    const kind = strong[at] ? "att-read" : "att-small";
    const number = scene.put(`chain number ${at}`, "text", { ...place, class: kind }, undefined, said);
    if (at > 1) comes(corrections, number);
  });
  signs.forEach((said, at) => {
    const place = { x: middles[at], y, "text-anchor": "middle", "font-size": size };
    const kind = (at === 0 && corrects) || (at === 3 && is_last) ? "att-read" : null;
    scene.put(`chain sign ${at}`, "text", { ...place, class: kind }, undefined, said);
  });
}
