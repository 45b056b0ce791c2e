// Query heads, the key heads that they read, and the key heads that those were made of: numbered boxes in columns, with
// lines between them.

import { keys, painted, weights } from "./sharing_cells.js";
import { widthOf } from "./text.js";

// Pixels: the least gap between two heads, the width of a head; heights of a head's number, of its weights, of its keys
// and values, and of the original ones.
export const [GAP, HEAD_WIDE, NUMBER, WEIGHTS, KEYS, OWN] = [8, 112, 22, 12, 36, 24];

// layout: `left` and `step`, the places of columns; `top`, `below` and `made`, the upper ends of rows; `reading`, the
// lower end of query heads; and the type. picked: called when a query head is chosen, and when a head is pointed at.
export class Heads {
  constructor(scene, { labels, sharing }, layout, picked) {
    this.scene = scene;
    this.labels = labels;
    this.sharing = sharing;
    this.layout = layout;
    this.picked = picked;
    this.count = sharing.asked.length;
    // The number of query heads that read one key head.
    this.group = this.count / sharing.keys;
  }

  // Draw the lines, also from query heads to the ends of their answers.
  connect(ends) {
    this.sharing.asked.forEach((_, head) => this.lines(head, ends));
  }

  // Draw the heads. Returns the query heads as options of a list.
  draw(option) {
    const { sharing, layout } = this;
    const all = sharing.asked.map((_, head) => head);
    const [made, own] = [sharing.made, sharing.own].map((of) =>
      of.map((one) => painted(one, sharing.most, layout.colours)),
    );
    const queries = all.map((head) => this.query(head, option(head)));
    all.forEach((head) => this.own(head, own[head]));
    all.forEach((head) => this.keys(head, made[this.read(head)]));
    return queries;
  }

  // The key head that a query head reads.
  read(head) {
    return Math.floor(head / this.group);
  }

  middle(head) {
    return this.layout.left + 1 + (head + 0.5) * this.layout.step;
  }

  // The x of a key head: the middle of its readers.
  centre(key) {
    return this.middle((key + 0.5) * this.group - 0.5);
  }

  // The x of the answer to each question: the middle of the heads that ask it.
  middles() {
    return this.labels.questions.map((_, at) => {
      const asking = this.sharing.asked.flatMap((one, head) => (one === at ? [head] : []));
      return this.middle(asking.reduce((sum, head) => sum + head, 0) / asking.length);
    });
  }

  // Whether a head has no question of its own, or no longer serves it.
  isSilent(head) {
    return !this.sharing.serves[head];
  }

  // Lines from a query head to its key head, from there to an original key head, and to the answer of its question.
  lines(head, ends) {
    const { top, reading, below, made, large } = this.layout;
    const [from, to] = [this.middle(head), this.centre(this.read(head))];
    const kind = this.isSilent(head) ? "att-reads att-silent" : "att-reads";
    const around = { class: kind, "aria-hidden": "true" };
    const d = `M${from},${reading + 2} L${to},${below - 2}`;
    this.scene.put(`reads ${head}`, "path", { ...around, d });
    const comes = `M${to},${below + (NUMBER + KEYS) * large + 2} L${from},${made - 2}`;
    this.scene.put(`comes ${head}`, "path", { class: "att-reads att-comes", "aria-hidden": "true", d: comes });
    const asked = this.sharing.asked[head];
    if (asked < 0) return;
    const [x, y] = ends[asked];
    this.scene.put(`asks ${head}`, "path", {
      ...around,
      class: `${kind} att-asks`,
      d: `M${x},${y} L${from},${top - 2}`,
    });
  }

  // The number of a query head and, if there is room, the question that it has lost.
  called(head) {
    const { type, font } = this.layout;
    const lost = this.labels.lost[head];
    const said = `${head + 1} · ${lost}`;
    return lost && widthOf(said, type, font, 700) < this.wide - GAP ? said : head + 1;
  }

  // A silent head is pale.
  query(head, option) {
    const { top } = this.layout;
    const [one, isNew] = this.column(`query ${head}`, this.middle(head), option);
    one.classList.toggle("att-silent", this.isSilent(head));
    const called = this.called(head);
    const inside = this.box(one, `query ${head}`, "att-query", { y: top, called, high: WEIGHTS });
    weights(this.scene, `query ${head}`, this.sharing.weights[head], inside, one);
    this.frame(one, `query ${head}`);
    if (isNew) {
      one.addEventListener("click", () => this.picked.take(head));
      one.addEventListener("pointerenter", () => this.picked.light(head));
      one.addEventListener("focus", () => this.picked.light(head));
      one.addEventListener("blur", () => this.picked.light());
    }
    return one;
  }

  // One box for each query head with the content of its key head; averaged ones stand at one place.
  keys(head, href) {
    const key = this.read(head);
    const [one, isNew] = this.column(`keys ${head}`, this.centre(key), { "aria-hidden": "true" });
    one.toggleAttribute("data-merged", head % this.group > 0);
    const inside = this.box(one, `keys ${head}`, "att-key", { y: this.layout.below, called: key + 1, high: KEYS });
    keys(this.scene, `keys ${head}`, href, inside, one);
    this.frame(one, `keys ${head}`);
    if (isNew) one.addEventListener("pointerenter", () => this.picked.lightReaders(head));
  }

  // The original key head of a query head, which stays in its place.
  own(head, href) {
    const { made, large } = this.layout;
    const [one] = this.column(`own ${head}`, this.middle(head), { "aria-hidden": "true" });
    const inside = { y: made, wide: this.wide, high: OWN * large };
    keys(this.scene, `own ${head}`, href, inside, one);
    this.scene.put(`around own ${head}`, "rect", { class: "att-around att-was", ...rect(inside), rx: 2 }, one);
  }

  get wide() {
    const { step, large } = this.layout;
    return Math.min(step - GAP / 2, HEAD_WIDE * large);
  }

  // A head with its number and its other names; returns the place of its content.
  box(one, name, kind, { y, called, high }) {
    const { large, type } = this.layout;
    const whole = { y, wide: this.wide, high: (NUMBER + high) * large };
    this.scene.put(`ground ${name}`, "rect", { class: kind, ...rect(whole), rx: 4 }, one);
    const middle = { x: 0, y: y + (NUMBER / 2) * large + 0.35 * type, "text-anchor": "middle" };
    this.scene.put(`number ${name}`, "text", middle, one, String(called));
    this.whole = whole;
    return { y: y + NUMBER * large, wide: this.wide, high: high * large };
  }

  // The frame around a head and its content.
  frame(one, name) {
    this.scene.put(`around ${name}`, "rect", { class: "att-around", ...rect(this.whole), rx: 4 }, one);
  }

  column(name, x, attributes) {
    const isNew = !this.scene.get(name);
    const one = this.scene.put(name, "g", attributes);
    one.classList.add("att-one");
    one.style.transform = `translate(${x}px, 0)`;
    return [one, isNew];
  }
}

// A box in the middle of its column.
const rect = ({ y, wide, high }) => ({ x: -wide / 2, y, width: wide, height: high });
