// A sentence under dropout, draw after draw: kept arcs are wider than their weight, the others are struck out. The
// words show whether the answers of the arcs are right. The reader steps through the draws, or plays them.

import { answers } from "./draw_answers.js";
import { give } from "./give.js";
import { HeadArcs, SKIES } from "./head_arcs.js";
import { NAMED } from "./head_names.js";
import { counts } from "./kept_arcs.js";
import { feetInside } from "./nested_arcs.js";
import { placed } from "./sentence_line.js";
import { overColumns, slant } from "./slanted_words.js";
import { Telling } from "./telling.js";
import { filled, shown } from "./text.js";

// Milliseconds for a draw.
const READ = 350;
// The width of a weight of 1, as a part of that of other arcs. A kept weight grows beyond it, up to MOST, at which all
// arcs still have room at their word.
const [SLIM, MOST] = [0.55, 2.5];
// Over leaning words: the part of a column's width that the feet of all arcs take, and the free pixels between two
// feet.
const [SPREAD, APART] = [1.2, 3];
// Pixels above the arcs in one line and in several.
const [HEADROOM, HEADROOM_WRAPPED] = [14, 26];
// The sky over leaning words, and the least width of a column for a leaning word.
const [SKY, ROOM] = [130, 22];

export class Dropping extends HeadArcs {
  constructor(...given) {
    super(...given);
    this.root.classList.add("att-dropping");
    this.crosses = [];
    this.kept = [];
    this.telling = new Telling(this.root, (told) => this.go(told - 1), READ);
    this.root.append(this.telling.root);
  }

  update(sent, labels, words) {
    const { at, first, draws } = sent.arcs;
    // Playing continues from its own draw; a draw that the address names is shown.
    const isOther = !this.sent || first + at !== this.sent.arcs.first + this.sent.arcs.at;
    if (isOther || !this.telling.plays) this.at = at;
    this.at = Math.min(this.at, Math.max(draws - 1, 0));
    super.update(sent, labels, words);
    this.telling.root.hidden = !draws;
    this.tell();
  }

  tell() {
    const { draws, rights } = this.sent.arcs;
    if (!draws) return;
    const { told, lucky, buttons, so_wrong, so_right, so_luck } = this.sent.labels;
    const strong = this.strong();
    const now = (mark) => rights.filter((one) => one[this.at] === mark).length;
    this.telling.update(
      {
        at: this.at + 1,
        of: draws,
        first: 1,
        isSpelled: true,
        text: filled(told, {
          draw: this.at + 1,
          cut: strong.filter((one) => !this.one(...one)).length,
          arcs: strong.length,
          right: now("1"),
          asked: rights.length,
          lucky: now("2") ? filled(lucky, { lucky: now("2") }) : "",
          // The verdict for a word with one question.
          so: [so_wrong, so_right, so_luck][rights[0]?.[this.at]] ?? "",
        }),
      },
      { ui: { ...this.words.ui, ...buttons } },
    );
    // A screen reader does not read numbers that change several times a second.
    this.telling.text.setAttribute("aria-live", this.telling.plays ? "off" : "polite");
  }

  // While draws are played, the figure alone knows them; the draw at which it stops is set in the page.
  go(at) {
    this.at = at;
    this.draw();
    this.tabulate();
    this.tell();
    if (this.telling.plays) return;
    give({ draw: String(this.sent.arcs.first + at) });
  }

  due(...parts) {
    return super.due(...parts, this.at);
  }

  // The weight of a head on a key in a draw.
  one(head, key, at = this.at) {
    const { up, kept } = this.sent.arcs;
    return kept[head][key][at] === "1" ? up[head][key] : 0;
  }

  // The pairs of head and key whose arc is strong enough for a name and a cross.
  strong() {
    return this.sent.arcs.asks.flatMap(({ weights }, of) =>
      weights.flatMap((weight, to) => (weight >= NAMED ? [[of, to]] : [])),
    );
  }

  compose(due) {
    const { width, colours } = due;
    const { isWide } = placed(this.sent.arcs.tokens, width, colours);
    this.headroom = (isWide ? HEADROOM : HEADROOM_WRAPPED) * colours.large;
    this.colours = colours;
    return super.compose(due);
  }

  // Arcs between the lines of a wrapped sentence would lie on each other, so each word leans over its own column.
  placed(tokens, width, colours) {
    const line = super.placed(tokens, width, colours);
    const leans = line.columns[0].width >= ROOM * colours.large;
    this.skies = leans ? [SKIES[0], SKY] : SKIES;
    return leans ? overColumns(line, true) : line;
  }

  word(parent, token, index, line, high) {
    const word = super.word(parent, token, index, line, high);
    slant(this.scene, word, token, index, line, this.colours);
    return word;
  }

  unit(line, large) {
    const { asks, draws } = this.sent.arcs;
    const unit = super.unit(line, large) * (draws ? SLIM : 1);
    if (!line.isSlanted) return unit;
    return Math.min(unit, ((SPREAD * line.columns[0].width) / asks.length - APART) / MOST);
  }

