// The outputs of both ways laid over each other: of each cell the upper half is that of the usual way, the lower one that of
// the tiles, so that whatever differs has a seam. How far they are apart stands below.

import { decoded, paint } from "./pixels.js";

// A shade that has no colour, and milliseconds for the outputs of the tiles to come over those of the usual way.
const [NONE, COMES] = [255, 1400];
const still = matchMedia("(prefers-reduced-motion: reduce)");

const canvas = document.createElement("canvas");

// board: where the outputs of both ways stand; comes: whether those of the tiles fly there now.
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
  // Which rows are the same is said once they are there.
  const words = root.querySelectorAll(".att-agrees, [data-name^='apart']");
  words.forEach((word) => word.animate([{ opacity: 0 }, { opacity: 0 }], { duration: COMES }));
}
