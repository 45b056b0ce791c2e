// Query heads, key heads, and which reads which: key heads travel together as they are merged. Pointing at a query head
// lights up the key head that it reads.

import { put as write } from "./figure.js";
import { Listbox } from "./listbox.js";
import { decoded, paint } from "./pixels.js";
import { Scene } from "./scene.js";
import { grown } from "./tall.js";

// Pixels: the most of a map's side, from one query head to the next, what is at least between two, a line of type, the lines
// from one row to the other.
const [SIDE, STEP, GAP, TYPE, ACROSS] = [46, 110, 8, 14, 64];
// A bar, and from the top of one to that of the next.
const [BAR, NEXT] = [36, 80];

export class Sharing extends Listbox {
  constructor(report) {
    super(report);
    this.root.classList.add("att-sharing");
    this.svg.addEventListener("pointerleave", () => this.light());
    this.scene = new Scene(this.svg);
    this.canvas_of_maps = document.createElement("canvas");
  }

  // The same elements once more: what is merged travels.
  picture(due) {
    this.scene.draw(() => {
      this.options = this.compose(due);
    });
    this.light();
  }

  compose({ width, colours }) {
    const { labels } = this.sent;
    const { shapes, asks } = this.sent.sharing;
    const large = grown(colours.large);
    const [heads] = shapes.scores;
    const type = TYPE * large;
    const step = Math.min((width - 2) / heads, STEP * large);
    const side = Math.min(SIDE * large, step - GAP);
    const isWide = step === STEP * large;
    // From top to bottom: a title, the numbers of the query heads, their maps; lines; the same of the key heads.
    const top = 2.7 * type;
    const below = top + side + ACROSS * large;
    const end = below + side + 3.2 * type;
    // As wide as the heads: each part of the cache is below a query head.
    const bars = { x: 1, y: end + 2.8 * type, wide: heads * step };
    const height = bars.y + (NEXT + BAR) * large + 2;
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    // In a lecture the two bars are what a question asks about, not who reads which.
    this.plot.style.setProperty("--att-cells", `${Math.round(bars.y - 2 * type)}px 0 0`);
    this.layout = { side, step, top, below, type, large, colours };
    this.line("queries", isWide ? labels.sentence : labels.queries, 1, type);
    for (let head = 0; head < heads; head += 1) this.reader(head);
    const queries = Array.from({ length: heads }, (_, head) => this.query(head, head === asks));
    for (let head = 0; head < heads; head += 1) this.keys(head);
    this.line("kept", labels.kept, 1, end - 0.5 * type);
    this.bar("cache", bars, 0, heads);
    this.bar("right", bars, NEXT * large, 1);
    return queries;
  }

  line(name, text, x, y) {
    this.scene.put(name, "text", { class: "att-line", x, y, "aria-hidden": "true" }, this.svg, text);
  }

  middle(head) {
    return 1 + (head + 0.5) * this.layout.step;
  }

  // Where a key head stands: in the middle of those that read it.
  centre(key) {
    return this.middle((key + 0.5) * this.group - 0.5);
  }

  reader(head) {
    const { top, side, below } = this.layout;
    const [from, to] = [this.middle(head), this.centre(Math.floor(head / this.group))];
    const d = `M${from},${top + side + 3} L${to},${below - 3}`;
    this.scene.put(`reads ${head}`, "path", { class: "att-reads", d, "aria-hidden": "true" });
  }

  query(head, isChosen) {
    const { top, type } = this.layout;
    const option = this.option(isChosen, this.sent.labels.reads[head]);
    const [one, isNew] = this.map(`query ${head}`, "scores", head, this.middle(head), top, option);
    this.number(one, `query ${head}`, head, -0.45 * type);
    if (isNew) {
      one.addEventListener("click", () => this.take(head));
      one.addEventListener("pointerenter", () => this.light(head));
      one.addEventListener("focus", () => this.light(head));
      one.addEventListener("blur", () => this.light());
    }
    return one;
  }

