// Query heads, key heads, and which reads which: pointing at a query head lights up the key head that it reads.

import { mixed } from "./colour.js";
import { put as write } from "./figure.js";
import { Listbox } from "./listbox.js";
import { decoded } from "./pixels.js";
import { put } from "./plane.js";

const SHADES = 254;
// Pixels: the most of a map's side, what is between two, a line of type, the lines from one row to the other.
const [SIDE, GAP, TYPE, ACROSS] = [76, 10, 13, 46];

export class Sharing extends Listbox {
  constructor(report) {
    super(report);
    this.root.classList.add("att-sharing");
    this.svg.addEventListener("pointerleave", () => this.light());
  }

  compose({ width, colours }) {
    const { labels } = this.sent;
    const { shapes, shades, asks } = this.sent.sharing;
    const { large } = colours;
    const [heads, groups] = [shapes.scores[0], shapes.kept[0]];
    const type = TYPE * large;
    const step = Math.min((width - 2) / heads, (SIDE + GAP) * large);
    const side = step - GAP;
    // From top to bottom: a title, the numbers of the query heads, their maps; lines; the same of the key heads.
    const top = 2.6 * type;
    const below = top + side + ACROSS * large;
    const height = below + side + 3.2 * type;
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    const middle = (head) => 1 + (head + 0.5) * step;
    const centre = (key) => middle((key + 0.5) * this.group - 0.5);
    this.title_of(labels.queries, type);
    const lines = put(this.svg, "g", { "aria-hidden": "true" });
    this.lines = Array.from({ length: heads }, (_, head) =>
      put(lines, "path", {
        class: "att-reads",
        d: `M${middle(head)},${top + side + 3} L${centre(Math.floor(head / this.group))},${below - 3}`,
      }),
    );
    const draw = (at, name, x, y, number, attributes) => {
      const [, rows, columns] = shapes[name];
      const head = put(this.svg, "g", { class: "att-one", ...attributes });
      put(head, "rect", {
        class: "att-touch",
        x: x - step / 2,
        y: Math.min(y, number - type),
        width: step,
        height: side + 1.5 * type,
      });
      const all = decoded(shades[name]).subarray(at * rows * columns, (at + 1) * rows * columns);
      const [wide, high] = [side / columns, side / rows];
      all.forEach((shade, cell) =>
        put(head, "rect", {
          x: x - side / 2 + (cell % columns) * wide,
          y: y + Math.floor(cell / columns) * high,
          width: wide,
          height: high,
          fill: `rgb(${mixed(colours.signed, shade / SHADES)
            .map(Math.round)
            .join(",")})`,
          "shape-rendering": "crispEdges",
        }),
      );
      put(head, "rect", { class: "att-around", x: x - side / 2 - 1, y: y - 1, width: side + 2, height: side + 2 });
      put(head, "text", { x, y: number, "text-anchor": "middle" }).textContent = String(at + 1);
      return head;
    };
    this.queries = Array.from({ length: heads }, (_, head) => {
      const one = draw(
        head,
        "scores",
        middle(head),
        top,
        top - 0.45 * type,
        this.option(head === asks, labels.reads[head]),
      );
      one.addEventListener("pointerenter", () => this.light(head));
      one.addEventListener("focus", () => this.light(head));
      one.addEventListener("blur", () => this.light());
      return one;
    });
    this.keys = Array.from({ length: groups }, (_, key) => {
      const one = draw(key, "kept", centre(key), below, below + side + 1.3 * type, { "aria-hidden": "true" });
      one.addEventListener("pointerenter", () => this.light(null, key));
      return one;
    });
    this.title_of(labels.kept, height - 0.5 * type);
    this.light();
    return this.queries;
  }

  title_of(text, y) {
    put(this.svg, "text", { class: "att-line", x: 1, y, "aria-hidden": "true" }).textContent = text;
  }

  // A query head with the key head that it reads, or a key head with all that read it; else the one that is chosen.
  light(head = null, key = null) {
    const {
      labels,
      sharing: { asks },
    } = this.sent;
    const query = head ?? asks;
    const read = key ?? Math.floor(query / this.group);
    const reader = (at) => (key === null ? at === query : Math.floor(at / this.group) === key);
    this.queries.forEach((one, at) => one.toggleAttribute("data-lit", reader(at)));
    this.lines.forEach((one, at) => one.toggleAttribute("data-lit", reader(at)));
    this.keys.forEach((one, at) => one.toggleAttribute("data-lit", at === read));
    write(this.shape, key === null ? labels.reads[query] : "");
  }

  // How many query heads read one key head.
  get group() {
    const { scores, kept } = this.sent.sharing.shapes;
    return scores[0] / kept[0];
  }

  headAndLines() {
    const {
      labels,
      sharing: { shapes },
    } = this.sent;
    const lines = Array.from({ length: shapes.scores[0] }, (_, head) => [head + 1, Math.floor(head / this.group) + 1]);
    return [[labels.query, labels.key], lines];
  }
}
