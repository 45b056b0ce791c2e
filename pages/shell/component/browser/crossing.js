// Two texts as words, and what one word of the first takes from the second: an arc a head, in the colour of the head, as
// wide as the weight; thin of heads without an answer, where another head has one; of every other word a thin line to the
// word that it has found. Where there is no room for a line of words, each text is a column.

import { laid, placesAt } from "./arc_names.js";
import { Listbox } from "./listbox.js";
import { Scene } from "./scene.js";
import { clip, placed } from "./sentence_line.js";
import { filled, shown, widthOf } from "./text.js";

// Pixels: between the texts, the width of an arc of weight 1, a line of a column, type of a column, its widest word.
const [BETWEEN, WIDEST, LINE, TYPE, WORD] = [190, 15, 36, 16, 92];
const [DRAWN, NAMED] = [0.1, 0.25];
// Pixels of the type of what a line of words is, and of the menu beside it; of a head without an answer, its part of the width; pixels of a name's type, and how many names may stand above each other.
const [NAMED_LINE, MENU] = [14, 30];
const [QUIET, NAME, ROWS] = [0.3, 15, 6];

export class Crossing extends Listbox {
  constructor(report) {
    super(report);
    this.root.classList.add("att-arcs", "att-crossing");
    this.scene = new Scene(this.svg);
    this.svg.addEventListener("click", ({ target }) => {
      const at = target.closest("[data-at]")?.dataset.at;
      if (at !== undefined) this.take(Number(at));
    });
  }

  called(_, words) {
    return { kind: words.ui.arcs, keys: words.ui.arcs_keys };
  }

  picture(due) {
    const isHeld = this.options.includes(document.activeElement);
    this.options = this.scene.draw(() => this.compose(due));
    if (isHeld && !this.options.includes(document.activeElement))
      this.options.find((one) => one.tabIndex === 0)?.focus({ preventScroll: true });
  }

  compose({ width, colours }) {
    const { tokens, context, focus } = this.sent.crossing;
    const { large, font } = colours;
    const lines = [tokens, context].map((words) => placed(words, width, colours));
    const isAcross = lines.every(({ isWide }) => isWide);
    const size = isAcross ? Math.min(...lines.map((line) => line.size)) : TYPE * large;
    const high = isAcross ? 1.5 * size : 28 * large;
    const second = isAcross ? high + 26 * large + BETWEEN * large : 26 * large;
    const top = 24 * large;
    const at = (line, index) =>
      isAcross
        ? { x: lines[line].words[index].middle, y: line ? second : top, wide: lines[line].words[index].width }
        : {
            x: line ? width - (WORD / 2) * large : (WORD / 2) * large,
            y: top + index * LINE * large,
            wide: (WORD - 18) * large,
          };
    const height = isAcross ? second + high + 6 * large : top + Math.max(tokens.length, context.length) * LINE * large;
    Object.entries({ width, height, "font-size": size }).forEach((pair) => this.svg.setAttribute(...pair));
    [this.sent.labels.text, this.sent.labels.context].forEach((name, line) => {
      const type = NAMED_LINE * large;
      // Beside its line of words, or above its column, where the menu of the figure leaves room.
      const above = line ? [width - MENU * large, "end"] : [0, "start"];
      const [x, anchor] = isAcross ? [lines[line].left - 10 * large, "end"] : above;
      const rows = isAcross ? inRows(name, lines[line].left - 12 * large, type, font) : [name];
      const first = isAcross ? (line ? second : top) + 0.66 * high - 0.6 * type * (rows.length - 1) : type;
      rows.forEach((text, row) => {
        const place = { x, y: first + 1.2 * row * type, "text-anchor": anchor };
        const attributes = { class: "att-line-name", "font-size": type, ...place };
        this.scene.put(`line ${line} ${row}`, "text", attributes, this.svg, text);
      });
    });
    const sky = this.scene.put("sky", "g", { "aria-hidden": "true" });
    this.around(sky, { at, isAcross, high });
    this.arcs(sky, { at, isAcross, high, colours });
    context.forEach((word, index) => this.word(word, 1, index, at(1, index), { high, size }));
    return tokens.map((word, index) => {
      const group = this.word(word, 0, index, at(0, index), { high, size });
      Object.entries({ "data-at": index, ...this.option(index === focus, word) }).forEach((pair) =>
        group.setAttribute(...pair),
      );
      return group;
    });
  }

  word(token, line, index, { x, y, wide }, { high, size }) {
    const isHidden = line && this.sent.crossing.hidden[index];
    const kind = line ? `att-context-word${isHidden ? " att-hidden-word" : ""}` : "att-word";
    const group = this.scene.put(`word ${line} ${index}`, "g", { class: kind });
    const beside = Math.min(9, 0.35 * size);
    this.scene.put(
      `box ${line} ${index}`,
      "rect",
      { x: x - wide / 2 - beside, y: y + 2, width: wide + 2 * beside, height: high - 3, rx: 7 },
      group,
    );
    this.scene.put(
      `token ${line} ${index}`,
      "text",
      { x, y: y + high / 2 + 0.33 * size, "text-anchor": "middle" },
      group,
      clip(token),
    );
    return group;
  }

  around(parent, { at, isAcross, high }) {
    const { around, focus } = this.sent.crossing;
    around.forEach((to, from) => {
      if (from !== focus && to >= 0)
        this.scene.put(
          `around ${from} ${to}`,
          "path",
          { class: "att-arc-around", d: bent(at(0, from), at(1, to), { isAcross, high }) },
          parent,
        );
    });
  }

