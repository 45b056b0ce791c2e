// Vectors in the plane: each token as large as its weight, the output, and a query that is dragged or moved by key.

import { Dragged } from "./dragged.js";
import { put as write } from "./figure.js";
import { marker, polar, put, Scale } from "./plane.js";
import { announce, filled, shown, widthOf } from "./text.js";
import { below, beside, roomBelow, roomBeside } from "./vector_bars.js";
import { around, atTip, circle, nearby } from "./vector_names.js";
import { drawWords } from "./vector_words.js";

// The height in pixels: on a phone, where numbers and sentence share the screen, and with more room; the width from
// which numbers stand beside the plane.
const [HEIGHT, TALL, ROOMY] = [320, 540, 560];
const [HANDLE, EDGE] = [22, 12];
const [NAME, MARK] = [14, 9];
// Keys turn q by whole steps of five degrees, which makes a full turn 72 presses in place of 360.
const TURN = 5;

export class Vectors extends Dragged {
  constructor(sets) {
    super(sets, { height: HEIGHT, "aria-hidden": "true" });
    this.root.classList.add("att-of-vectors");
    this.plot.classList.add("att-vectors");
    this.canvas.style.height = `${HEIGHT}px`;
    // A line on which names stand.
    this.longer = put(this.svg, "path", { class: "att-longer" });
    this.back = put(this.svg, "g");
    this.path = put(this.svg, "circle", { class: "att-path" });
    this.arrow = put(this.svg, "path", { class: "att-arrow" });
    this.name = put(this.svg, "text", { class: "att-q" });
    this.handle = put(this.svg, "circle", { class: "att-handle", r: HANDLE });
    this.holds(this.handle, this.plot);
  }

  called(_, words) {
    return { kind: words.ui.vectors, keys: words.ui.vectors_keys };
  }

  known({ vectors }) {
    return vectors.query;
  }

  picture({ width, colours }) {
    const { vectors } = this.sent;
    const height = width < ROOMY ? HEIGHT : TALL;
    // Without room beside the plane, its numbers stand below it.
    const whole = height + (width < ROOMY ? roomBelow(vectors.points.length) * colours.large : 0);
    this.canvas.style.height = `${whole}px`;
    Object.entries({ width, height: whole }).forEach((pair) => this.svg.setAttribute(...pair));
    const bars = roomBeside(width - ROOMY, colours.large);
    this.isWide = bars > 0;
    const plane = width - bars;
    this.scale = new Scale(plane, height, Math.max(vectors.longest, ...vectors.points.flat().map(Math.abs)) + 0.3);
    this.back.replaceChildren();
    this.scale.grid(this.back, vectors.longest);
    const words = vectors.tokens.map((token, at) => ({
      token,
      point: vectors.points[at],
      colour: colours.series[at % colours.series.length],
      steps: this.sent.labels.steps[at],
      weight: vectors.weights[at],
      twice: vectors.twice[at] ?? null,
      written: short(vectors.weights[at]),
      called: filled(this.words.ui.vectors_key, { token, weight: shown(vectors.weights[at]) }),
    }));
    // The names of q and of the output avoid these; names of words avoid q and its handle.
    const free = { arcs: [this.line(this.reach())], blocked: [this.grip(), this.output()] };
    this.blocked = drawWords(this.back, words, { scale: this.scale, large: colours.large, free });
    if (width < ROOMY) below(this.back, words, this.sent.labels, { top: height, width }, colours.large);
    if (this.isWide) beside(this.back, words, this.sent.labels, { left: plane, width, height }, colours.large);
    this.taken(plane, colours);
  }

  // Name the output beside its mark if there is room, otherwise farther away with a line to it.
  taken(width, { large, font }) {
    const text = this.words.ui.vectors_output;
    const { x, y } = this.scale.at(this.sent.vectors.output);
    const size = NAME * large;
    const [wide, high] = [widthOf(text, size, font, 600), 1.2 * size];
    const free = this.free();
    const blocked = [...free.blocked, this.grip(), this.named()];
    const { box, lead } = nearby({ x, y, wide, high }, { ...free, blocked, width });
    if (lead) put(this.back, "line", { class: "att-name-lead", ...lead });
    put(this.back, "path", { class: "att-output", d: marker.diamond(x, y) });
    if (!box) return;
    const place = { class: "att-mark-name", x: box.x, y: box.y + 0.8 * box.high, "font-size": size };
    put(this.back, "text", place).textContent = text;
  }

