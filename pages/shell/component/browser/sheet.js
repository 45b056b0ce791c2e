// All that a layer computes for a text, as areas that grow with it; below the slider of n, how the share of the pairs goes.

import { areas, besideSquare } from "./sheet_areas.js";
import { lens } from "./sheet_lens.js";
import { track } from "./sheet_track.js";
import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { widthOf } from "./text.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
// Milliseconds in which the picture moves away from what it has shown larger.
const AWAY = 700;
// Pixels: the largest side of the frame and, on a phone, its part of the width; type, a sample of the key, what names take
// on the right of the areas; the width below which the key stands under them.
const [FRAME, PART, TYPE, SAMPLE, RIGHT, NARROW] = [270, 0.66, 15, 16, 20, 760];
// Lines of type above the areas, below them and, on a phone, there; those of a part of the key, the room between its words.
const [ABOVE, BELOW, NARROWLY, KEY, COLUMN] = [2.1, 2, 3, 4, 9];

export class Sheet extends SvgFigure {
  constructor() {
    super({ role: "group" });
    this.root.classList.add("att-sheet");
    this.keyedInside();
    this.scene = new Scene(this.svg);
  }

  picture({ width, colours }) {
    const { large, font } = colours;
    const type = TYPE * large;
    const isNarrow = width < NARROW * large;
    const reserved = Math.min(FRAME * large, PART * width);
    const of = { width, type, large, font };
    const isHeld = this.svg.contains(document.activeElement);
    this.scene.draw(() => {
      const start = track(this.scene, this.sent, of);
      const top = isNarrow ? start : this.key(start, { ...of, beside: this.sent.labels.names.length + 1 });
      const ground = top + ABOVE * type + reserved;
      this.areas({ ...of, ground, reserved, isNarrow });
      this.root.style.setProperty("--att-menu-top", `${ground - reserved}px`);
      const foot = ground + (isNarrow ? NARROWLY : BELOW) * type;
      const height = isNarrow ? this.key(foot, { ...of, beside: 1 }) : foot;
      Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
      this.svg.setAttribute("aria-label", this.sent.note);
    });
    // Where nothing is asked, the picture itself can be reached.
    this.svg.setAttribute("tabindex", this.svg.querySelector("[tabindex='0']") ? "-1" : "0");
    // What was clicked is gone with the question.
    if (isHeld && !this.svg.contains(document.activeElement))
      (this.svg.querySelector("[tabindex='0']") ?? this.svg).focus({ preventScroll: true });
  }

  // Scaled so that all has room; what is larger than its stage, while the scale changes, covers nothing else.
  areas({ width, type, large, font, ground, reserved, isNarrow }) {
    const { sheet } = this.sent;
    const rest = sheet.columns.slice(1).reduce((sum, one) => sum + one, 0);
    const room = width - RIGHT * large - besideSquare(0, sheet);
    const unit = Math.min(reserved / sheet.most, room / (rest + sheet.most));
    const wide = besideSquare(unit, sheet) + sheet.most * unit;
    // In the middle; on a phone at the right, so that names have room at the left.
    const x = (width - RIGHT * large - wide) / (isNarrow ? 1 : 2) + besideSquare(unit, sheet);
    const [y, height] = [ground - reserved - type, reserved + type + 1];
    const stage = this.scene.put("stage", "svg", { x: 0, y, width, height, viewBox: `0 ${y} ${width} ${height}` });
    const style = `transform-origin: ${x}px ${ground}px`;
    const shapes = this.scene.put("shapes", "g", { style }, stage);
    const words = this.scene.put("words", "g");
    const place = { x, ground, unit, type, font, shapes, words, width, reserved, large };
    const isMagnified = lens(this.scene, this.sent, place);
    areas(this.scene, this.sent, { ...place, id: sheet.most, isMagnified });
    this.moveAway({ most: sheet.most, x, unit, shapes, words });
  }

  // To another scale, from what it has shown on the one before.
  moveAway({ most, x, unit, shapes, words }) {
    const was = this.was ?? { most, x, unit };
    this.was = { most, x, unit };
    if (was.most === most || still.matches) return;
    const from = `translate(${was.x - x}px, 0px) scale(${was.unit / unit})`;
    shapes.animate([{ transform: from }, { transform: "none" }], { duration: AWAY, easing: "ease-in-out" });
    // They stand where the shapes come to rest, and would lie on others before that.
    words.animate([{ opacity: 0 }, { opacity: 0 }], { duration: AWAY });
  }

  // What each block is, which part of the whole, what it takes and, below, how that is counted and what is computed in it;
  // last, which text it is, what all of it takes, and how many times that is what half of it takes. beside: columns.
  key(start, { width, type, large, font, beside }) {
    const { names, shares, said, means, once, takes, by_hand, grown } = this.sent.labels;
    const wide = width / beside;
    const at = (index) => ({ x: (index % beside) * wide, y: start + Math.floor(index / beside) * KEY * type + type });
    const small = 0.87 * type;
    const line = (name, text, place, more = {}) => this.scene.put(name, "text", { ...place, ...more }, this.svg, text);
    const below = (name, texts, { x, y }) =>
      texts.forEach((text, index) => {
        const place = { x, y: y + 1.3 * (index + 1) * small, "font-size": small };
        line(`${name} ${index}`, text, place, { class: "att-means" });
      });
    names.forEach((called, index) => {
      const { x, y } = at(index);
      const box = { x, y: y - 0.85 * type, width: SAMPLE * large, height: SAMPLE * large };
      this.scene.put(`sample ${index}`, "rect", { class: `att-block att-part-${index}`, ...box });
      const name = x + (SAMPLE + 8) * large;
      const share = name + widthOf(called, type, font, 700) + COLUMN * large;
      const after = share + widthOf(shares[index], type, font, 700) + COLUMN * large;
      line(`name ${index}`, called, { x: name, y }, { class: "att-called" });
      line(`share ${index}`, shares[index], { x: share, y }, { class: "att-called" });
      line(`takes ${index}`, said[index], { x: after, y });
      below(`means ${index}`, means[index], { x: name, y });
    });
    const last = at(names.length);
    line("once text", `${once}: ${takes}`, last, { class: "att-called" });
    below("grown", [grown, by_hand], last);
    return start + Math.ceil((names.length + 1) / beside) * KEY * type;
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
