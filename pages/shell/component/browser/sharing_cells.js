// What is in a head: of a query head its weights, a cell a word; of a key head its keys, a column a word and a row a feature.

import { mixed } from "./colour.js";

// A row of cells; each as full as the weight of its word.
export function weights(scene, name, shares, { y, wide, high }, parent) {
  const cell = wide / shares.length;
  shares.forEach((share, word) => {
    const place = { x: -wide / 2 + word * cell, y, width: cell, height: high };
    scene.put(`room ${name} ${word}`, "rect", { class: "att-cell-room", ...place }, parent);
    scene.put(`cell ${name} ${word}`, "rect", { class: "att-cell", "fill-opacity": share, ...place }, parent);
  });
}

// keys: of each word its features; most: the number that has the full colour.
export function keys(scene, name, keys, most, { y, wide, high }, colours, parent) {
  const [width, height] = [wide / keys.length, high / keys[0].length];
  keys.forEach((features, word) =>
    features.forEach((number, feature) => {
      const rgb = mixed(colours.signed, (number / most + 1) / 2).map(Math.round);
      const place = { x: -wide / 2 + word * width, y: y + feature * height, width, height };
      const look = { class: "att-key-cell", fill: `rgb(${rgb})` };
      scene.put(`cell ${name} ${word} ${feature}`, "rect", { ...look, ...place }, parent);
    }),
  );
}
