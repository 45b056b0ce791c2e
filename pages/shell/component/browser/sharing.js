// Query heads with what each takes for one word, key heads, and which reads which: key heads travel together as they are
// merged. Pointing at a query head lights up the key head that it reads.

import { put as write } from "./figure.js";
import { Listbox } from "./listbox.js";
import { Scene } from "./scene.js";
import { grown } from "./tall.js";
import { fixed } from "./text.js";

// Pixels: the most from one query head to the next, the least with its question, what is at least between two, a line of type, a share of 1, from one
// line of shares to the next, from the last one to the key heads, a key head, a part of the cache.
const [STEP, NAMED, GAP, TYPE, SHARE, ROW, ACROSS, KEY, BAR] = [150, 96, 8, 14, 28, 68, 38, 28, 28];

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
    const { labels } = this.sent;
    const { shares, asks } = this.sent.sharing;
    const large = grown(colours.large);
    const heads = this.heads;
    const type = TYPE * large;
    const step = Math.min((width - 2) / heads, STEP * large);
    const isWide = step >= NAMED * large;
    // From top to bottom: what is drawn, the query heads with a line of shares a stage; lines; the key heads; the cache.
    const top = 2.8 * type;
    const below = top + type + shares.length * ROW * large + ACROSS * large;
    const cache = below + KEY * large + 2 * type;
    const height = cache + BAR * large + 2;
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    // In a lecture the cache is what a question asks about, not who reads which.
    this.plot.style.setProperty("--att-cells", `${Math.round(cache - 2 * type)}px 0 0`);
    this.layout = { step, top, below, type, large, isWide };
    this.line("queries", isWide ? labels.sentence : labels.queries, 1, type);
    labels.stages.forEach((said, at) => {
      this.line(`stage ${at}`, said, 1, this.stage(at) - 0.35 * type);
      this.scene.get(`stage ${at}`).classList.add("att-stage");
    });
    for (let head = 0; head < heads; head += 1) this.reader(head);
    const queries = Array.from({ length: heads }, (_, head) => this.query(head, head === asks));
    for (let head = 0; head < heads; head += 1) this.keys(head);
    this.cache(cache);
    return queries;
  }

  // Where the shares of a stage begin.
  stage(at) {
    const { top, type, large } = this.layout;
    return top + (at * ROW + 20) * large + 0.6 * type;
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
    const { below, large } = this.layout;
    const [from, to] = [this.middle(head), this.centre(Math.floor(head / this.group))];
    const d = `M${from},${below - (ACROSS - 8) * large} L${to},${below - 3}`;
    this.scene.put(`reads ${head}`, "path", { class: "att-reads", d, "aria-hidden": "true" });
  }

  // Its number, its question, and a line of shares for each stage.
  query(head, isChosen) {
    const { top, step, type, large, isWide } = this.layout;
    const { reads, names } = this.sent.labels;
    const { shares } = this.sent.sharing;
    const option = this.option(isChosen, [reads[head], names[head], ...this.largest(head)].filter(Boolean).join(", "));
    const [one, isNew] = this.column(`query ${head}`, this.middle(head), option);
    const high = shares.length * ROW * large + 2 * type;
    const touch = { class: "att-touch", x: -step / 2, y: top - 1.2 * type, width: step, height: high };
    this.scene.put(`touch ${head}`, "rect", touch, one);
    const said = [head + 1, isWide && names[head]].filter(Boolean).join(" · ");
    this.scene.put(`number ${head}`, "text", { x: 0, y: top - 0.1 * type, "text-anchor": "middle" }, one, said);
    shares.forEach((of, at) => this.taken(one, head, at, of[head]));
    if (isNew) {
      one.addEventListener("click", () => this.take(head));
      one.addEventListener("pointerenter", () => this.light(head));
      one.addEventListener("focus", () => this.light(head));
      one.addEventListener("blur", () => this.light());
    }
    return one;
  }

  // A bar a word, that of the word which answers in amber; below them the word that most is taken from.
  taken(parent, head, at, weights) {
    const { step, type, large } = this.layout;
    const { words } = this.sent.labels;
    const answer = this.sent.sharing.answers[head];
    const wide = (step - GAP) / weights.length;
    const bottom = this.stage(at) + SHARE * large;
    const bar = (weight, place) => {
      const x = place * wide - (step - GAP) / 2;
      return `M${x.toFixed(2)},${bottom}v${(-weight * SHARE * large).toFixed(2)}h${(0.85 * wide).toFixed(2)}V${bottom}Z`;
    };
    const bars = (isWanted) => weights.map((weight, place) => (isWanted(place) ? bar(weight, place) : "")).join("");
    const named = `${head} ${at}`;
    const floor = `M${-(step - GAP) / 2},${bottom}h${step - GAP}`;
    this.scene.put(`floor ${named}`, "path", { class: "att-floor", d: floor }, parent);
    this.scene.put(`shares ${named}`, "path", { class: "att-shared", d: bars((place) => place !== answer) }, parent);
    this.scene.put(
      `answer ${named}`,
      "path",
      { class: "att-answers-it", d: bars((place) => place === answer) },
      parent,
    );
    const most = this.most(weights);
    const kind = most === answer ? "att-most att-right" : "att-most";
    const place = { class: kind, x: 0, y: bottom + 1.1 * type, "text-anchor": "middle" };
    this.scene.put(`most ${named}`, "text", place, parent, words[most]);
  }

  most(weights) {
    return weights.indexOf(Math.max(...weights));
  }

  // Of each stage the word that a head takes most from, and how much.
  largest(head) {
    const { words } = this.sent.labels;
    return this.sent.sharing.shares.map((of) => `${words[this.most(of[head])]} ${fixed(Math.max(...of[head]), 2)}`);
  }

  // As many as query heads, each with what its query head reads: those that are merged stand at one place.
  keys(head) {
    const { below, step, large, type } = this.layout;
    const key = Math.floor(head / this.group);
    const [one, isNew] = this.column(`keys ${head}`, this.centre(key), { "aria-hidden": "true" });
    one.toggleAttribute("data-merged", head % this.group > 0);
    const wide = Math.min(step - GAP, 46 * large);
    const box = { class: "att-around att-key", x: -wide / 2, y: below, width: wide, height: KEY * large, rx: 4 };
    this.scene.put(`key ${head}`, "rect", box, one);
    const number = { x: 0, y: below + (KEY / 2) * large + 0.35 * type, "text-anchor": "middle" };
    this.scene.put(`key number ${head}`, "text", number, one, String(key + 1));
    if (isNew) one.addEventListener("pointerenter", () => this.light(null, Math.floor(head / this.group)));
  }

  column(name, x, attributes) {
    const isNew = !this.scene.get(name);
    const one = this.scene.put(name, "g", { class: "att-one", ...attributes });
    one.style.transform = `translate(${x}px, 0)`;
    return [one, isNew];
  }

  // Below each query head the place that its own keys and values would take.
  cache(top) {
    const { step, type, large } = this.layout;
    const high = BAR * large;
    this.line("cache", this.sent.labels.cache, 1, top - 0.6 * type);
    this.scene.get("cache").classList.add("att-bar-said");
    const whole = this.scene.put("cache bar", "g");
    const full = { class: "att-filled", x: 0, y: 0, width: this.heads * step, height: high };
    const filled = this.scene.put("cache full", "rect", full, whole);
    filled.style.transform = `translate(1px, ${top}px) scaleX(${this.sent.sharing.keys / this.heads})`;
    for (let part = 0; part < this.heads; part += 1) {
      const frame = { class: "att-frame", x: 1 + part * step, y: top, width: step, height: high };
      this.scene.put(`cache part ${part}`, "rect", frame, whole);
    }
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
    for (let at = 0; at < this.heads; at += 1) {
      this.scene.get(`query ${at}`).toggleAttribute("data-lit", reader(at));
      this.scene.get(`reads ${at}`).toggleAttribute("data-lit", reader(at));
      this.scene.get(`keys ${at}`).toggleAttribute("data-lit", Math.floor(at / this.group) === read);
    }
    write(this.shape, key === null ? labels.reads[query] : "");
  }

  get heads() {
    return this.sent.sharing.shares[0].length;
  }

  // How many query heads read one key head.
  get group() {
    return this.heads / this.sent.sharing.keys;
  }

  headAndLines() {
    const { labels } = this.sent;
    const lines = Array.from({ length: this.heads }, (_, head) => [
      ...[head + 1, Math.floor(head / this.group) + 1, labels.names[head]],
      ...this.largest(head),
    ]);
    return [
      [labels.query, labels.key, labels.asked, ...labels.stages],
      [...lines, [labels.cache, ...Array.from({ length: 2 + labels.stages.length }, () => "")]],
    ];
  }
}
