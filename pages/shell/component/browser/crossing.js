// Two texts as words, and the weights of one word of the first over the second: one arc for each head in its colour, as
// wide as the weight, pale to words other than the right one; a thin line from each other word to the word that it has
// found. A word of the second text is dragged or moved by key, and its arcs follow. On a narrow screen each text is a
// column.

import { CrossingArcs } from "./crossing_arcs.js";
import { drawLegend, legendBox } from "./crossing_legend.js";
import { GLOSS, nameLines } from "./crossing_names.js";
import { drawSaid, SAID } from "./crossing_said.js";
import { dragging } from "./dragged.js";
import { Listbox } from "./listbox.js";
import { OwnSentence } from "./own_sentence.js";
import { Scene } from "./scene.js";
import { clip, placed } from "./sentence_line.js";
import { filled, shown } from "./text.js";
import { moved, named, words as wordsOf } from "./word_order.js";

// Pixels: between the texts, a line of a column, type of a column, its widest word, and that of one with an answer
// beside it; the room for a word's meaning, below a line of words or beside a word of a column; the room below columns
// for the button beside the legend.
const [BETWEEN, LINE, TYPE, WORD, ASKS, BELOW, BESIDE, BUTTON] = [190, 29, 16, 92, 68, 18, 32, 42];

export class Crossing extends dragging(Listbox) {
  constructor(report, sets) {
    super(report);
    this.sets = sets;
    this.root.classList.add("att-arcs", "att-crossing");
    // A group, because words that are moved stand beside words that are chosen.
    this.svg.setAttribute("role", "group");
    this.scene = new Scene(this.svg);
    this.own = new OwnSentence(this.root);
    this.svg.addEventListener("click", ({ target }) => {
      const at = target.closest("[data-at]")?.dataset.at;
      if (at !== undefined) this.take(Number(at));
    });
  }

  update(sent, labels, words) {
    this.own.update(sent.labels.own ?? null);
    if (!this.moving) this.asking = sent.crossing.focus;
    super.update(sent, labels, words);
  }

  called({ labels }, words) {
    return { kind: words.ui.arcs, keys: [words.ui.arcs_keys, labels.keys].join(" ") };
  }

  // The names of the context's words in their order.
  known({ crossing }) {
    return named(crossing.context);
  }

  question() {
    return { context: wordsOf(this.at).join(" "), cell: this.sent.crossing.sets[this.asking]?.cell ?? "" };
  }

  // The word that has found another one asks while that one is moved, to see whether it still finds it.
  isMoving(name) {
    const finder = this.sent.crossing.around.indexOf(this.known(this.sent).indexOf(name));
    if (finder >= 0) this.asking = finder;
  }

  // Moved words stand at their new places ahead of the answer, with their former arcs.
  place() {
    super.place();
    if (this.shownIn && String(this.at) !== this.composed) this.picture(this.shownIn);
  }

  picture(due) {
    this.shownIn = due;
    this.composed = String(this.at);
    const isHeld = this.options.includes(document.activeElement);
    this.options = this.scene.draw(() => this.compose(due));
    if (isHeld && !this.options.includes(document.activeElement))
      this.options.find((one) => one.tabIndex === 0)?.focus({ preventScroll: true });
  }

