// Query heads and the key heads that they read. Key heads slide together as they are averaged; below each stand the key
// heads that it was made of. Above them stands the sentence with the answers to the questions of the query heads; below
// (on a phone above), the saving and its cost. Pointing at a query head highlights its key head and its answer, and
// shows its weights.

import { put as write } from "./figure.js";
import { Listbox } from "./listbox.js";
import { Scene } from "./scene.js";
import { answers, heightOf as heightOfAnswers } from "./sharing_answers.js";
import { bars, heightOf as heightOfBars } from "./sharing_bars.js";
import { GAP, HEAD_WIDE, Heads, KEYS, NUMBER, OWN, WEIGHTS } from "./sharing_heads.js";
import { legend } from "./sharing_legend.js";
import { heightOf as heightOfSentence, sentence, takes } from "./sharing_sentence.js";
import { grown } from "./tall.js";
import { broken } from "./text.js";

// Pixels: the most from one query head to the next, the menu; heights of the lines from answers to query heads, from
// there to key heads, and to those that these were made of.
const [STEP, MENU, ASKING, READING, MADE] = [150, 32, 26, 62, 20];
// Milliseconds that key heads slide (today.css); the number of changes within that time that still slide, as the stops
// of one swipe do.
const [SLIDE, SWIPE] = [700, 3];
// Pixels: the width from which lines are long and rows have names beside them; those names; the share of the line
// heights otherwise; type with room, without, and of the legend.
const [WIDE, NAMES, SHORT, TYPE, SMALL, LEGEND] = [860, 118, 0.7, 16, 14, 0.85];

export class Sharing extends Listbox {
  constructor(report) {
    super(report);
    this.root.classList.add("att-sharing");
    this.svg.addEventListener("pointerleave", () => this.light());
    this.scene = new Scene(this.svg);
    [this.slid, this.quick] = [-SLIDE, 0];
  }

  // Key heads slide from one count to another, under the finger as well, since the slider has few stops. A finger that
  // goes to and fro shows each stop at once, because a picture that never rests is painted in each frame.
  update(sent, labels, words) {
    const isOther = Boolean(this.sent) && sent.sharing.keys !== this.sent.sharing.keys;
    if (isOther) {
      const now = performance.now();
      this.quick = now - this.slid < SLIDE ? this.quick + 1 : 0;
      this.slid = now;
    }
    this.svg.toggleAttribute("data-travels", isOther && this.quick < SWIPE);
    super.update(sent, labels, words);
  }

