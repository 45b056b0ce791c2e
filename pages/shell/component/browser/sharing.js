// Query heads, key heads, and which reads which: key heads travel together as they are merged. Above the query heads stand
// the answers to their questions, below the key heads what is left of the cache. Pointing at a query head lights up the key
// head that it reads, and the answer to its question.

import { put as write } from "./figure.js";
import { Listbox } from "./listbox.js";
import { Scene } from "./scene.js";
import { answers, heightOf } from "./sharing_answers.js";
import { cache, heightOf as heightOfCache } from "./sharing_cache.js";
import { grown } from "./tall.js";
import { broken } from "./text.js";

// Pixels: the most from one query head to the next, what is at least between two, a head, its width, the lines from answers
// to heads, and from heads to key heads, and the room of the menu.
const [STEP, GAP, HEAD, HEAD_WIDE, ASKING, READING, MENU] = [150, 8, 30, 62, 34, 110, 32];
// The width from which there is room for lines as long, and for the names of rows beside them; a line of type, with it and
// without.
const [WIDE, NAMES, SHORT, TYPE, SMALL] = [860, 110, 0.6, 16, 14];

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
    const isWide = width >= WIDE * large;
    const type = (isWide ? TYPE : SMALL) * large;
    const left = isWide ? NAMES * large : 0;
    const step = Math.min((width - left - 2) / this.heads, STEP * large);
    const lines = broken(labels.answered, width - MENU, type, colours.font, 600);
    lines.forEach((line, at) => this.line(`answered ${at}`, line, 1, (1 + 1.3 * at) * type, "att-stage"));
    const long = isWide ? large : SHORT * large;
    // The names of rows stand above them where there is no room beside.
    const named = isWide ? 0 : 1.4 * type;
    const answered = (0.7 + 1.3 * lines.length) * type;
    const top = answered + heightOf(type, large) + ASKING * long;
    const reading = top + HEAD * large;
    const below = reading + READING * long + named;
    const under = below + HEAD * large + 0.8 * type;
    this.layout = { left, step, top, below, type, large };
    const row = { y: answered, most: Math.min(2 * step, 2 * HEAD_WIDE * large) - GAP, type, large, font: colours.font };
    const name = (y) => (isWide ? y + (HEAD / 2) * large + 0.35 * type : y - 0.5 * type);
    const ends = answers(this.scene, this.sent, this.middles(), row);
    for (let head = 0; head < this.heads; head += 1) this.lines(head, ends);
    this.line("query heads", labels.query_heads, 1, name(top), "att-line att-row-name");
    this.line("key heads", labels.key_heads, 1, name(below), "att-line att-row-name");
    const queries = Array.from({ length: this.heads }, (_, head) => this.query(head, head === sharing.asks));
    for (let head = 0; head < this.heads; head += 1) this.keys(head);
    cache(this.scene, this.sent, { x: left + 1, y: under, width: step * this.heads, type, large, heads: this.heads });
    const height = under + heightOfCache(type, large);
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    // In a lecture the cache is what a question asks about, not who reads which.
    this.plot.style.setProperty("--att-cells", `${Math.round(below - named)}px 0 0`);
    return queries;
  }

  line(name, text, x, y, kind = "att-line") {
    this.scene.put(name, "text", { class: kind, x, y, "aria-hidden": "true" }, this.svg, text);
  }

  middle(head) {
    return this.layout.left + 1 + (head + 0.5) * this.layout.step;
  }

  // Where a key head stands: in the middle of those that read it.
  centre(key) {
    return this.middle((key + 0.5) * this.group - 0.5);
  }

  // Where the answer to each question stands: in the middle of those that ask it.
  middles() {
    return this.sent.labels.questions.map((_, at) => {
      const asking = this.sent.sharing.asked.flatMap((one, head) => (one === at ? [head] : []));
      return this.middle(asking.reduce((sum, head) => sum + head, 0) / asking.length);
    });
  }

  isSilent(head) {
    return this.sent.sharing.asked[head] < 0;
  }

  // From a query head to the key head that it reads, and to the answer to its question.
  lines(head, ends) {
    const { top, below, large } = this.layout;
    const [from, to] = [this.middle(head), this.centre(Math.floor(head / this.group))];
    const kind = this.isSilent(head) ? "att-reads att-silent" : "att-reads";
    const around = { class: kind, "aria-hidden": "true" };
    const d = `M${from},${top + HEAD * large + 2} L${to},${below - 2}`;
    this.scene.put(`reads ${head}`, "path", { ...around, d });
    if (this.isSilent(head)) return;
    const [x, y] = ends[this.sent.sharing.asked[head]];
    this.scene.put(`asks ${head}`, "path", { ...around, d: `M${x},${y} L${from},${top - 2}` });
  }

  // Its number; a head without a question is pale.
  query(head, isChosen) {
    const { top } = this.layout;
    const { reads, names } = this.sent.labels;
    const option = this.option(isChosen, [reads[head], names[head], ...this.answered(head)].join(", "));
    const [one, isNew] = this.column(`query ${head}`, this.middle(head), option);
    one.classList.toggle("att-silent", this.isSilent(head));
    this.box(one, `query ${head}`, "att-query", top, head + 1);
    if (isNew) {
      one.addEventListener("click", () => this.take(head));
      one.addEventListener("pointerenter", () => this.light(head));
      one.addEventListener("focus", () => this.light(head));
      one.addEventListener("blur", () => this.light());
    }
    return one;
  }

  // What the layer answers to the question of a head.
  answered(head) {
    const asked = this.sent.sharing.asked[head];
    return asked < 0 ? [] : [this.sent.labels.answers[asked]];
  }

  // As many as query heads, each with what its query head reads: those that are merged stand at one place.
  keys(head) {
    const key = Math.floor(head / this.group);
    const [one, isNew] = this.column(`keys ${head}`, this.centre(key), { "aria-hidden": "true" });
    one.toggleAttribute("data-merged", head % this.group > 0);
    this.box(one, `keys ${head}`, "att-key", this.layout.below, key + 1);
    if (isNew) one.addEventListener("pointerenter", () => this.light(null, Math.floor(head / this.group)));
  }

  box(one, name, kind, y, number) {
    const { step, large, type } = this.layout;
    const wide = Math.min(step - GAP / 2, HEAD_WIDE * large);
    const box = { class: `att-around ${kind}`, x: -wide / 2, y, width: wide, height: HEAD * large, rx: 4 };
    this.scene.put(`around ${name}`, "rect", box, one);
    const middle = { x: 0, y: y + (HEAD / 2) * large + 0.35 * type, "text-anchor": "middle" };
    this.scene.put(`number ${name}`, "text", middle, one, String(number));
  }

  column(name, x, attributes) {
    const isNew = !this.scene.get(name);
    const one = this.scene.put(name, "g", attributes);
    one.classList.add("att-one");
    one.style.transform = `translate(${x}px, 0)`;
    return [one, isNew];
  }

  // A query head with the key head that it reads and the answer to its question, or a key head with all that read it; else
  // the one that is chosen.
  light(head = null, key = null) {
    const { asks, asked } = this.sent.sharing;
    const query = head ?? asks;
    const read = key ?? Math.floor(query / this.group);
    const reader = (at) => (key === null ? at === query : Math.floor(at / this.group) === key);
    for (let at = 0; at < this.heads; at += 1) {
      for (const one of ["query", "reads", "asks"])
        this.scene.get(`${one} ${at}`)?.toggleAttribute("data-lit", reader(at));
      this.scene.get(`keys ${at}`).toggleAttribute("data-lit", Math.floor(at / this.group) === read);
    }
    const lit = asked.filter((_, at) => reader(at));
    this.sent.labels.questions.forEach((_, at) =>
      this.scene.get(`answered by ${at}`).toggleAttribute("data-lit", lit.includes(at)),
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
      this.answered(head)[0] ?? "",
    ]);
    return [
      [labels.query, labels.key, labels.asked, labels.answer],
      [...lines, [labels.answered, "", "", labels.here], [labels.cache, "", "", labels.cached]],
    ];
  }
}
