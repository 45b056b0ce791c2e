// The answers of the layer above each word that asks or, in a column, left of it. The answer to the present word is
// written as the values arrive.

import { widthOf } from "./text.js";

// Pixels: type, the height of the present answer's box, its distance from the word; type in a column.
const [TYPE, HIGH, BETWEEN, LEAST] = [14, 24, 10, 13];
// Pixels that the answers take above a line of words, and beside a column.
export const SAID = { above: 34, beside: 64 };

// at: the place of a word of the text; high: a line of words.
export function drawSaid(scene, svg, { tokens, focus, said, wrong }, { at, high, isAcross, colours }) {
  if (!said.length) return;
  const { large, font } = colours;
  const type = (isAcross ? TYPE : LEAST) * large;
  const all = scene.put("all said", "g", {}, svg);
  tokens.forEach((_, index) => {
    const text = `${wrong[index] ? "✗ " : ""}${said[index]}`;
    const isNow = index === focus;
    const { x, y } = at(index);
    const wide = widthOf(text, type, font) * 1.06 + 12 * large;
    const place = isAcross
      ? { x, y: y - (BETWEEN + HIGH / 2) * large }
      : { x: Math.max((SAID.beside / 2 - 2) * large, wide / 2 + 1), y: y + high / 2 };
    const kind = `att-reply${isNow ? " att-reply-now" : ""}${wrong[index] ? " att-reply-wrong" : ""}`;
    // A new answer is a new element, which appears as the values arrive.
    const name = `said ${index} ${isNow} ${text}`;
    const group = scene.put(name, "g", { class: kind, transform: `translate(${place.x} ${place.y})` }, all);
    if (isNow) {
      const tall = HIGH * large;
      scene.put(`${name} box`, "rect", { x: -wide / 2, y: -tall / 2, width: wide, height: tall, rx: 6 }, group);
      const way = isAcross
        ? { x1: 0, x2: 0, y1: tall / 2, y2: tall / 2 + (BETWEEN + 2) * large }
        : { x1: wide / 2, x2: SAID.beside * large - place.x + 4, y1: 0, y2: 0 };
      scene.put(`${name} way`, "line", way, group);
    }
    scene.put(`${name} text`, "text", { y: 0.35 * type, "text-anchor": "middle", "font-size": type }, group, text);
  });
}
