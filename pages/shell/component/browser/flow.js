// A sentence, and the gradient that flows back from one number of one word: each arc has the colour of its weight's
// gradient. From a clicked word the flow runs back along the arcs. The gradients of the inputs stand in the table twin.

import { along } from "./arc_names.js";
import { mixed } from "./colour.js";
import { named } from "./column_names.js";
import { HeadArcs } from "./head_arcs.js";
import { NAMED } from "./head_names.js";
import { keyed } from "./lane_hand.js";
import { wave } from "./lane_shapes.js";
import { lanes, weightOf } from "./lanes.js";
import { decoded } from "./pixels.js";
import { overColumns, slant } from "./slanted_words.js";
import { shown, widthOf } from "./text.js";
import { STRIP, strip } from "./vector_cells.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
// Milliseconds of the flow along the arcs.
const ALONG = 500;
// Pixels: the widest cell of the output.
const PICK = 30;
// Pixels for a key beside the lines, beyond the usual room beside the words.
const KEY = 75;
// Pixels of the sky if the lines of heads below the words tell everything.
const LOW_SKIES = [8, 0];
// Pixels from a word to its mark; the length of the mark of a slanted word.
const [UNDER, FOOT] = [3, 14];

const far = ({ from, x, y }, middle) => Math.hypot(x - from, y - middle);

export class Flow extends HeadArcs {
  constructor(...given) {
    super(...given);
    this.root.classList.add("att-flow-back");
    // The bar under the pointer, whose numbers are shown.
    this.pointed = { at: null };
  }

  take(row) {
    this.chosen = Number(row);
    super.take(row);
  }

  // Arrow keys move the focus from line to line, and a focused weight up and down.
  key(event) {
    const count = this.sent.arcs.tokens.length;
    const at = this.options.indexOf(document.activeElement);
    const [of, to] = [Math.floor(at / count) - 1, at % count];
    const next = this.options[at + ({ ArrowDown: count, ArrowUp: -count }[event.key] ?? NaN)];
    if (!this.sent.arcs.isTaken || at < 0) return super.key(event);
    if (next) next.focus();
    else if (of < 0 || !keyed(event, this.sent.arcs, of, to)) return super.key(event);
    event.preventDefault();
    event.stopPropagation();
  }

  called(sent, words) {
    const { keys } = super.called(sent, words);
    return { kind: words.ui.arcs, keys: sent.labels.keys ?? keys };
  }

  picture(due) {
    super.picture(due);
    if (this.chosen !== this.sent.arcs.focus) return;
    this.chosen = undefined;
    if (!still.matches) this.run();
  }

  compose(due) {
    this.root.classList.toggle("att-laned", Boolean(this.sent.arcs.pushes));
    this.root.classList.toggle("att-learned", Boolean(this.sent.arcs.came?.length));
    // Bars that take a click and no drag are answers to a question.
    const { isTaken, drags } = this.sent.arcs;
    this.root.classList.toggle("att-waits", Boolean(isTaken) && !Object.keys(drags).length);
    this.skies = this.sent.arcs.pushes ? LOW_SKIES : this.skies;
    return super.compose(due);
  }

  placed(tokens, width, colours) {
    if (!this.sent.arcs.pushes) return super.placed(tokens, width, colours);
    // The key stands beside the lines, if the words leave room for it.
    const beside = super.placed(tokens, width - KEY * colours.large, colours);
    if (beside.isWide) return { ...beside, width, hasKey: true };
    return overColumns(super.placed(tokens, width, colours));
  }

  word(parent, token, index, line, high) {
    const word = super.word(parent, token, index, line, high);
    const slanted = slant(this.scene, word, token, index, line, this.colours);
    const mistake = this.sent.labels.mistakes?.[index];
    if (mistake) this.mark(word, mistake, index, line, slanted);
    return word;
  }