  // Draw the query at its present place, which may be ahead of the weights.
  place() {
    super.place();
    const [angle, length] = this.at;
    this.root.dataset.query = `${angle},${length}`;
    this.shape.textContent = filled(this.words.ui.query, { angle, length: shown(length) });
    if (!this.scale) return;
    const [from, tip] = [this.scale.at([0, 0]), this.scale.at(polar(angle, length))];
    this.arrow.setAttribute("d", marker.arrow(from, tip));
    const far = this.scale.at(polar(angle, 2 * length));
    const { isAsked } = this;
    // The line ends at the edge of the picture.
    const part = Math.min(1, room(tip.x, far.x, this.scale.width), room(tip.y, far.y, this.scale.height));
    const end = { x: tip.x + part * (far.x - tip.x), y: tip.y + part * (far.y - tip.y) };
    this.longer.setAttribute("d", isAsked ? (part < 1 ? marker.cut : marker.arrow)(tip, end) : "");
    Object.entries({ cx: from.x, cy: from.y, r: length * this.scale.unit }).forEach((pair) =>
      this.path.setAttribute(...pair),
    );
    Object.entries({ cx: tip.x, cy: tip.y }).forEach((pair) => this.handle.setAttribute(...pair));
    const { x, y, wide, high } = this.named();
    Object.entries({ x: x + wide / 2, y: y + 0.77 * high, "text-anchor": "middle" }).forEach((pair) =>
      this.name.setAttribute(...pair),
    );
  }

  // The name has the numbers of q, since the sliders are folded away beside their charts.
  named() {
    const [angle, length] = this.at;
    write(this.name, `q  ${angle}° · ${shown(length)}`);
    const tip = this.scale.at(polar(...this.at));
    const wide = this.name.getComputedTextLength() + 8;
    const { arcs, ...free } = this.free();
    const path = circle(this.scale.at([0, 0]), length * this.scale.unit);
    return atTip({ tip, angle, far: HANDLE, wide, high: 23 }, { ...free, arcs: [...arcs, ...path] });
  }

  get isAsked() {
    return this.sent.vectors.twice.length > 0;
  }

  // The handle and the mark of the output, as boxes.
  grip() {
    return around(this.scale.at(polar(...this.at)), HANDLE);
  }

  output() {
    return around(this.scale.at(this.sent.vectors.output), MARK);
  }

  // The tip of q, or where it would be.
  reach() {
    const [angle, length] = this.at;
    return polar(angle, this.isAsked ? 2 * length : length);
  }

  line(point) {
    const [from, { x, y }] = [this.scale.at([0, 0]), this.scale.at(point)];
    return { d: `${from.x},${from.y} ${from.x},${from.y} ${x},${y} ${x},${y}`, wide: 2 };
  }

  // The shapes that names avoid: words, the mark of the output, and the lines to the words and to the tip of q, or to
  // where it would be.
  free() {
    const arcs = [this.reach(), ...this.sent.vectors.points].map((point) => this.line(point));
    const { width, height } = this.scale;
    return { arcs, blocked: [...this.blocked, this.output()], width, height };
  }

  follow(event) {
    const box = this.svg.getBoundingClientRect();
    const [x, y] = this.scale.from(event.clientX - box.left, event.clientY - box.top);
    const angle = x || y ? (Math.atan2(y, x) * 180) / Math.PI : this.at[0];
    this.turn(angle, Math.hypot(x, y));
  }

  question() {
    const [angle, length] = this.at;
    return { angle, length };
  }

  // Turn to the nearest query that the sliders can hold.
  turn(angle, length) {
    const { steps, longest } = this.sent.vectors;
    const [turned, long] = [angle, Math.min(Math.max(length, 0), longest)].map((number, at) =>
      Number((Math.round(number / steps[at]) * steps[at]).toFixed(6)),
    );
    this.at = [long ? ((turned % 360) + 360) % 360 : this.at[0], long];
    this.place();
  }

  release() {
    super.release();
    this.place();
    announce(`q: ${this.shape.textContent}`);
  }

  moves() {
    const [angle, length] = this.at;
    const step = this.sent.vectors.steps[1];
    const to = (turned, long) => () => {
      // A query of length 0 turns as well, for when it grows again.
      if (!length && !long) this.at = [((turned % 360) + 360) % 360, 0];
      this.turn(turned, long);
    };
    return {
      ArrowLeft: to((Math.floor(angle / TURN) + 1) * TURN, length),
      ArrowRight: to((Math.ceil(angle / TURN) - 1) * TURN, length),
      ArrowUp: to(angle, length + step),
      ArrowDown: to(angle, length - step),
      Home: to(angle, 0),
      End: to(angle, this.sent.vectors.longest),
    };
  }

  headAndLines() {
    const { tokens, points, weights, query, output } = this.sent.vectors;
    const { words } = this;
    const head = [words.ui.vectors_vector, words.ui.vectors_first, words.ui.vectors_second, words.ui.vectors_weight];
    const rest = [
      ["q", polar(...query)],
      [words.ui.vectors_output, output],
    ];
    const lines = [
      ...tokens.map((token, index) => [token, ...points[index].map((at) => shown(at)), shown(weights[index])]),
      ...rest.map(([name, point]) => [name, ...point.map((at) => shown(at)), "–"]),
    ];
    return [head, lines];
  }
}

// The part of the way from a place that stays inside a size, less a margin.
function room(from, to, size) {
  if (to === from) return 1;
  return Math.max(0, ((to > from ? size - EDGE : EDGE) - from) / (to - from));
}

function short(weight) {
  if (weight < 0.001) return "<0.001";
  return weight < 0.01 ? weight.toPrecision(1) : weight.toFixed(2);
}