  arcs(parent, { at, isAcross, high, colours: { series, large, font } }) {
    const {
      labels,
      crossing: { asks, focus },
    } = this.sent;
    const isQuiet = (of) => asks[of].answer < 0 && asks.some(({ answer }) => answer >= 0);
    const wide = (asks.length > 4 ? 0.5 : 1) * WIDEST * large;
    const drawn = asks.flatMap(({ weights }, of) =>
      weights.flatMap((weight, to) =>
        weight < DRAWN ? [] : [{ of, to, weight, wide: weight * wide * (isQuiet(of) ? QUIET : 1) }],
      ),
    );
    drawn.sort((a, b) => a.to - b.to || a.of - b.of);
    // Side by side at both ends, in one order.
    const spread = (ones, name) => {
      let place = -ones.reduce((sum, one) => sum + one.wide + 2, -2) / 2;
      for (const one of ones) {
        one[name] = place + one.wide / 2;
        place += one.wide + 2;
      }
    };
    spread(drawn, "foot");
    const ends = new Map(drawn.map(({ to }) => [to, drawn.filter((one) => one.to === to)]));
    for (const ones of ends.values()) spread(ones, "end");
    const from = at(0, focus);
    const paths = this.sent.crossing.around.flatMap((to, from) =>
      from === focus || to < 0 ? [] : [{ d: bent(at(0, from), at(1, to), { isAcross, high }), wide: 1 }],
    );
    for (const { of, to, wide: width, foot, end } of drawn) {
      const target = at(1, to);
      const d = bent(from, target, { isAcross, high }, foot, end);
      this.scene.put(
        `arc ${of} ${to}`,
        "path",
        {
          class: isQuiet(of) ? "att-head-arc att-quiet-head" : "att-head-arc",
          d,
          "stroke-width": width,
          stroke: series[of % series.length],
          "data-head": of,
          "data-to": to,
        },
        parent,
      );
      paths.push({ d, wide: width });
    }
    const named = drawn
      .filter(({ of, to, weight }) => weight >= NAMED && !isQuiet(of) && [-1, to].includes(asks[of].answer))
      .sort((a, b) => b.weight - a.weight)
      .map(({ of, to }) => ({
        to,
        text: (isAcross ? labels.names : labels.short)[of],
        fill: series[of % series.length],
      }));
    const beside = (to) => ends.get(to).reduce((sum, one) => sum + one.wide + 2, 0) / 2 + 7;
    this.names(parent, named, { at, isAcross, high, beside, paths, colours: { large, font } });
  }

  /** @param {Record<string, any>[]} named */
  names(parent, named, { at, isAcross, high: line, beside, paths, colours: { large, font } }) {
    const { tokens, context, focus } = this.sent.crossing;
    const width = Number(this.svg.getAttribute("width"));
    const size = NAME * large;
    const blocked = [tokens, context].flatMap((words, of) =>
      words.map((_, index) => {
        const { x, y, wide } = at(of, index);
        return { x: x - wide / 2 - 9, y, wide: wide + 18, high: line };
      }),
    );
    const sized = named.map(({ to, text }) => {
      const [wide, high] = [widthOf(text, size, font, 600), 1.15 * size];
      const { x, y, wide: word } = at(1, to);
      const from = at(0, focus).x;
      const place = { middle: x, end: from, bottom: y - 3 * large, beside: beside(to), side: x < from ? -1 : 1 };
      const near = { x: x - word / 2 - 12 * large - wide, y: y - 0.3 * high };
      const places = isAcross
        ? placesAt({ ...place, wide, high, width, rows: ROWS })
        : [0, 1, -1, 2, -2, 3, -3].map((row) => ({ ...near, y: near.y + row * high, costs: Math.abs(row) }));
      return { wide, high, places };
    });
    laid(sized, { arcs: paths, blocked, width }).forEach((box, index) => {
      if (!box) return;
      const { to, text, fill } = named[index];
      const place = { x: box.x, y: box.y + 0.8 * box.high, "font-size": size, "data-to": to };
      this.scene.put(`name ${index}`, "text", { class: "att-arc-name", ...place }, parent, text).style.fill = fill;
    });
  }

  headAndLines() {
    const {
      labels: { names },
      crossing: { context, asks },
    } = this.sent;
    const heads = asks.map(({ head }, at) => names[at] || filled(this.words.ui.arcs_head, { head }));
    return [
      [this.words.ui.arcs_from, ...heads],
      context.map((token, at) => [token, ...asks.map(({ weights }) => shown(weights[at]))]),
    ];
  }
}

// A text in as few rows as a width allows; an arrow and its word, and a word alone, may be wider.
function inRows(text, width, type, font) {
  return text.split(/(?<!→) /).reduce((rows, word) => {
    const longer = rows.length ? `${rows.at(-1)} ${word}` : word;
    if (rows.length && widthOf(longer, type, font) > width) return [...rows, word];
    return [...rows.slice(0, -1), longer];
  }, []);
}

// The path from a word of the text to one of the context; foot and end: how far beside the middles of the words.
function bent(from, target, { isAcross, high }, foot = 0, end = 0) {
  const along = isAcross ? [from.y + high, target.y] : [from.x + from.wide / 2 + 8, target.x - target.wide / 2 - 8];
  const middle = (along[0] + along[1]) / 2;
  const [start, stop] = isAcross
    ? [from.x + foot, target.x + end]
    : [from.y + high / 2 + foot, target.y + high / 2 + end];
  const points = [
    [along[0], start],
    [middle, start],
    [middle, stop],
    [along[1], stop],
  ].map(([a, b]) => (isAcross ? `${b},${a}` : `${a},${b}`));
  return `M${points[0]} C${points.slice(1).join(" ")}`;
}
