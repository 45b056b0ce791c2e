// Query heads, key heads, and which reads which: key heads travel together as they are merged. Beside them how much the
// layer answers rightly, with its own keys, averaged ones and once it was trained on, and what is left of the cache; below
// them what the chosen head takes. Pointing at a query head lights up the key head that it reads.

import { put as write } from "./figure.js";
import { Listbox } from "./listbox.js";
import { Scene } from "./scene.js";
import { shares } from "./sharing_shares.js";
import { grown, isOnWall } from "./tall.js";
import { fixed } from "./text.js";

// Pixels: a line of type, the most from one query head to the next, what is at least between two, a key head, its width.
const [TYPE, STEP, GAP, KEY, KEY_WIDE] = [14, 112, 8, 30, 62];
// A bar of the verdict, from one to the next, the room of the number at its end, and that number.
const [BAR, BLOCK, WRITTEN, NUMBER] = [20, 49, 84, 21];
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
    /** @type {Record<string, number>} */
    const verdict = { high: 1.7 * type + (this.stages + 1) * BLOCK * large + 0.6 * type };
    // Where a question has no room at its head, it stands above all neighbours that ask it.
    const top = (isWide ? 1.7 : 3.1) * type;
    const box = (isWide ? 3.3 : 2) * type;
    // As high as the bars beside them, or as high as lines need.
    const below = isWide ? verdict.high - KEY * large - 0.6 * type : top + box + 40 * large;
    const under = below + KEY * large + 1.4 * type;
    Object.assign(verdict, isWide ? { x: room + 24 * large, y: 0 } : { x: 1, y: under });
    this.layout = { step, top, box, below, type, large, isWide, font: colours.font };
    this.line("queries", labels.queries, 1, type);
    for (let head = 0; head < heads; head += 1) this.reader(head);
    const queries = Array.from({ length: heads }, (_, head) => this.query(head, head === sharing.asks));
    for (let head = 0; head < heads; head += 1) this.keys(head);
    if (!isWide) this.questions();
    this.verdict(verdict, width - verdict.x);
    const taken = (isWide ? verdict.high : verdict.y + verdict.high) + 0.5 * type;
    // On a wall all is to be seen at once: the shares of one head are the part that can be missed.
    const height = isOnWall()
      ? taken
      : shares(this.scene, this.sent, { y: taken, width, type, large, font: colours.font, isWide });
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    // In a lecture the bars are what a question asks about, not who reads which.
    const cover = isWide ? `0 0 0 ${Math.round(verdict.x)}px` : `${Math.round(verdict.y)}px 0 0`;
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
    return !this.sent.labels.names[head];
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
    const option = this.option(isChosen, [reads[head], names[head], ...this.largest(head)].filter(Boolean).join(", "));
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

  // How much is answered rightly at each stage, and how much of the cache is left, as bars of one length.
  /** @param {Record<string, number>} place */
  verdict({ x, y }, width) {
    const { labels, sharing } = this.sent;
    const { type, large } = this.layout;
    const wide = width - WRITTEN * large;
    this.line("rights", labels.rights, x, y + type);
    const from = y + 1.7 * type;
    const bar = (name, at, said, share, written, kind, apart = 0) => {
      const top = from + at * BLOCK * large + apart;
      this.line(`${name} said`, said, x, top + type, "att-stage");
      const place = { x, y: top + 1.4 * type, width: wide, height: BAR * large };
      this.scene.put(`${name} room`, "rect", { class: "att-frame", ...place });
      const whole = this.scene.put(`${name} whole`, "g");
      whole.style.transform = `translate(${x}px, 0) scaleX(${share})`;
      whole.classList.add("att-length");
      this.scene.put(`${name} bar`, "rect", { class: kind, ...place, x: 0 }, whole);
      const number = { class: "att-written", x: x + wide + 10 * large, y: place.y + BAR * large - 3 * large };
      this.scene.put(`${name} number`, "text", { ...number, "font-size": NUMBER * large }, this.svg, written);
      return place;
    };
    sharing.rights.forEach((share, at) =>
      bar(`right ${at}`, at, labels.stages[at], share, labels.written[at], "att-answers-it"),
    );
    const kept = sharing.keys / this.heads;
    const place = bar("cache", this.stages, labels.cache, kept, labels.cached, "att-filled", 0.6 * type);
    // The place that the keys and values of each query head would take.
    for (let part = 1; part < this.heads; part += 1) {
      const at = x + (part * wide) / this.heads;
      const rule = { class: "att-eighth", x1: at, x2: at, y1: place.y, y2: place.y + place.height };
      this.scene.put(`cache part ${part}`, "line", rule);
    }
  }

  // A query head with the key head that it reads, or a key head with all that read it; else the one that is chosen.
  light(head = null, key = null) {
    const {
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
    write(this.shape, "");
  }

  get stages() {
    return this.sent.sharing.shares.length;
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
      [labels.query, labels.key_heads, labels.asked, ...labels.stages],
      [
        ...lines,
        [labels.rights, "", "", ...labels.written],
        [labels.cache, "", "", ...labels.stages.map((_, at) => (at ? labels.cached : ""))],
      ],
    ];
  }
}
