// All computation of a layer for a text, as areas that grow with it; below them, the share of the pairs over n.

import { areas, besideSquare } from "./sheet_areas.js";
import { lens } from "./sheet_lens.js";
import { track } from "./sheet_track.js";
import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { widthOf } from "./text.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
// Milliseconds in which the picture moves from one scale to the next.
const AWAY = 700;
// Pixels: the largest side of the frame and, on a phone, its part of the width; the least height of a lens; type, a
// sample of the key, the room of names on the right of the areas; the width below which the areas stand at the right.
const [FRAME, PART, LENS, TYPE, SAMPLE, RIGHT, NARROW] = [236, 0.66, 150, 15, 16, 20, 760];
// A square with a smaller side needs a lens.
const READ = 7;
// Lines of type above the areas, for two lines of names, below them and, on a phone, below them; a line of the key, and
// the room between its words.
const [ABOVE, BELOW, NARROWLY, KEY, COLUMN] = [2.4, 2.2, 3.4, 1.6, 9];

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
    const of = { width, type, large, font };
    const isHeld = this.svg.contains(document.activeElement);
    this.scene.draw(() => {
      const { unit, reserved } = this.scale(of);
      const ground = ABOVE * type + reserved;
      this.areas({ ...of, unit, ground, reserved, isNarrow });
      const foot = this.key(ground + (isNarrow ? NARROWLY : BELOW) * type, of);
      const height = track(this.scene, this.sent, { ...of, start: foot });
      Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
      this.svg.setAttribute("aria-label", this.sent.note);
    });
    // If nothing is asked, the picture itself can have the focus.
    this.svg.setAttribute("tabindex", this.svg.querySelector("[tabindex='0']") ? "-1" : "0");
    // The clicked element disappeared with the question.
    if (isHeld && !this.svg.contains(document.activeElement))
      (this.svg.querySelector("[tabindex='0']") ?? this.svg).focus({ preventScroll: true });
  }

  // The pixels of a token at which everything has room, and the height of the frame or, if larger, of a lens.
  scale({ width, large }) {
    const { sheet } = this.sent;
    const rest = sheet.columns.slice(1).reduce((sum, one) => sum + one, 0);
    const room = width - RIGHT * large - besideSquare(0, sheet);
    const unit = Math.min(Math.min(FRAME * large, PART * width) / sheet.most, room / (rest + sheet.most));
    const frame = unit * sheet.most;
    return { unit, reserved: unit * sheet.n < READ * large ? Math.max(frame, LENS * large) : frame };
  }

  // The stage cuts shapes that are larger than it while the scale changes.
  areas({ width, type, large, font, unit, ground, reserved, isNarrow }) {
    const { sheet } = this.sent;
    const wide = besideSquare(unit, sheet) + sheet.most * unit;
    // The areas are centred; on a phone they stand at the right, so that names have room at the left.
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

  // Animate from the former scale to the present one.
  moveAway({ most, x, unit, shapes, words }) {
    const was = this.was ?? { most, x, unit };
    this.was = { most, x, unit };
    if (was.most === most || still.matches) return;
    const from = `translate(${was.x - x}px, 0px) scale(${was.unit / unit})`;
    shapes.animate([{ transform: from }, { transform: "none" }], { duration: AWAY, easing: "ease-in-out" });
    // Words are at their final places, and would lie on moving shapes: hide them until the shapes arrive.
    words.animate([{ opacity: 0 }, { opacity: 0 }], { duration: AWAY });
  }

  // The key: the name of each block and its share of the whole; last, the factor to the work of half the text, in the
  // same line if there is room. Returns where it ends.
  key(start, { width, type, large, font }) {
    const { names, shares, grown } = this.sent.labels;
    let [x, y] = [0, start + type];
    const put = (name, text, place, kind = "") =>
      this.scene.put(name, "text", { class: kind, y, ...place }, this.svg, text);
    const next = (wide) => {
      if (x && x + wide > width) [x, y] = [0, y + KEY * type];
      const at = x;
      x += wide + 2 * COLUMN * large;
      return at;
    };
    names.forEach((called, index) => {
      const name = (SAMPLE + 8) * large;
      const share = name + widthOf(called, type, font) + COLUMN * large;
      const at = next(share + widthOf(shares[index], type, font, 700));
      const box = { x: at, y: y - 0.85 * type, width: SAMPLE * large, height: SAMPLE * large };
      this.scene.put(`sample ${index}`, "rect", { class: `att-block att-part-${index}`, ...box });
      put(`name ${index}`, called, { x: at + name });
      put(`share ${index}`, shares[index], { x: at + share }, "att-called");
    });
    put("grown", grown, { x: next(widthOf(grown, type, font)) });
    return y + 0.6 * type;
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
