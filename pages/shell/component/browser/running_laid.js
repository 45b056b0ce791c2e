// The outputs of both ways laid over each other: the upper half of each cell is that of the usual way, the lower half
// that of the tiles, so that any difference shows as a seam. Their largest difference stands below.

import { decoded, paint } from "./pixels.js";

// The shade of a cell without a colour; milliseconds in which the outputs of the tiles move over those of the usual
// way.
const [NONE, COMES] = [255, 1400];
const still = matchMedia("(prefers-reduced-motion: reduce)");

const canvas = document.createElement("canvas");

// board: the places of both outputs; comes: whether those of the tiles move there now.
export function laidOver({ scene, root, sent: { running }, colours }, { places, wide, gap, output, high }, comes) {
  const [usual, tiles] = places.map(({ x, top }) => ({ x: x + wide + gap, y: top }));
  const place = { ...usual, width: output, height: high };
  const { features, rows, laid } = running;
  const shades = decoded(laid);
  const halves = rows.map((_, row) => [
    ...Array(features).fill(NONE),
    ...shades.slice(row * features, (row + 1) * features),
  ]);
  paint(canvas, [Uint8Array.from(halves.flat())], 2 * rows.length, features, "signed", colours);
  const href = canvas.toDataURL();
  const shape = scene.put("laid", "image", { ...place, preserveAspectRatio: "none", href });
  scene.put("laid frame", "rect", { class: "att-around", ...place });
  if (!comes || still.matches) return;
  const from = `translate(${tiles.x - usual.x}px, ${tiles.y - usual.y}px)`;
  const frames = [from, "translate(0px)"].map((transform) => ({ transform }));
  shape.animate(frames, { duration: COMES, easing: "ease-in-out" });
  // Tell which rows are equal once they have arrived.
  const words = root.querySelectorAll(".att-agrees, [data-name^='apart']");
  words.forEach((word) => word.animate([{ opacity: 0 }, { opacity: 0 }], { duration: COMES }));
}