  // Draw with the same elements, so that averaged heads travel.
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
    // On a projector the lecturer explains, and heads, answers and bars take the room.
    const isOnWall = colours.large > 1;
    const isBeside = isWide || isOnWall;
    // A stop of a lecture covers the part below the heads; bars above them would give its answer away.
    const isFirst = !isBeside && document.documentElement.dataset.lecture === undefined;
    const type = (isWide ? TYPE : SMALL) * large;
    const left = isWide ? NAMES * large : 0;
    const step = Math.min((width - left - 2) / this.heads, STEP * large);
    const said = { width: width - 2, room: width - MENU * large, type, large, font };
    if (!isOnWall) sentence(this.scene, this.sent, said);
    const spoken = isOnWall ? 0 : heightOfSentence(labels, said) + 0.9 * type;
    // On a phone the bars would be out of sight below the heads.
    const answered = isFirst ? spoken + heightOfBars(type, large, isBeside) + 0.6 * type : spoken;
    this.line("asking title", labels.asking, 1, answered + type, "att-stage");
    const long = isWide ? large : SHORT * large;
    // Without room beside the rows, their names stand above them.
    const named = isWide ? 0 : 1.4 * type;
    const asked = answered + (isWide ? 0 : 1.5 * type);
    const top = asked + heightOfAnswers(type, large) + ASKING * long + named;
    const reading = top + (NUMBER + WEIGHTS) * large;
    const below = reading + READING * long + named;
    const made = below + (NUMBER + KEYS) * large + MADE * long + named;
    const shown = made + OWN * large;
    this.isOnWall = isOnWall;
    const layout = { left, step, top, reading, below, made, type, large, colours, font };
    const drawn = new Heads(this.scene, this.sent, layout, {
      take: (head) => this.take(head),
      light: (head) => this.light(head),
      lightReaders: (head) => this.light(null, this.read(head)),
    });
    const row = { y: asked, most: Math.min(2 * step, 2 * HEAD_WIDE * large) - GAP, type, large, font };
    const ends = answers(this.scene, this.sent, drawn.middles(), row);
    drawn.connect(ends);
    const names = { isWide, type, font, room: NAMES * large };
    this.row("query heads", labels.query_heads, isWide ? labels.query_heads_show : "", top, names);
    this.row("key heads", labels.key_heads, isWide ? labels.key_heads_show : "", below, names);
    this.row("own heads", labels.own_heads, "", made, names);
    const queries = drawn.draw((head) => this.option(head === sharing.asks, this.readOut(head)));
    // On a projector the lecturer explains the legend.
    const place = { left: left + 1, top: shown + 0.5 * type, width: width - 2, type, colours, font, isWide };
    const explained = isOnWall ? shown : legend(this.scene, this.sent, place);
    const ended = explained + 0.9 * type;
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
    const height = isFirst ? ended : ended + heightOfBars(type, large, isBeside) + 0.6 * type;
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    // Cover the cache in a lecture, which its question is about, but not the lines between heads.
    this.plot.style.setProperty("--att-cells", `${Math.round(below - named)}px 0 0`);
    return queries;
  }

  // The name of a row, and a description of its content.
  row(name, said, shows, top, { isWide, type, font, room }) {
    const y = isWide ? top + 1.1 * type : top - 0.5 * type;
    this.line(name, said, 1, y, "att-line att-row-name");
    const lines = shows ? broken(shows, room - 8, LEGEND * type, font) : [];
    lines.forEach((line, at) => {
      const place = { class: "att-line att-row-shows", "aria-hidden": "true", "font-size": LEGEND * type, x: 1 };
      this.scene.put(`${name} show ${at}`, "text", { ...place, y: y + 1.15 * (at + 1) * type }, this.svg, line);
    });
  }

  line(name, text, x, y, kind = "att-line") {
    this.scene.put(name, "text", { class: kind, x, y, "aria-hidden": "true" }, this.svg, text);
  }

  readOut(head) {
    const { reads, names, takes_of } = this.sent.labels;
    return [reads[head], names[head], ...this.answered(head), takes_of[head]].join(", ");
  }

  // The answer of the layer to a head's question.
  answered(head) {
    const asked = this.sent.sharing.asked[head];
    return asked < 0 ? [] : [this.sent.labels.answers[asked]];
  }

  // Highlight a query head with its key head and its answer, or a key head with all its readers, or the chosen query
  // head.
  light(head = null, key = null) {
    const { asks, asked } = this.sent.sharing;
    const query = head ?? asks;
    const read = key ?? this.read(query);
    const reader = (at) => (key === null ? at === query : this.read(at) === key);
    for (let at = 0; at < this.heads; at += 1) {
      for (const one of ["query", "reads", "asks"])
        this.scene.get(`${one} ${at}`)?.toggleAttribute("data-lit", reader(at));
      for (const one of ["keys", "own", "comes"])
        this.scene.get(`${one} ${at}`).toggleAttribute("data-lit", this.read(at) === read);
    }
    const lit = asked.filter((_, at) => reader(at));
    this.sent.labels.questions.forEach((_, at) =>
      this.scene.get(`answered by ${at}`).toggleAttribute("data-lit", lit.includes(at)),
    );
    if (!this.isOnWall) takes(this.scene, this.sent, query);
    write(this.shape, "");
  }

  get heads() {
    return this.sent.sharing.asked.length;
  }

  // The key head that a query head reads; each key head has equally many readers.
  read(head) {
    return Math.floor((head * this.sent.sharing.keys) / this.heads);
  }

  headAndLines() {
    const { labels } = this.sent;
    const lines = Array.from({ length: this.heads }, (_, head) => [
      ...[head + 1, this.read(head) + 1, labels.names[head], labels.takes_of[head]],
      this.answered(head)[0] ?? "",
    ]);
    const bars = labels.bars.map((said, at) => [said, "", "", "", labels.written[at]]);
    return [
      [labels.query, labels.key, labels.asked, labels.takes, labels.answer],
      [...lines, [labels.answered, "", "", "", labels.here], ...bars],
    ];
  }
}
