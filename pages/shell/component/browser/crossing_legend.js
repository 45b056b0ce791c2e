// What the arcs between two texts are: a drawn sample of each kind with its words, beside the picture or, of columns, below.

import { widthOf } from "./text.js";

// Pixels: type, a line, a sample and its height, what is between it and its words, and the room beside the last word.
const [TYPE, LINE, SAMPLE, HIGH, BETWEEN, ROOM] = [13, 21, 24, 7, 7, 134];
// Heads whose colours are in a sample.
const HEADS = 4;

// The rows of a legend; none of a kind of which there is nothing to say: which word is right is not known of every text.
function kinds({ meant, around }) {
  const isAround = around.some((to) => to >= 0);
  return [...(meant >= 0 ? ["right", "elsewhere"] : []), ...(isAround ? ["around"] : [])];
}

// The box of the legend. from, to: where the arcs begin and end; foot: where the columns end.
export function legendBox({ labels, crossing }, { isAcross, width, colours, from, to, foot }) {
  const { large, font } = colours;
  const rows = kinds(crossing);
  const wide = (SAMPLE + BETWEEN) * large + Math.max(0, ...rows.map((row) => widthOf(labels[row], TYPE * large, font)));
  const high = rows.length * LINE * large;
  return isAcross
    ? { x: width - ROOM * large, y: (from + to - high) / 2, wide, high }
    : { x: 0, y: foot + 4 * large, wide, high };
}

export function drawLegend(scene, svg, { labels, crossing }, box, { large, series }) {
  kinds(crossing).forEach((kind, row) => {
    const middle = box.y + (row + 0.5) * LINE * large;
    const isHeads = kind !== "around";
    const heads = isHeads ? Math.min(crossing.asks.length, HEADS) : 1;
    const part = (SAMPLE * large) / heads;
    for (let head = 0; head < heads; head += 1) {
      const sample = { x1: box.x + head * part, x2: box.x + (head + 1) * part, y1: middle, y2: middle };
      const look = isHeads ? { "stroke-width": HIGH * large, stroke: series[head % series.length] } : {};
      const name = isHeads ? `att-sample att-sample-${kind}` : "att-arc-around";
      scene.put(`sample ${kind} ${head}`, "line", { class: name, ...sample, ...look }, svg);
    }
    const place = { x: box.x + (SAMPLE + BETWEEN) * large, y: middle + 0.35 * TYPE * large, "font-size": TYPE * large };
    scene.put(`legend ${kind}`, "text", { class: "att-line-name att-of-others", ...place }, svg, labels[kind]);
  });
}
