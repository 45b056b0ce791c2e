// All that a layer computes for a text, as areas that grow with it; below the slider of n, how the share of the pairs goes.

import { Scene } from "./scene.js";
import { areas, besideSquare } from "./sheet_areas.js";
import { track } from "./sheet_track.js";
import { SvgFigure } from "./svg_figure.js";
import { widthOf } from "./text.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
// Milliseconds in which the picture moves away from what it has shown larger.
const AWAY = 700;
// Pixels: the largest side of the frame, type, a line of the key, its sample, the key and what lies beside it, what names
// take on the right of the areas; the width below which the key stands under them.
const [FRAME, TYPE, LINE, SAMPLE, KEY, APART, RIGHT, NARROW] = [345, 15, 44, 16, 320, 36, 20, 760];
// The columns of the key, of the widest text of each; what a line at the edge of the areas takes beyond it.
const [COLUMN, EDGE] = [18, 1];
// Lines of type above and below the areas.
const [ABOVE, BELOW] = [1.4, 2];

export class Sheet extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-sheet");
    this.scene = new Scene(this.svg);
  }

  picture({ width, colours }) {
    const { large, font } = colours;
    const type = TYPE * large;
    const isNarrow = width < NARROW * large;
    const left = isNarrow ? 0 : (KEY + APART) * large;
    // At each n the same, so that nothing beside or below it moves.
    const most = FRAME * large;
    const frame = Math.min(
      most,
      (most * (width - left - RIGHT * large)) / (most + besideSquare(most, this.sent.sheet)),
    );
    this.scene.draw(() => {
      const start = track(this.scene, this.sent, { width, type, large, font });
      const ground = start + ABOVE * type + frame;
      const foot = ground + BELOW * type;
      this.areas({ x: left + besideSquare(frame, this.sent.sheet), ground, frame, type, font });
      const key = this.key(isNarrow ? foot : start, { type, large, font });
      const end = this.said(key, type);
      const height = Math.max(foot, end);
      Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
      this.svg.setAttribute("aria-label", this.sent.note);
    });
  }

  // What is larger than its stage, while the scale changes, covers nothing else.
  areas(place) {
    const { frame } = place;
    const beside = besideSquare(frame, this.sent.sheet);
    const [x, y, width, height] = [
      place.x - beside - EDGE,
      place.ground - frame - EDGE,
      beside + frame + 2 * EDGE,
      frame + 2 * EDGE,
    ];
    const inside = { x, y, width, height, viewBox: `${x} ${y} ${width} ${height}` };
    const stage = this.scene.put("stage", "svg", inside);
    const style = `transform-origin: ${place.x}px ${place.ground}px`;
    const shapes = this.scene.put("shapes", "g", { style }, stage);
    const words = this.scene.put("words", "g");
    areas(this.scene, this.sent, { ...place, shapes, words });
    const { most } = this.sent.sheet;
    const times = most / (this.scale ?? most);
    this.scale = most;
    if (times === 1 || still.matches) return;
    const frames = [{ transform: `scale(${times})` }, { transform: "none" }];
    shapes.animate(frames, { duration: AWAY, easing: "ease-in-out" });
    // They stand where the shapes come to rest, and would lie on others before that.
    words.animate([{ opacity: 0 }, { opacity: 0 }], { duration: AWAY });
  }

  // Which text it is and what all of it takes, how many times that is what half of it takes, and what the scale is.
  said(start, type) {
    const { once, takes, grown, scale } = this.sent.labels;
    const line = (name, text, y, attributes = {}) =>
      this.scene.put(name, "text", { x: 0, y, ...attributes }, this.svg, text);
    line("once text", `${once}: ${takes}`, start + 0.9 * type, { class: "att-called" });
    line("grown", grown, start + 2.4 * type);
    line("scale", scale, start + 3.9 * type, { class: "att-means", "font-size": 0.87 * type });
    return start + 4.6 * type;
  }

  // What each block is, which part of the whole, what it takes and, below, what is computed in it.
  key(start, { type, large, font }) {
    const { names, shares, said, means } = this.sent.labels;
    const widest = (texts, weight) => Math.max(...texts.map((text) => widthOf(text, type, font, weight)));
    const name = (SAMPLE + 8) * large;
    const share = name + widest(names, 700) + COLUMN * large + widthOf("00.0%", type, font, 700);
    names.forEach((called, at) => {
      const y = start + at * LINE * large + 1.2 * type;
      const box = { x: 0, y: y - 0.85 * type, width: SAMPLE * large, height: SAMPLE * large };
      this.scene.put(`sample ${at}`, "rect", { class: `att-block att-part-${at}`, ...box });
      this.scene.put(`name ${at}`, "text", { class: "att-called", x: name, y }, this.svg, called);
      const end = { class: "att-called", x: share, y, "text-anchor": "end" };
      this.scene.put(`share ${at}`, "text", end, this.svg, shares[at]);
      this.scene.put(`takes ${at}`, "text", { x: share + COLUMN * large, y }, this.svg, said[at]);
      const below = { class: "att-means", x: name, y: y + 1.25 * type, "font-size": 0.87 * type };
      this.scene.put(`means ${at}`, "text", below, this.svg, means[at]);
    });
    return start + names.length * LINE * large + 0.8 * type;
  }

  headAndLines() {
    const { labels } = this.sent;
    return [
      [labels.part, labels.share, labels.half, labels.once, labels.times],
      labels.names.map((name, at) => [
        name,
        ...[labels.shares[at], labels.said_half[at], labels.said[at], labels.factors[at]],
      ]),
    ];
  }
}
