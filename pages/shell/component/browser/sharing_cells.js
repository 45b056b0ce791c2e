// The content of a head: of a query head its weights, one bar for each word; of a key head its keys and, below them,
// its values, one column for each word and one row for each feature.

import { paint } from "./pixels.js";

// One canvas paints all contents, each of which is read at once.
const canvas = document.createElement("canvas");
canvas.getContext("2d", { willReadFrequently: true });
const SHADES = 254;
// Painted pictures, the latest last, because a slider returns to the same few heads.
const [known, MOST] = [new Map(), 64];

// The weights as bars, drawn as one shape, which an answer changes.
export function weights(scene, name, shares, { y, wide, high }, parent) {
  const cell = wide / shares.length;
  const room = { x: -wide / 2, y, width: wide, height: high };
  scene.put(`room ${name}`, "rect", { class: "att-cell-room", ...room }, parent);
  const bars = shares.map((share, word) => {
    const [left, tall] = [word * cell - wide / 2, share * high].map((one) => one.toFixed(2));
    return `M${left},${y + high}v-${tall}h${cell.toFixed(2)}v${tall}z`;
  });
  scene.put(`cells ${name}`, "path", { class: "att-cell", d: bars.join("") }, parent);
}

// keys: the features of each word; most: the number with the full colour. Returns a picture of one pixel for each
// number.
export function painted(keys, most, colours) {
  const name = JSON.stringify([keys, most, colours.signed]);
  const picture = known.get(name) ?? drawn(keys, most, colours);
  known.delete(name);
  known.set(name, picture);
  if (known.size > MOST) known.delete(known.keys().next().value);
  return picture;
}

function drawn(keys, most, colours) {
  const features = keys[0].length;
  const shades = Array.from({ length: features * keys.length }, (_, at) => {
    const number = keys[at % keys.length][Math.floor(at / keys.length)];
    return Math.round((SHADES * (number / most + 1)) / 2);
  });
  paint(canvas, [shades], features, keys.length, "signed", colours);
  return canvas.toDataURL();
}

export function keys(scene, name, href, { y, wide, high }, parent) {
  const place = { x: -wide / 2, y, width: wide, height: high };
  const look = { class: "att-key-cells", preserveAspectRatio: "none", style: "image-rendering: pixelated" };
  scene.put(`cells ${name}`, "image", { ...look, ...place, href }, parent);
  scene.put(
    `values ${name}`,
    "rect",
    { class: "att-values-begin", ...place, y: y + high / 2 - 0.75, height: 1.5 },
    parent,
  );
}
