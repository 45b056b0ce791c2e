// A vector as a strip of cells side by side.

import { mixed } from "./colour.js";

// Pixels: the height of a strip; narrower cells are no shapes of their own.
export const STRIP = 18;
const THIN = 2.5;

// Many cells are drawn as one picture.
export function strip({ scene, large, colours }, name, parent, shades, { x, y, wide, high = STRIP }) {
  const group = scene.put(name, "g", { class: name === "taken" ? "att-cells-of att-taken" : "att-cells-of" }, parent);
  const one = wide / shades.length;
  const height = high * large;
  if (one < THIN) {
    scene.put(
      `${name} picture`,
      "image",
      { x, y, width: wide, height, preserveAspectRatio: "none", href: pictured(shades, colours) },
      group,
    );
  } else {
    const gap = one > 8 ? 1.5 : 0;
    shades.forEach((shade, at) => {
      scene.put(
        `${name} ${at}`,
        "rect",
        {
          x: x + at * one,
          y,
          width: one - gap,
          height,
          rx: gap,
          fill: `rgb(${mixed(colours.signed, shade / 254).map(Math.round)})`,
        },
        group,
      );
    });
  }
  scene.put(
    `${name} around`,
    "rect",
    { class: "att-around-cells", x: x - 1.5, y: y - 1.5, width: wide + (one > 8 ? 1.5 : 3), height: height + 3, rx: 2 },
    group,
  );
}

function pictured(shades, colours) {
  const canvas = Object.assign(document.createElement("canvas"), { width: shades.length, height: 1 });
  const context = canvas.getContext("2d");
  shades.forEach((shade, at) => {
    context.fillStyle = `rgb(${mixed(colours.signed, shade / 254).map(Math.round)})`;
    context.fillRect(at, 0, 1, 1);
  });
  return canvas.toDataURL();
}