  compose({ width, colours }) {
    const { tokens, context, focus, lost, said } = this.sent.crossing;
    const { large } = colours;
    const isSaid = said.length > 0;
    // The answer has other words than those that were moved.
    if (String([...this.at].sort()) !== String(this.known(this.sent).sort())) this.at = this.known(this.sent);
    const lines = [tokens, wordsOf(this.at)].map((words) => placed(words, width, colours));
    const isAcross = lines.every(({ isWide }) => isWide);
    const { gloss } = this.sent.labels;
    const isGlossed = gloss.some(Boolean);
    // A word of a column has its meaning beside it.
    const wider = isGlossed ? BESIDE : 0;
    const size = isAcross ? Math.min(...lines.map((line) => line.size)) : TYPE * large;
    const high = isAcross ? 1.5 * size : 27 * large;
    const top = (isAcross ? 24 + (isSaid ? SAID.above : 0) : 40) * large;
    const second = isAcross ? top + high + (BETWEEN + 2) * large : top;
    // Words of a column with an answer beside them are narrower.
    const [beside, word] = isSaid ? [SAID.beside, ASKS] : [0, WORD];
    const places = this.known(this.sent).map((name) => this.at.indexOf(name));
    // The place of a word; line 1: the context, whose words stand at their present places.
    const at = (line, from) => {
      const index = line ? places[from] : from;
      return isAcross
        ? { x: lines[line].words[index].middle, y: line ? second : top, wide: lines[line].words[index].width }
        : {
            x: line ? width - ((WORD + wider) / 2) * large : (beside + word / 2) * large,
            y: top + index * LINE * large,
            wide: ((line ? WORD + wider : word) - 18) * large,
          };
    };
    this.spots = context.map((_, index) => at(1, places.indexOf(index)));
    this.shape = { isAcross, high };
    const longest = Math.max(tokens.length, context.length);
    const foot = isAcross ? second + high + (isGlossed ? BELOW * large : 0) : top + longest * LINE * large;
    const legend = legendBox(this.sent, { isAcross, width, colours, from: isSaid ? top : top + high, foot });
    // Below columns stand the legend, or the button alone.
    const height = foot + (isAcross ? 6 * large : Math.max(legend.high, BUTTON * large) + 8 * large);
    Object.entries({ width, height, "font-size": size }).forEach((pair) => this.svg.setAttribute(...pair));
    this.own.place(this.plot.offsetTop, isAcross ? second : foot, true);
    const sky = this.scene.put("sky", "g", { "aria-hidden": "true" });
    new CrossingArcs(this.scene, sky, this.sent, { at, isAcross, high, colours, width, taken: [legend] }).draw(
      this.known(this.sent),
    );
    const asking = this.scene.put("asking", "g", { role: "listbox", "aria-label": this.sent.title });
    const options = tokens.map((word, index) => {
      const group = this.word(asking, word, `0 ${index}`, at(0, index), { high, size, kind: "att-word" });
      const { labels } = this.sent;
      const known = isSaid ? `${word}, ${labels.says}: ${said[index]}` : word;
      const called = lost[index] ? `${known} (${labels.lost})` : known;
      Object.entries({ "data-at": index, ...this.option(index === focus, called) }).forEach((pair) =>
        group.setAttribute(...pair),
      );
      const { wide } = at(0, index);
      const below = { x1: -wide / 2, x2: wide / 2, y1: high - 4, y2: high - 4 };
      if (lost[index]) this.scene.put(`lost ${index}`, "line", { class: "att-lost-line", ...below }, group);
      return group;
    });
    this.known(this.sent).forEach((name, index) =>
      this.answering(name, index, at(1, index), { high, size, large, isAcross }),
    );
    const answered = { at: (index) => at(0, index), high, isAcross, colours };
    drawSaid(this.scene, this.svg, this.sent.crossing, answered);
    // Drawn last, because arcs come and go, and a word put after them would lose the focus.
    const middles = [top, second].map((y) => y + 0.5 * high);
    const told = { y: top - (SAID.above / 2) * large, beside: beside * large };
    nameLines(this.scene, this.svg, this.sent, { lines, isAcross, width, colours, middles, high, told });
    drawLegend(this.scene, this.svg, legend, colours);
    return options;
  }