  // A wavy line under a word with a wrong answer; a thicker one if the answer was right at rest.
  mark(word, mistake, index, line, slanted) {
    const { large } = this.colours;
    const { left, width, bottom } = line.words[index];
    // A slanted word has its mark at its foot, where it leans over no other.
    const [{ middle }, long] = [line.columns[index], FOOT * large];
    const from = slanted ? [middle - long / 2, bottom + FOOT / 2] : [left, bottom + UNDER * large];
    const d = wave(...from, slanted ? long : width, large);
    const look = this.sent.labels.newly[index] ? "att-lane-wrong att-newly" : "att-lane-wrong";
    this.scene.put(`wrong ${index}`, "path", { class: look, d }, word);
    word.setAttribute("aria-label", `${word.getAttribute("aria-label")}; ${mistake}`);
  }

  // Run along the arcs from the word that asks to the others.
  run() {
    for (const arc of this.svg.querySelectorAll(".att-head-arc")) {
      const long = arc.getTotalLength();
      arc.animate(
        [
          { strokeDasharray: `${long} ${long}`, strokeDashoffset: long },
          { strokeDasharray: `${long} ${long}`, strokeDashoffset: 0 },
        ],
        { duration: ALONG, easing: "ease-in-out" },
      );
    }
  }

  /**
   * @param {SVGElement} parent
   * @param {Record<string, any>} one
   */
  stroke(parent, { colour: _, ...one }, line, sizes) {
    const { flows, bound } = this.sent.arcs;
    const share = 0.5 + (0.5 * flows[one.of][one.to]) / bound;
    const colour = `rgb(${mixed(this.colours.signed, share).map(Math.round)})`;
    // An arc with hardly any gradient is pale, and its edge sets it off from the page.
    this.arc(parent, { ...one, layer: "edge", kind: "att-edge", wide: one.wide + 2.5, isShown: false }, line, sizes);
    const { drawn } = this.arc(parent, { ...one, kind: "att-head-arc", isShown: false }, line, sizes);
    drawn.setAttribute("stroke", colour);
  }

  arcs(parent, line, large, colours) {
    this.colours = colours;
    if (this.sent.arcs.pushes) return;
    super.arcs(parent, line, large, colours);
  }

  // A line leads from each number to its arc, and ends there in a dot.
  write(parent, names, line, sizes) {
    super.write(parent, names, line, sizes);
    for (const { id, of, to, box } of names) {
      const arc = this.scene.get(`arc ${of} ${to}`);
      if (!box || !arc) continue;
      const middle = box.y + box.high / 2;
      const end = along(arc.getAttribute("d"))
        .flatMap(({ x, y }) => [box.x - 3, box.x + box.wide + 3].map((from) => ({ from, x, y })))
        .reduce((a, b) => (far(a, middle) <= far(b, middle) ? a : b));
      const d = `M${end.from},${middle} L${end.x},${end.y}`;
      this.scene.put(`lead ${id}`, "path", { class: "att-lead", d }, parent);
      this.scene.put(
        `dot ${id}`,
        "circle",
        { class: "att-lead-end", cx: end.x, cy: end.y, r: 3 * sizes.large },
        parent,
      );
    }
  }

  nameOf({ of, to }, line) {
    const { names, written } = this.sent.labels;
    return line.isWide ? `${names[of]}: ${written[of][to]}` : written[of][to];
  }

  sharedBy() {
    return "";
  }

  // Each arc has a number of its own; the sentence may name an arc of a small weight.
  /** @param {Record<string, any>} one */
  isNamed({ of, to, weight }) {
    return weight >= NAMED || this.isFastest(of, to);
  }

  // The arc of the sentence is drawn even if its weight is small.
  isDrawn(of, to, weight) {
    return super.isDrawn(of, to, weight) || this.isFastest(of, to);
  }

  isFastest(of, to) {
    const { fastest } = this.sent.arcs;
    return of === fastest[0] && to === fastest[1];
  }