  // As many as query heads, each with what its query head reads: those that are merged stand at one place.
  keys(head) {
    const { below, side, type } = this.layout;
    const key = Math.floor(head / this.group);
    const isFirst = head % this.group === 0;
    const [one, isNew] = this.map(`keys ${head}`, "kept", key, this.centre(key), below, { "aria-hidden": "true" });
    one.toggleAttribute("data-merged", !isFirst);
    this.number(one, `keys ${head}`, key, side + 1.3 * type);
    if (isNew) one.addEventListener("pointerenter", () => this.light(null, Math.floor(head / this.group)));
  }

  number(one, name, at, y) {
    this.scene.put(`number ${name}`, "text", { x: 0, y, "text-anchor": "middle" }, one, String(at + 1));
  }

  map(name, kind, at, x, y, attributes) {
    const { side, step, type, colours } = this.layout;
    const isNew = !this.scene.get(name);
    const one = this.scene.put(name, "g", { class: "att-one", ...attributes });
    one.style.transform = `translate(${x}px, ${y}px)`;
    const [, rows, columns] = this.sent.sharing.shapes[kind];
    this.scene.put(
      `touch ${name}`,
      "rect",
      { class: "att-touch", x: -step / 2, y: -1.5 * type, width: step, height: side + 3 * type },
      one,
    );
    const all = decoded(this.sent.sharing.shades[kind]).subarray(at * rows * columns, (at + 1) * rows * columns);
    paint(this.canvas_of_maps, [all], rows, columns, "signed", colours);
    this.scene.put(
      `image ${name}`,
      "image",
      {
        x: -side / 2,
        y: 0,
        width: side,
        height: side,
        preserveAspectRatio: "none",
        href: this.canvas_of_maps.toDataURL(),
      },
      one,
    );
    const around = { class: "att-around", x: -side / 2 - 1, y: -1, width: side + 2, height: side + 2 };
    this.scene.put(`around ${name}`, "rect", around, one);
    return [one, isNew];
  }

  // A share of a whole, to scale: the whole is a frame in so many parts.
  bar(name, { x, y, wide }, down, parts) {
    const { type, large } = this.layout;
    const top = y + down;
    const high = BAR * large;
    this.line(`${name} name`, this.sent.labels[name], x, top - 0.6 * type);
    this.scene.get(`${name} name`).classList.add("att-bar-said");
    const whole = this.scene.put(`${name} bar`, "g");
    const size = { x: 0, y: 0, width: wide, height: high };
    const [share, later] = this.sent.sharing.bars[name];
    const filled = { full: share, ...(later === undefined ? {} : { later }) };
    for (const [what, length] of Object.entries(filled)) {
      const full = this.scene.put(`${name} ${what}`, "rect", { class: `att-filled att-${what}`, ...size }, whole);
      full.style.transform = `translate(${x}px, ${top}px) scaleX(${length})`;
    }
    for (let part = 0; part < parts; part += 1)
      this.scene.put(
        `${name} part ${part}`,
        "rect",
        { class: "att-frame", x: x + (part * wide) / parts, y: top, width: wide / parts, height: high },
        whole,
      );
  }

  // A query head with the key head that it reads, or a key head with all that read it; else the one that is chosen.
  light(head = null, key = null) {
    const {
      labels,
      sharing: { asks, shapes },
    } = this.sent;
    const query = head ?? asks;
    const read = key ?? Math.floor(query / this.group);
    const reader = (at) => (key === null ? at === query : Math.floor(at / this.group) === key);
    for (let at = 0; at < shapes.scores[0]; at += 1) {
      this.scene.get(`query ${at}`).toggleAttribute("data-lit", reader(at));
      this.scene.get(`reads ${at}`).toggleAttribute("data-lit", reader(at));
      this.scene.get(`keys ${at}`).toggleAttribute("data-lit", Math.floor(at / this.group) === read);
    }
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
    return [
      [labels.query, labels.key],
      [...lines, [labels.cache, ""], [labels.right, ""]],
    ];
  }
}
