// The sentence above the heads: below each word a bar as long as its weight in one query head, and that weight in
// words.

import { broken, widthOf } from "./text.js";

// Shares of the type: the gap between two words, the padding around the one that asks, the height of the words and of
// the text below; pixels: a bar.
const [GAP, PAD, WORDS, SAID] = [0.8, 0.4, 1.9, 1.3];
const BAR = 7;

// The places of the words, as large as the type allows.
function placed(words, width, type, font) {
  const wide = words.map((word) => widthOf(word, type, font, 600));
  const whole = wide.reduce((sum, one) => sum + one, 0) + GAP * type * (words.length - 1) + 2 * PAD * type;
  const unit = Math.min(1, width / whole);
  let x = PAD * type * unit;
  return wide.map((one) => {
    const place = { x, wide: one * unit, size: type * unit };
    x += (one + GAP * type) * unit;
    return place;
  });
}

export const heightOf = (labels, { width, type, large, font }) =>
  WORDS * type + (BAR + 4) * large + SAID * type * linesOf(labels, { width, type, font });

// Reserve the lines of the longest text, so that pointing at another head moves nothing.
const linesOf = (labels, { width, type, font }) =>
  Math.max(...labels.takes_of.map((said) => broken(said, width, type, font).length));

export function sentence(scene, { labels, sharing }, { width, room, type, large, font }) {
  placed(labels.words, room, 1.15 * type, font).forEach(({ x, wide, size }, at) => {
    const isAsking = at === sharing.asking;
    const pad = PAD * size;
    const box = { x: x - pad, y: 0, width: wide + 2 * pad, height: 1.6 * type, rx: 4 };
    if (isAsking) scene.put("asking", "rect", { class: "att-asking", ...box });
    const kind = isAsking ? "att-asking-word" : "att-word";
    const place = { class: kind, "aria-hidden": "true", "font-size": size, x, y: 1.15 * type };
    scene.put(`word ${at}`, "text", place, scene.root, labels.words[at]);
    const bar = { y: WORDS * type, width: wide, height: BAR * large };
    const share = scene.put(`share ${at}`, "g");
    share.classList.add("att-length");
    share.dataset.x = String(x);
    scene.put(`share bar ${at}`, "rect", { class: "att-answers-it", x: 0, ...bar }, share);
    scene.put(`share room ${at}`, "rect", { class: "att-frame", x, ...bar });
  });
  const top = WORDS * type + (BAR + 4) * large;
  for (let line = 0; line < linesOf(labels, { width, type, font }); line += 1) {
    const y = top + (1 + SAID * line) * type;
    scene.put(`takes ${line}`, "text", { class: "att-takes", "aria-hidden": "true", x: 1, y });
  }
  scene.said = { width, type, font };
}

// The weights of a query head.
export function takes(scene, { labels, sharing }, head) {
  labels.words.forEach((_, word) => {
    const share = scene.get(`share ${word}`);
    share.style.transform = `translate(${share.dataset.x}px, 0) scaleX(${sharing.weights[head][word]})`;
  });
  const { width, type, font } = scene.said;
  const lines = broken(labels.takes_of[head], width, type, font);
  for (let line = 0; scene.get(`takes ${line}`); line += 1) scene.get(`takes ${line}`).textContent = lines[line] ?? "";
}
