// Query heads, key heads, and which reads which: key heads travel together as they are merged. Beside them how much the
// layer answers rightly, and what is left of the cache; below them what it answers to the questions of one sentence.
// Pointing at a query head lights up the key head that it reads, and the answers to its question.

import { put as write } from "./figure.js";
import { Listbox } from "./listbox.js";
import { Scene } from "./scene.js";
import { answers } from "./sharing_answers.js";
import { heightOf, verdict } from "./sharing_verdict.js";
import { grown, isOnWall } from "./tall.js";

// Pixels: a line of type, the most from one query head to the next, what is at least between two, a key head, its width.
const [TYPE, STEP, GAP, KEY, KEY_WIDE] = [14, 112, 8, 30, 62];
// The width from which the bars stand beside the heads, and what these take of it then.
const [WIDE, HEADS] = [860, 0.58];

export class Sharing extends Listbox {
  constructor(report) {
    super(report);
    this.root.classList.add("att-sharing");
    this.svg.addEventListener("pointerleave", () => this.light());
    this.scene = new Scene(this.svg);
  }

  // The same elements once more: what is merged travels.
  picture(due) {
    this.scene.draw(() => {
      this.options = this.compose(due);
    });
    this.light();
  }

  compose({ width, colours }) {
    const { labels, sharing } = this.sent;
    const large = grown(colours.large);
    const heads = this.heads;
    const type = TYPE * large;
    const isWide = width >= WIDE * large;
    const room = isWide ? HEADS * width : width;
    const step = Math.min((room - 2) / heads, STEP * large);
    const high = heightOf(type, large);
    // Where a question has no room at its head, it stands above all neighbours that ask it.
    const top = (isWide ? 1.7 : 3.1) * type;
    const box = (isWide ? 3.3 : 2) * type;
    // As high as the bars beside them, or as high as lines need.
    const below = isWide ? high - KEY * large - 0.6 * type : top + box + 40 * large;
    const under = below + KEY * large + 1.4 * type;
    const beside = isWide ? { x: room + 24 * large, y: 0 } : { x: 1, y: under };
    this.layout = { step, top, box, below, type, large, isWide, font: colours.font };
    this.line("queries", labels.queries, 1, type);
    for (let head = 0; head < heads; head += 1) this.reader(head);
    const queries = Array.from({ length: heads }, (_, head) => this.query(head, head === sharing.asks));
    for (let head = 0; head < heads; head += 1) this.keys(head);
    if (!isWide) this.questions();
    verdict(this.scene, this.sent, { ...beside, width: width - beside.x, type, large, heads });
    const taken = beside.y + high + 0.5 * type;
    // On a wall all is to be seen at once: the one sentence is the part that can be missed.
    const height = isOnWall()
      ? taken
      : answers(this.scene, this.sent, { y: taken, width, type, large, font: colours.font, isWide });
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    // In a lecture the bars are what a question asks about, not who reads which.
    const cover = isWide ? `0 0 0 ${Math.round(beside.x)}px` : `${Math.round(beside.y)}px 0 0`;
    this.plot.style.setProperty("--att-cells", cover);
    return queries;
  }

  line(name, text, x, y, kind = "att-line") {
    this.scene.put(name, "text", { class: kind, x, y, "aria-hidden": "true" }, this.svg, text);
  }

  middle(head) {
    return 1 + (head + 0.5) * this.layout.step;
  }

  // Where a key head stands: in the middle of those that read it.
  centre(key) {
    return this.middle((key + 0.5) * this.group - 0.5);
  }

  isSilent(head) {
    return this.sent.sharing.asked[head] < 0;
  }

  reader(head) {
    const { top, box, below } = this.layout;
    const [from, to] = [this.middle(head), this.centre(Math.floor(head / this.group))];
    const d = `M${from},${top + box + 2} L${to},${below - 2}`;
    const kind = this.isSilent(head) ? "att-reads att-silent" : "att-reads";
    this.scene.put(`reads ${head}`, "path", { class: kind, d, "aria-hidden": "true" });
  }