  word(parent, token, name, { x, y, wide }, { high, size, kind }) {
    const group = this.scene.put(`word ${name}`, "g", { class: kind }, parent);
    group.style.transform = `translate(${x}px, ${y}px)`;
    const beside = Math.min(9, 0.35 * size);
    this.scene.put(
      `box ${name}`,
      "rect",
      { x: -wide / 2 - beside, y: 2, width: wide + 2 * beside, height: high - 3, rx: 7 },
      group,
    );
    const place = { x: 0, y: high / 2 + 0.33 * size, "text-anchor": "middle" };
    this.scene.put(`token ${name}`, "text", place, group, clip(token));
    return group;
  }

  // A word of the context, which can be moved if its order is a setting.
  answering(name, index, place, { high, size, large, isAcross }) {
    const { hidden, context, isMoved } = this.sent.crossing;
    const { labels } = this.sent;
    const isNew = !this.scene.get(`word ${name}`);
    const kind = `att-context-word${hidden[index] ? " att-hidden-word" : ""}${isMoved ? " att-grabbed" : ""}`;
    const group = this.word(this.svg, context[index], name, place, { high, size, kind });
    this.means(group, name, index, place, { high, size, large, isAcross });
    if (!isMoved) return;
    const now = this.at.indexOf(name) + 1;
    Object.entries({
      role: "slider",
      tabindex: 0,
      "aria-label": context[index],
      "aria-valuemin": 1,
      "aria-valuemax": context.length,
      "aria-valuenow": now,
      "aria-valuetext": filled(labels.place, { place: now, of: context.length }),
    }).forEach((pair) => group.setAttribute(...pair));
    if (isNew) this.holds(group, group, name);
  }

  // The meaning of a word: below it or, in a column, inside its box behind it.
  means(group, name, index, { wide }, { high, size, large, isAcross }) {
    const meaning = this.sent.labels.gloss[index];
    if (!meaning) return;
    const type = { class: "att-line-name att-gloss", "font-size": GLOSS * large };
    const at = isAcross
      ? { x: 0, y: high + (GLOSS + 1) * large, "text-anchor": "middle" }
      : { x: wide / 2 + large, y: high / 2 + 0.33 * size, "text-anchor": "end" };
    this.scene.put(`gloss ${name}`, "text", { ...type, ...at }, group, meaning);
    if (isAcross) return;
    const token = this.scene.get(`token ${name}`);
    Object.entries({ x: -wide / 2 - large, "text-anchor": "start" }).forEach((pair) => token.setAttribute(...pair));
  }

  follow({ clientX, clientY }) {
    const { left, top } = this.svg.getBoundingClientRect();
    const { isAcross, high } = this.shape;
    const away = ({ x, y }) => (isAcross ? Math.abs(clientX - left - x) : Math.abs(clientY - top - y - high / 2));
    const nearest = this.spots.reduce((best, one, at) => (away(one) < away(this.spots[best]) ? at : best), 0);
    this.isMoving(this.held.which);
    this.at = moved(this.from, this.held.which, nearest);
    this.place();
  }

  moves(name) {
    const last = this.at.length - 1;
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -last, End: last };
    return Object.fromEntries(
      Object.entries(by).map(([key, far]) => [
        key,
        () => {
          this.isMoving(name);
          const to = Math.min(Math.max(this.at.indexOf(name) + far, 0), last);
          this.at = moved(this.at, name, to);
          this.place();
          this.scene.get(`word ${this.at[to]}`).focus({ preventScroll: true });
        },
      ]),
    );
  }

  headAndLines() {
    const {
      labels: { names, says },
      crossing: { context, asks, focus, said, wrong },
    } = this.sent;
    const heads = asks.map(({ head }, at) => names[at] || filled(this.words.ui.arcs_head, { head }));
    const taken = context.map((token, at) => [token, ...asks.map(({ weights }) => shown(weights[at]))]);
    const answer = `${wrong[focus] ? "✗ " : ""}${said[focus]}`;
    const lines = said.length ? [...taken, [says, answer, ...asks.slice(1).map(() => "")]] : taken;
    return [[this.words.ui.arcs_from, ...heads], lines];
  }
}
