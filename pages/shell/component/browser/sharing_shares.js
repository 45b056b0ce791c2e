// What one query head takes for a word at each stage: a line of bars a stage over the words of the sentence, the word that
// answers its question in amber.

import { broken, fixed, widthOf } from "./text.js";

// Pixels: a share of 1, what a line has above it for a number, the names of lines beside them, the widest bar; type of
// the numbers; the least share that has one.
const [SHARE, ABOVE, NAMES, BAR, NUMBER] = [28, 16, 150, 48, 12];
const TOLD = 0.1;

// y: where it begins. Returned is where it ends.
export function shares(scene, { labels, sharing }, { y, width, type, large, font, isWide }) {
  const { asks, answers } = sharing;
  const text = (name, said, attributes) =>
    scene.put(name, "text", { "aria-hidden": "true", ...attributes }, scene.root, said);
  const said = broken(labels.takes, width, type, font, 600);
  said.forEach((part, at) => text(`takes ${at}`, part, { x: 1, y: y + (1.2 + 1.3 * at) * type, class: "att-stage" }));
  const from = isWide ? NAMES * large : 0;
  const step = (width - from) / labels.words.length;
  const line = (SHARE + ABOVE) * large + (isWide ? 0 : 1.1 * type);
  const wide = Math.min(0.62 * step, BAR * large);
  const first = y + (0.3 + 1.3 * said.length) * type;
  sharing.shares.forEach((of, stage) => {
    const bottom = first + (stage + 1) * line;
    const named = isWide ? bottom - 0.3 * type : bottom - (SHARE + ABOVE) * large + 0.3 * type;
    text(`short ${stage}`, labels.short[stage], { x: 1, y: named });
    scene.put(`floor ${stage}`, "line", { class: "att-floor", x1: from, x2: width, y1: bottom, y2: bottom });
    of[asks].forEach((share, at) => {
      const x = from + (at + 0.5) * step;
      const bar = { x: x - wide / 2, y: bottom - share * SHARE * large, width: wide, height: share * SHARE * large };
      const kind = at === answers[asks] ? "att-answers-it" : "att-shared";
      scene.put(`share ${stage} ${at}`, "rect", { class: kind, ...bar });
      if (share < TOLD) return;
      const place = { x, y: bar.y - 3 * large, "text-anchor": "middle", "font-size": NUMBER * large };
      text(`number ${stage} ${at}`, fixed(share, 2), { class: "att-told", ...place });
    });
  });
  const bottom = first + sharing.shares.length * line + 1.3 * type;
  const isSlanted = labels.words.some((word) => widthOf(word, type, font) > step - 3);
  labels.words.forEach((word, at) => {
    const x = from + (at + 0.5) * step;
    const place = isSlanted
      ? { "text-anchor": "end", transform: `rotate(-62 ${x} ${bottom})` }
      : { "text-anchor": "middle", transform: null };
    const kind = at === answers[asks] ? "att-right" : "";
    text(`word ${at}`, word, { class: kind, x, y: bottom, ...place });
  });
  return bottom + (isSlanted ? 2.6 : 0.5) * type;
}