  // Its number and its question; a head without one is pale.
  query(head, isChosen) {
    const { top, box, step, type, isWide } = this.layout;
    const { reads, names } = this.sent.labels;
    const option = this.option(isChosen, [reads[head], names[head], ...this.answered(head)].join(", "));
    const [one, isNew] = this.column(`query ${head}`, this.middle(head), option);
    one.classList.toggle("att-silent", this.isSilent(head));
    const wide = step - GAP;
    const around = { class: "att-around att-query", x: -wide / 2, y: top, width: wide, height: box, rx: 4 };
    this.scene.put(`around ${head}`, "rect", around, one);
    const middle = { x: 0, "text-anchor": "middle" };
    this.scene.put(`number ${head}`, "text", { ...middle, y: top + 1.35 * type }, one, String(head + 1));
    if (isWide) this.scene.put(`asks ${head}`, "text", { ...middle, y: top + 2.7 * type }, one, names[head]);
    if (isNew) {
      one.addEventListener("click", () => this.take(head));
      one.addEventListener("pointerenter", () => this.light(head));
      one.addEventListener("focus", () => this.light(head));
      one.addEventListener("blur", () => this.light());
    }
    return one;
  }

  questions() {
    const { names } = this.sent.labels;
    const { top, type } = this.layout;
    for (let head = 0; head < this.heads; head += 1) {
      if (this.isSilent(head) || names[head] === names[head - 1]) continue;
      let last = head;
      while (names[last + 1] === names[head]) last += 1;
      const place = { x: (this.middle(head) + this.middle(last)) / 2, y: top - 0.4 * type, "text-anchor": "middle" };
      this.scene.put(`asked ${head}`, "text", { ...place, "aria-hidden": "true" }, this.svg, names[head]);
    }
  }

  // What the layer answers to the question of a head, at each stage.
  answered(head) {
    const asked = this.sent.sharing.asked[head];
    return asked < 0 ? [] : this.sent.labels.answers.map((of) => of[asked]);
  }

  // As many as query heads, each with what its query head reads: those that are merged stand at one place.
  keys(head) {
    const { below, step, large, type } = this.layout;
    const key = Math.floor(head / this.group);
    const [one, isNew] = this.column(`keys ${head}`, this.centre(key), { "aria-hidden": "true" });
    one.toggleAttribute("data-merged", head % this.group > 0);
    const wide = Math.min(step - GAP / 2, KEY_WIDE * large);
    const box = { class: "att-around att-key", x: -wide / 2, y: below, width: wide, height: KEY * large, rx: 4 };
    this.scene.put(`key ${head}`, "rect", box, one);
    const number = { x: 0, y: below + (KEY / 2) * large + 0.35 * type, "text-anchor": "middle" };
    this.scene.put(`key number ${head}`, "text", number, one, this.sent.labels.boxes[key]);
    if (isNew) one.addEventListener("pointerenter", () => this.light(null, Math.floor(head / this.group)));
  }

  column(name, x, attributes) {
    const isNew = !this.scene.get(name);
    const one = this.scene.put(name, "g", attributes);
    one.classList.add("att-one");
    one.style.transform = `translate(${x}px, 0)`;
    return [one, isNew];
  }

  // A query head with the key head that it reads and the answers to its question, or a key head with all that read it; else
  // the one that is chosen.
  light(head = null, key = null) {
    const { asks, asked } = this.sent.sharing;
    const query = head ?? asks;
    const read = key ?? Math.floor(query / this.group);
    const reader = (at) => (key === null ? at === query : Math.floor(at / this.group) === key);
    for (let at = 0; at < this.heads; at += 1) {
      this.scene.get(`query ${at}`).toggleAttribute("data-lit", reader(at));
      this.scene.get(`reads ${at}`).toggleAttribute("data-lit", reader(at));
      this.scene.get(`keys ${at}`).toggleAttribute("data-lit", Math.floor(at / this.group) === read);
    }
    const lit = asked.filter((_, at) => reader(at));
    this.sent.labels.questions.forEach((_, at) =>
      this.scene.get(`column ${at}`)?.toggleAttribute("data-lit", lit.includes(at)),
    );
    write(this.shape, "");
  }

  get heads() {
    return this.sent.sharing.asked.length;
  }

  // How many query heads read one key head.
  get group() {
    return this.heads / this.sent.sharing.keys;
  }

  headAndLines() {
    const { labels } = this.sent;
    const lines = Array.from({ length: this.heads }, (_, head) => [
      ...[head + 1, Math.floor(head / this.group) + 1, labels.names[head]],
      ...(this.isSilent(head) ? labels.stages.map(() => "") : this.answered(head)),
    ]);
    return [
      [labels.query, labels.key_heads, labels.asked, ...labels.stages],
      [
        ...lines,
        [labels.here, "", "", ...labels.counts],
        [labels.rights, "", "", ...labels.written],
        [labels.cache, "", "", ...labels.stages.map((_, at) => (at ? labels.cached : ""))],
      ],
    ];
  }
}
