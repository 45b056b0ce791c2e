// Query heads, key heads, and which reads which: key heads slide together as they are averaged, and below each stand those
// that it was made of. Above them the sentence, and the answers to what query heads ask; below (on a phone above), what is
// saved and what it costs. Pointing at a query head lights up the key head that it reads and the answer to its question, and shows what it takes.

import { put as write } from "./figure.js";
import { Listbox } from "./listbox.js";
import { Scene } from "./scene.js";
import { answers, heightOf as heightOfAnswers } from "./sharing_answers.js";
import { bars, heightOf as heightOfBars } from "./sharing_bars.js";
import { keys, weights } from "./sharing_cells.js";
import { heightOf as heightOfSentence, sentence, takes } from "./sharing_sentence.js";
import { grown } from "./tall.js";
import { broken } from "./text.js";

// Pixels: the most from one query head to the next, what is at least between two, the width of a head, and the room of the
// menu; heights: of the number of a head, of its weights, its keys, and the keys that it was made of; of the lines from
// answers to heads, from heads to key heads, and to those that they were made of.
const [STEP, GAP, HEAD_WIDE, MENU] = [150, 8, 112, 32];
const [NUMBER, WEIGHTS, KEYS, OWN] = [22, 12, 30, 18];
const [ASKING, READING, MADE] = [26, 62, 20];
// The width from which there is room for lines as long, and for the names of rows beside them; a line of type, with it and
// without, and of the legend.
const [WIDE, NAMES, SHORT, TYPE, SMALL, LEGEND] = [860, 118, 0.7, 16, 14, 0.85];

export class Sharing extends Listbox {
  constructor(report) {
    super(report);
    this.root.classList.add("att-sharing");
    this.svg.addEventListener("pointerleave", () => this.light());
    this.scene = new Scene(this.svg);
  }

  // From one count of key heads to another they are seen to slide, under the finger, too: it has few stops.
  update(sent, labels, words) {
    this.svg.toggleAttribute("data-travels", Boolean(this.sent) && sent.sharing.keys !== this.sent.sharing.keys);
    super.update(sent, labels, words);
  }

  // The same elements once more: what is averaged travels.
  picture(due) {
    this.scene.draw(() => {
      this.options = this.compose(due);
    });
    this.light();
  }

  compose({ width, colours }) {
    const { labels, sharing } = this.sent;
    const { font } = colours;
    const large = grown(colours.large);
    const isWide = width >= WIDE * large;
    // On a wall a lecturer says who reads what: heads, answers and bars have the room.
    const isOnWall = colours.large > 1;
    const isBeside = isWide || isOnWall;
    // A stop of a lecture covers what is below the heads: there, bars above them would give its answer away.
    const isFirst = !isBeside && document.documentElement.dataset.lecture === undefined;
    const type = (isWide ? TYPE : SMALL) * large;
    const left = isWide ? NAMES * large : 0;
    const step = Math.min((width - left - 2) / this.heads, STEP * large);
    const said = { width: width - 2, room: width - MENU * large, type, large, font };
    if (!isOnWall) sentence(this.scene, this.sent, said);
    const spoken = isOnWall ? 0 : heightOfSentence(labels, said) + 0.9 * type;
    // On a phone what is saved and what it costs would be out of sight below the heads.
    const answered = isFirst ? spoken + heightOfBars(type, large, isBeside) + 0.6 * type : spoken;
    this.line("asking title", labels.asking, 1, answered + type, "att-stage");
    const long = isWide ? large : SHORT * large;
    // The names of rows stand above them where there is no room beside.
    const named = isWide ? 0 : 1.4 * type;
    const asked = answered + (isWide ? 0 : 1.5 * type);
    const top = asked + heightOfAnswers(type, large) + ASKING * long + named;
    const reading = top + (NUMBER + WEIGHTS) * large;
    const below = reading + READING * long + named;
    const made = below + (NUMBER + KEYS) * large + MADE * long + named;
    const ended = made + OWN * large + 0.9 * type;
    this.layout = { left, step, top, reading, below, made, type, large, colours, isOnWall };
    const row = { y: asked, most: Math.min(2 * step, 2 * HEAD_WIDE * large) - GAP, type, large, font };
    const name = (y) => (isWide ? y + 1.1 * type : y - 0.5 * type);
    const ends = answers(this.scene, this.sent, this.middles(), row);
    for (let head = 0; head < this.heads; head += 1) this.lines(head, ends);
    this.line("query heads", labels.query_heads, 1, name(top), "att-line att-row-name");
    this.line("key heads", labels.key_heads, 1, name(below), "att-line att-row-name");
    this.line("own heads", labels.own_heads, 1, name(made), "att-line att-row-name");
    const queries = Array.from({ length: this.heads }, (_, head) => this.query(head, head === sharing.asks));
    for (let head = 0; head < this.heads; head += 1) this.own(head);
    for (let head = 0; head < this.heads; head += 1) this.keys(head);
    const whole = {
      x: left + 1,
      y: isFirst ? spoken : ended,
      width: step * this.heads,
      type,
      large,
      heads: this.heads,
      isBeside,
    };
    bars(this.scene, this.sent, whole);
    const legend = isFirst ? ended : ended + heightOfBars(type, large, isBeside) + 0.6 * type;
    const height = isOnWall ? legend : this.explained(legend, width, LEGEND * type, font);
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    // In a lecture the cache is what a question asks about, not who reads which.
    this.plot.style.setProperty("--att-cells", `${Math.round(below - named)}px 0 0`);
    return queries;
  }

