// The answers of the layer above the query heads that ask: right words filled, wrong ones struck out, with the right
// word below.

import { widthOf } from "./text.js";

// Pixels: the height of a word, and the padding around it.
const [WORD, PAD] = [26, 10];

// x, y: the middle of a word; most: its greatest width.
export function chip(scene, name, said, isRight, { x, y, most, type, large, font }, parent = scene.root) {
  const high = WORD * large;
  const wide = Math.min(widthOf(said, type, font, 600) + 2 * PAD * large, most);
  const box = { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 4 };
  scene.put(
    `answer ${name}`,
    "rect",
    { class: isRight ? "att-says" : "att-says att-wrong", "aria-hidden": "true", ...box },
    parent,
  );
  const place = { x, y: y + 0.35 * type, "text-anchor": "middle", "aria-hidden": "true" };
  const kind = isRight ? "att-said-right" : "att-said-wrong";
  scene.put(`says ${name}`, "text", { class: kind, ...place }, parent, said);
}

export const heightOf = (type, large) => (WORD + 8) * large + 2.6 * type;

// middles: the x of each answer; y: the upper end of the row. Returns the lower end of each answer.
export function answers(scene, { labels, sharing }, middles, { y, most, type, large, font }) {
  return labels.questions.map((question, at) => {
    const one = scene.put(`answered by ${at}`, "g", { class: "att-answered", "aria-hidden": "true" });
    const place = { x: middles[at], "text-anchor": "middle" };
    scene.put(`question ${at}`, "text", { ...place, y: y + type }, one, question);
    const middle = y + 1.3 * type + (4 + WORD / 2) * large;
    chip(scene, at, labels.answers[at], sharing.right[at], { x: middles[at], y: middle, most, type, large, font }, one);
    // A right word needs no other word below it.
    const under = middle + (WORD / 2 + 2) * large;
    if (sharing.right[at]) return [middles[at], under];
    const below = under + type;
    scene.put(`rightly ${at}`, "text", { class: "att-rightly", ...place, y: below }, one, labels.rightly[at]);
    return [middles[at], below + 0.4 * type];
  });
}
