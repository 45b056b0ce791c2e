// What the layer answers to the questions of one sentence, a line a stage: right words filled, wrong ones struck.

import { broken, widthOf } from "./text.js";

// Pixels: a line, its words, the names of lines beside them, a column, the count at the end of a line; on a narrow screen;
// around a word.
const [LINE, WORD] = [36, 26];
const WIDE = [150, 210, 150];
const NARROW = [72, 73, 67];
const PAD = 10;

// y: where it begins. Returned is where it ends.
export function answers(scene, { labels, sharing }, { y, width, type, large, font, isWide }) {
  const text = (name, said, attributes, parent = scene.root) =>
    scene.put(name, "text", { "aria-hidden": "true", ...attributes }, parent, said);
  const said = broken(labels.answered, width, type, font, 600);
  said.forEach((part, at) =>
    text(`answered ${at}`, part, { x: 1, y: y + (1.2 + 1.3 * at) * type, class: "att-stage" }),
  );
  const top = y + (0.5 + 1.3 * said.length) * type;
  const [names, column, count] = (isWide ? WIDE : NARROW).map((one) => (isWide ? one * large : (one / 358) * width));
  const [line, word] = [LINE * large, WORD * large];
  const first = top + 1.9 * type;
  const lines = labels.answers.length;
  labels.questions.forEach((question, at) => {
    const one = scene.put(`column ${at}`, "g", { class: "att-one", "aria-hidden": "true" });
    const x = names + at * column;
    const around = { x: x + 2, y: top, width: column - 4, height: first - top + lines * line + 2, rx: 4 };
    scene.put(`around column ${at}`, "rect", { class: "att-around", ...around }, one);
    const middle = x + column / 2;
    text(`question ${at}`, question, { x: middle, y: top + 1.4 * type, "text-anchor": "middle" }, one);
    labels.answers.forEach((of, stage) => {
      const isRight = sharing.right[stage][at];
      const upper = first + stage * line + (line - word) / 2;
      const wide = Math.min(widthOf(of[at], type, font, 600) + 2 * PAD * large, column - 10);
      const box = { x: middle - wide / 2, y: upper, width: wide, height: word, rx: 4 };
      scene.put(`answer ${stage} ${at}`, "rect", { class: isRight ? "att-says" : "att-says att-wrong", ...box });
      const place = { x: middle, y: upper + word / 2 + 0.35 * type, "text-anchor": "middle" };
      text(`says ${stage} ${at}`, of[at], { class: isRight ? "att-said-right" : "att-said-wrong", ...place });
    });
  });
  const end = { x: names + labels.questions.length * column + count / 2, "text-anchor": "middle" };
  text("here", labels.here, { ...end, y: top + 1.4 * type });
  labels.counts.forEach((counted, stage) => {
    const middle = first + (stage + 0.5) * line + 0.35 * type;
    text(`short ${stage}`, labels.short[stage], { x: 1, y: middle });
    text(`count ${stage}`, counted, { class: "att-written", ...end, y: middle });
  });
  return first + lines * line + 0.5 * type;
}
