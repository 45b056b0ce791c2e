// Vectors in the plane: each token as large as its weight, what comes out, and a query that is dragged or moved by key.

import { Dragged } from "./dragged.js";
import { marker, polar, put, Scale } from "./plane.js";
import { announce, filled, shown } from "./text.js";

// Pixels: on a phone, and where there is room.
const [HEIGHT, TALL, ROOMY] = [360, 540, 560];
const HANDLE = 22;
// Keys turn by whole steps of five degrees: a turn around the plane is 72 presses, not 360.
const TURN = 5;

export class Vectors extends Dragged {
  constructor(sets) {
    super(sets, { height: HEIGHT, "aria-hidden": "true" });
    this.plot.classList.add("att-vectors");
    this.canvas.style.height = `${HEIGHT}px`;
    this.back = put(this.svg, "g");
    this.path = put(this.svg, "circle", { class: "att-path" });
    this.arrow = put(this.svg, "path", { class: "att-arrow" });
    this.name = put(this.svg, "text", { class: "att-q" });
    this.name.textContent = "q";
    this.handle = put(this.svg, "circle", { class: "att-handle", r: HANDLE });
    this.holds(this.handle, this.plot);
  }

  update(sent, labels, words) {
    this.explain(words);
    super.update(sent, labels, words);
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
    this.canvas.style.height = `${height}px`;
    Object.entries({ width, height }).forEach((pair) => this.svg.setAttribute(...pair));
    this.scale = new Scale(width, height, Math.max(vectors.longest, ...vectors.points.flat().map(Math.abs)) + 0.3);
    this.back.replaceChildren();
    this.scale.grid(this.back, vectors.longest);
    vectors.points.forEach((point, index) =>
      this.token(index, point, colours.series[index % colours.series.length], colours.large),
    );
    const { x, y } = this.scale.at(vectors.mean);
    put(this.back, "path", { class: "att-mean", d: marker.cross(x, y) });
    const out = this.scale.at(vectors.output);
    put(this.back, "path", { class: "att-output", d: marker.diamond(out.x, out.y) });
  }

  token(index, point, colour, large) {
    const { tokens, weights } = this.sent.vectors;
    const { x, y } = this.scale.at(point);
    const [weight, name] = [weights[index], tokens[index]];
    const radius = 20 * Math.sqrt(weight);
    const group = put(this.back, "g", { class: "att-token" });
    const origin = this.scale.at([0, 0]);
    put(group, "line", {
      x1: origin.x,
      y1: origin.y,
      x2: x,
      y2: y,
      stroke: colour,
      "stroke-width": large * (1 + 6 * weight),
    });
    put(group, "circle", { cx: x, cy: y, r: radius, fill: colour, "fill-opacity": 0.3, stroke: colour });
    put(group, "circle", { cx: x, cy: y, r: 3, fill: colour });
    const below = point[1] < 0;
    const label = put(group, "text", {
      x,
      y: below ? y + Math.max(radius, 4) + 14 * large : y - Math.max(radius, 4) - 5,
      "text-anchor": "middle",
      fill: colour,
    });
    label.textContent = `${name} ${short(weight)}`;
    // Names of tokens near the edge keep inside it.
    const half = label.getComputedTextLength() / 2 + 2;
    label.setAttribute("x", Math.min(Math.max(x, half), this.scale.width - half));
    put(group, "title").textContent = `${name}: ${shown(weight)}`;
  }

  // The query where it is now, which may be ahead of the weights.
  place() {
    super.place();
    const [angle, length] = this.at;
    this.root.dataset.query = `${angle},${length}`;
    this.shape.textContent = filled(this.words.ui.query, { angle, length: shown(length) });
    if (!this.scale) return;
    const [from, tip] = [this.scale.at([0, 0]), this.scale.at(polar(angle, length))];
    this.arrow.setAttribute("d", marker.arrow(from, tip));
    Object.entries({ cx: from.x, cy: from.y, r: length * this.scale.unit }).forEach((pair) =>
      this.path.setAttribute(...pair),
    );
    Object.entries({ cx: tip.x, cy: tip.y }).forEach((pair) => this.handle.setAttribute(...pair));
    // Its name stands beside the tip, where there is room at any length.
    const [aside, above] = polar(angle + 90, 15);
    Object.entries({ x: tip.x + aside, y: tip.y - above + 4, "text-anchor": "middle" }).forEach((pair) =>
      this.name.setAttribute(...pair),
    );
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

  // To the nearest query that the sliders can hold.
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
    announce(`q: ${this.shape.textContent}`);
  }

  moves() {
    const [angle, length] = this.at;
    const step = this.sent.vectors.steps[1];
    const to = (turned, long) => () => {
      // A query of length 0 turns as well: it will be needed when it grows again.
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

  explain(words) {
    const chip = (name, text) => {
      const item = document.createElement("span");
      const svg = put(item, "svg", { class: "att-key", width: 14, height: 14, "aria-hidden": "true" });
      if (name === "token") put(svg, "circle", { class: "att-token", cx: 7, cy: 7, r: 6 });
      else
        put(svg, "path", { class: `att-${name}`, d: name === "output" ? marker.diamond(7, 7, 6) : marker.cross(7, 7) });
      item.append(text);
      return item;
    };
    this.legend.replaceChildren(
      chip("token", words.ui.vectors_token),
      chip("output", words.ui.vectors_output),
      chip("mean", words.ui.vectors_mean),
    );
  }

  headAndLines() {
    const { tokens, points, weights, query, output, mean } = this.sent.vectors;
    const { words } = this;
    const head = [words.ui.vectors_vector, words.ui.vectors_first, words.ui.vectors_second, words.ui.vectors_weight];
    const rest = [
      ["q", polar(...query)],
      [words.ui.vectors_output, output],
      [words.ui.vectors_mean, mean],
    ];
    const lines = [
      ...tokens.map((token, index) => [token, ...points[index].map((at) => shown(at)), shown(weights[index])]),
      ...rest.map(([name, point]) => [name, ...point.map((at) => shown(at)), "–"]),
    ];
    return [head, lines];
  }
}

function short(weight) {
  if (weight < 0.001) return "<0.001";
  return weight < 0.01 ? weight.toPrecision(1) : weight.toFixed(2);
}