  // Leaning words are narrow: feet are centred on the middle of their word, and none is over the next one.
  feet(drawn, line) {
    super.feet(drawn, line);
    const feet = drawn.filter(({ foot }) => foot !== undefined);
    if (!line.isSlanted || !feet.length) return;
    const edges = feet.flatMap(({ foot, wide }) => [foot - wide / 2, foot + wide / 2]);
    const middle = (Math.min(...edges) + Math.max(...edges)) / 2;
    for (const one of feet) one.foot -= middle;
    feetInside(drawn, line, this.sent.arcs.focus);
  }

  // The room of an arc is that of its kept weight, so that no arc moves from draw to draw.
  most(of, to, weight) {
    return Math.min(Math.max(weight, this.sent.arcs.up[of]?.[to] ?? 0), MOST);
  }

  /**
   * @param {SVGElement} parent
   * @param {Record<string, any>} one
   */
  stroke(parent, { colour, ...one }, line, sizes) {
    if (!this.sent.arcs.draws) return super.stroke(parent, { colour, ...one }, line, sizes);
    const { of, to, weight, wide } = one;
    const taken = this.one(of, to);
    const width = (Math.min(taken || weight, MOST) * wide) / this.most(of, to, weight);
    const kind = `att-head-arc${taken ? "" : " att-gone"}`;
    const { drawn, middle } = this.arc(parent, { ...one, kind, wide: width, isShown: false }, line, sizes);
    drawn.style.stroke = colour;
    // A cross on a thin arc would stand on its thick neighbour.
    if (!taken && weight >= NAMED) this.crosses.push({ of, to, ...middle, far: 6 * sizes.large });
    if (taken && weight >= NAMED && to !== this.sent.arcs.focus) this.kept.push({ of, to, width, colour, ...middle });
  }

  // Arcs that the draw takes away are struck out, above all arcs.
  arcs(parent, line, large, colours) {
    this.crosses = [];
    this.kept = [];
    super.arcs(parent, line, large, colours);
    counts(this, parent, line, { large, font: colours.font });
    for (const { of, to, x, y, far } of this.crosses) {
      const d = `M${x - far},${y - far} l${2 * far},${2 * far} M${x - far},${y + far} l${2 * far},${-2 * far}`;
      this.scene.put(`strike ${of} ${to}`, "path", { class: "att-strike", d }, parent);
    }
  }

  under(parent, { line, top, colours }) {
    const { large, font } = colours;
    if (!this.sent.arcs.draws) return { options: [], bottom: top + 6 * large };
    const { scene, sent, at } = this;
    const draws = { scene, parent, sent: sent.arcs, labels: sent.labels, line, large, font };
    return { options: [], bottom: answers({ ...draws, top, at }) };
  }

  // An answer with several arcs is named once at its word.
  namesAt(to, ones, line, series) {
    const { draws, answers: rows } = this.sent.arcs;
    const isFirst = (one) => !draws || rows[one.of] < 0 || ones.find(({ of }) => rows[of] === rows[one.of]) === one;
    return super.namesAt(
      to,
      ones.filter((one) => !this.isNamed(one) || isFirst(one)),
      line,
      series,
    );
  }

  // The name of an arc, with the result of its answer in the draw.
  /** @param {Record<string, any>} one */
  nameOf(one, line) {
    const { draws } = this.sent.arcs;
    const { short, right, anyway, wrong } = this.sent.labels;
    if (!draws || !this.rightly(one)) return super.nameOf(one, line);
    return filled([wrong, right, anyway][this.rightly(one)], { name: short[one.of] });
  }

  kindOfName(one) {
    return this.rightly(one) === "0" ? "att-arc-name att-name-wrong" : super.kindOfName(one);
  }

  // Wrong answers, and those with several arcs, have the colour of the text.
  colourOf(one, series) {
    const { answers: rows, asks } = this.sent.arcs;
    const isShared = asks.some((_, of) => of !== one.of && rows[of] >= 0 && rows[of] === rows[one.of]);
    return this.rightly(one) === "0" || (this.rightly(one) && isShared) ? null : super.colourOf(one, series);
  }

  // The result of an arc's answer in the draw: "0" wrong, "1" right, "2" right with all of its arcs cut; nothing if the
  // arc has no answer.
  /** @param {Record<string, any>} one */
  rightly({ of }) {
    const { answers: rows, rights } = this.sent.arcs;
    return rights[rows[of]]?.[this.at];
  }

  headAndLines() {
    const { tokens, asks, draws } = this.sent.arcs;
    if (!draws) return super.headAndLines();
    const cell = (head, at) => `${shown(asks[head].weights[at], 3)} → ${shown(this.one(head, at), 3)}`;
    const lines = tokens.map((token, at) => [token, ...asks.map((_, head) => cell(head, at))]);
    return [super.headAndLines()[0], lines];
  }

  remove() {
    this.telling.stop();
    super.remove();
  }
}