  colourOf() {
    return null;
  }

  under(parent, { line, top, colours }) {
    const { scene, sent } = this;
    const at = { y: top };
    const draws = {
      scene,
      parent,
      sent: sent.arcs,
      labels: sent.labels,
      line,
      large: colours.large,
      colours,
      at,
      pointed: this.pointed,
      take: (row) => this.take(row),
    };
    if (sent.arcs.pushes) {
      const options = lanes(draws);
      return { options, bottom: at.y + 2 * colours.large };
    }
    const options = this.picks(draws);
    return { options, bottom: at.y + 8 * colours.large };
  }

  // The output of the word that asks, below it: pointing at a number shows its flow, a click on it keeps that.
  picks(draws) {
    const { scene, parent, line, large, at } = draws;
    const { output, picked, tokens, focus } = this.sent.arcs;
    if (!output) return [];
    const { labels } = this.sent;
    const shades = decoded(output);
    const from = { x: line.words[focus].middle, y: line.words[focus].bottom };
    at.y += 20 * large;
    named(draws, "output", labels.output, at.y + 14 * large);
    const wide = Math.min(PICK * large * shades.length, line.isWide ? line.right - line.left : line.width - 4);
    const middle = line.isWide ? line.words[focus].middle : line.width / 2;
    const left = line.isWide ? line.left + 8 * large : 2;
    const x = Math.max(left, Math.min(middle - wide / 2, line.width - wide - 2));
    strip(draws, "output", parent, shades, { x, y: at.y, wide });
    const one = wide / shades.length;
    if (picked >= 0 && line.isWide) {
      const d = `M${from.x},${from.y} L${x + (picked + 0.5) * one},${at.y - 5 * large}`;
      scene.put("stem", "path", { class: "att-stem", d }, parent);
    }
    const options = [...shades].map((_, index) =>
      scene.put(
        `pick ${index}`,
        "rect",
        {
          class: "att-pick",
          role: "option",
          tabindex: -1,
          "data-at": tokens.length + index,
          "aria-selected": index === picked,
          "aria-label": labels.picks[index],
          x: x + index * one,
          y: at.y - 5 * large,
          width: one,
          height: (STRIP + 10) * large,
        },
        parent,
      ),
    );
    at.y += (STRIP + 8) * large;
    if (picked >= 0) {
      const said = { class: "att-strong", "text-anchor": "middle", "font-size": 14 * large, y: at.y + 12 * large };
      const half = widthOf(labels.picks[picked], 15 * large, draws.colours.font) / 2;
      said.x = Math.max(half, Math.min(x + (picked + 0.5) * one, line.width - half));
      scene.put("picked", "text", said, parent, labels.picks[picked]);
    }
    at.y += 24 * large;
    return options;
  }

  headAndLines() {
    const { asks, tokens, columns, pushes } = this.sent.arcs;
    const { labels } = this.sent;
    const weights = (at) => (pushes ? asks.map((_, of) => weightOf(this.sent.arcs, of, at)) : []);
    const written = (at) => labels.written.map((row) => row[at]);
    const said = (token, at) => labels.mistakes?.[at] || token;
    const answers = (at) => (pushes ? [labels.answered[at].join(" · ")] : []);
    const lines = tokens.map((token, at) => [
      said(token, at),
      ...weights(at),
      ...written(at),
      shown(columns[at][1]),
      ...answers(at),
    ]);
    return [
      [this.words.ui.arcs_from, ...labels.columns, ...(pushes ? [labels.answers] : [])],
      [...lines, ...this.gains()],
    ];
  }

  // The gain by the weights alone, for a layer that has learned.
  gains() {
    const { title, said, rows = [] } = this.sent.arcs.gain ?? {};
    const lines = rows.map(({ name, written }) => [`${title}: ${name}`, written]);
    return said ? [...lines, [said]] : lines;
  }
}
