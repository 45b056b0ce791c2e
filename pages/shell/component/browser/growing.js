// A sentence that is written word by word: arcs from the newest word, and below the words their keys and values, once with
// a cache and once without. What is computed for the newest word flashes: with a cache its own, without one those of all.

import { named, slanted } from "./columns.js";
import { HeadArcs } from "./head_arcs.js";
import { decoded } from "./pixels.js";
import { STRIP, strip } from "./vector_cells.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
// Milliseconds of a flash; pixels: the widest cell of a strip, between the two ways, type.
const [FLASH, CELL, GAP, TYPE] = [600, 6, 20, 14];

export class Growing extends HeadArcs {
  constructor(...given) {
    super(...given);
    this.root.classList.add("att-growing");
  }

  picture(due) {
    super.picture(due);
    const { focus } = this.sent.arcs;
    const isOther = this.written !== undefined && this.written !== focus;
    this.written = focus;
    if (!isOther || still.matches) return;
    for (const one of this.svg.querySelectorAll(".att-computed"))
      one.animate([{ fillOpacity: 1 }, { fillOpacity: 0.22 }], { duration: FLASH, easing: "ease-out" });
  }

  word(parent, token, index, line, high) {
    const word = super.word(parent, token, index, line, high);
    word.classList.toggle("att-unwritten", index > this.sent.arcs.focus);
    return word;
  }

  under(parent, { line, top, colours }) {
    const { scene, sent } = this;
    const { large } = colours;
    const { tokens, focus, features, kept_values: kept } = sent.arcs;
    const shades = decoded(kept);
    const at = { y: top + 8 * large };
    const options = tokens.map((_, index) => scene.put(`kept ${index}`, "g", {}, parent));
    const draws = { scene, parent, options, sent: sent.arcs, line, large, colours, at };
    if (!line.isWide) slanted(draws, tokens);
    for (const way of ["cached", "again"]) {
      named(draws, way, sent.labels[way], at.y + 14 * large);
      tokens.forEach((_, index) => {
        if (index > focus) return;
        const { middle, width } = line.columns[index];
        const wide = Math.min(width - 10, CELL * large * features);
        const x = middle - wide / 2;
        if (way === "again" || index === focus)
          scene.put(
            `computed ${way} ${index}`,
            "rect",
            {
              class: "att-computed",
              x: x - 5,
              y: at.y - 5,
              width: wide + 10,
              height: STRIP * large + 10,
              rx: 4,
            },
            options[index],
          );
        const row = shades.subarray(index * features, (index + 1) * features);
        strip(draws, `${way} ${index}`, options[index], row, { x, y: at.y, wide });
      });
      const text = { class: "att-line-name att-strong", "font-size": TYPE * large };
      const [projected, products] = sent.labels[`${way}_cost`];
      if (line.isWide) {
        const x = line.right + 12 * large;
        scene.put(`projected ${way}`, "text", { ...text, x, y: at.y + 6 * large }, parent, projected);
        scene.put(`products ${way}`, "text", { ...text, x, y: at.y + 23 * large }, parent, products);
      } else {
        const y = at.y + (STRIP + 20) * large;
        scene.put(`projected ${way}`, "text", { ...text, x: 0, y }, parent, `${projected}, ${products}`);
      }
      at.y += (STRIP + GAP + (line.isWide ? 0 : 22)) * large;
    }
    return { options: [], bottom: at.y };
  }
}