  explained(top, width, type, font) {
    const lines = broken(this.sent.labels.legend, width - 2, type, font);
    lines.forEach((line, at) => {
      const place = {
        class: "att-line",
        "aria-hidden": "true",
        "font-size": type,
        x: 1,
        y: top + (1 + 1.35 * at) * type,
      };
      this.scene.put(`legend ${at}`, "text", place, this.svg, line);
    });
    return top + (0.4 + 1.35 * lines.length) * type;
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

  // A head without a question of its own, or one that no longer serves it.
  isSilent(head) {
    return !this.sent.sharing.serves[head];
  }

  // From a query head to the key head that it reads, from that to one that it was made of, and to the answer to its question.
  lines(head, ends) {
    const { top, reading, below, made, large } = this.layout;
    const [from, to] = [this.middle(head), this.centre(Math.floor(head / this.group))];
    const kind = this.isSilent(head) ? "att-reads att-silent" : "att-reads";
    const around = { class: kind, "aria-hidden": "true" };
    const d = `M${from},${reading + 2} L${to},${below - 2}`;
    this.scene.put(`reads ${head}`, "path", { ...around, d });
    const comes = `M${to},${below + (NUMBER + KEYS) * large + 2} L${from},${made - 2}`;
    this.scene.put(`comes ${head}`, "path", { class: "att-reads att-comes", "aria-hidden": "true", d: comes });
    const asked = this.sent.sharing.asked[head];
    if (asked < 0) return;
    const [x, y] = ends[asked];
    this.scene.put(`asks ${head}`, "path", { ...around, d: `M${x},${y} L${from},${top - 2}` });
  }

  // Its number; a silent head is pale.
  query(head, isChosen) {
    const { top } = this.layout;
    const { reads, names, takes_of } = this.sent.labels;
    const option = this.option(isChosen, [reads[head], names[head], ...this.answered(head), takes_of[head]].join(", "));
    const [one, isNew] = this.column(`query ${head}`, this.middle(head), option);
    one.classList.toggle("att-silent", this.isSilent(head));
    const inside = this.box(one, `query ${head}`, "att-query", { y: top, number: head + 1, high: WEIGHTS });
    weights(this.scene, `query ${head}`, this.sent.sharing.weights[head], inside, one);
    this.frame(one, `query ${head}`);
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

  // As many as query heads, each with what its query head reads: those that are averaged stand at one place.
  keys(head) {
    const key = Math.floor(head / this.group);
    const { made, most } = this.sent.sharing;
    const [one, isNew] = this.column(`keys ${head}`, this.centre(key), { "aria-hidden": "true" });
    one.toggleAttribute("data-merged", head % this.group > 0);
    const inside = this.box(one, `keys ${head}`, "att-key", { y: this.layout.below, number: key + 1, high: KEYS });
    keys(this.scene, `keys ${head}`, made[key], most, inside, this.layout.colours, one);
    this.frame(one, `keys ${head}`);
    if (isNew) one.addEventListener("pointerenter", () => this.light(null, Math.floor(head / this.group)));
  }

  // The key head that a query head had before: it stays where it was.
  own(head) {
    const { made, large, colours } = this.layout;
    const { own, most } = this.sent.sharing;
    const [one] = this.column(`own ${head}`, this.middle(head), { "aria-hidden": "true" });
    const inside = { y: made, wide: this.wide, high: OWN * large };
    keys(this.scene, `own ${head}`, own[head], most, inside, colours, one);
    this.scene.put(`around own ${head}`, "rect", { class: "att-around att-was", ...rect(inside), rx: 2 }, one);
  }

  get wide() {
    const { step, large } = this.layout;
    return Math.min(step - GAP / 2, HEAD_WIDE * large);
  }

  // A head with its number; returned is the place of what is in it.
  box(one, name, kind, { y, number, high }) {
    const { large, type } = this.layout;
    const whole = { y, wide: this.wide, high: (NUMBER + high) * large };
    this.scene.put(`ground ${name}`, "rect", { class: kind, ...rect(whole), rx: 4 }, one);
    const middle = { x: 0, y: y + (NUMBER / 2) * large + 0.35 * type, "text-anchor": "middle" };
    this.scene.put(`number ${name}`, "text", middle, one, String(number));
    this.whole = whole;
    return { y: y + NUMBER * large, wide: this.wide, high: high * large };
  }

  // Around a head and what is in it.
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
      for (const one of ["keys", "own", "comes"])
        this.scene.get(`${one} ${at}`).toggleAttribute("data-lit", Math.floor(at / this.group) === read);
    }
    const lit = asked.filter((_, at) => reader(at));
    this.sent.labels.questions.forEach((_, at) =>
      this.scene.get(`answered by ${at}`).toggleAttribute("data-lit", lit.includes(at)),
    );
    if (!this.layout.isOnWall) takes(this.scene, this.sent, query);
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
      ...[head + 1, Math.floor(head / this.group) + 1, labels.names[head], labels.takes_of[head]],
      this.answered(head)[0] ?? "",
    ]);
    const bars = labels.bars.map((said, at) => [said, "", "", "", labels.written[at]]);
    return [
      [labels.query, labels.key, labels.asked, labels.takes, labels.answer],
      [...lines, [labels.answered, "", "", "", labels.here], ...bars],
    ];
  }
}

// A box in the middle of its column.
const rect = ({ y, wide, high }) => ({ x: -wide / 2, y, width: wide, height: high });
