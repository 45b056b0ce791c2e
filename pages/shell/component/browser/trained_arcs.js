// A sentence in a trained model: the arcs of the opened head, behind them its arcs as trained; for the word that it
// finds, the arc of another head; below each word its share, if there is room; after the last word, the one that the
// model expects.

import { bow } from "./arc_paths.js";
import { Arcs } from "./arcs.js";
import { apart, named, NUMBER } from "./column_names.js";
import { clip } from "./sentence_line.js";
import { shown, widthOf } from "./text.js";

// Pixels: type of the expected word, and of the model's probability for it.
const [NEXT, SURE, GAP] = [22, 15, 8];
// For arcs as trained and of another head: the smallest share that is drawn, and the width of an arc of share 1.
const [DRAWN, WIDEST] = [0.1, 14];
// Type of a name over the arcs.
const NAME = 14;
// The room above the words, in one line and in several; and above the widest arc, below the text over the picture.
const [SKIES, HEADROOM] = [[116, 74], 14];

export class TrainedArcs extends Arcs {
  constructor(...given) {
    super(...given);
    this.skies = SKIES;
    this.headroom = HEADROOM;
    this.root.classList.add("att-trained");
  }

  // Draw the shares as trained behind the present arcs, at their former width, so that losses are seen.
  arcs(parent, line, large, colours) {
    const { was, focus, head, chain } = this.sent.arcs;
    const drawn = was.flatMap((weight, to) =>
      weight < DRAWN ? [] : [{ of: head, to, weight, wide: weight * this.widest(line, large) }],
    );
    const far = ({ to }) => Math.abs(line.words[to].middle - line.words[focus].middle);
    const farthest = Math.max(1, ...drawn.map(far));
    this.feet(drawn, line);
    let before = null;
    for (const one of drawn) {
      const look = { ...one, kind: "att-arc-was", layer: "was" };
      const { middle } = this.arc(parent, look, line, { farthest, large });
      if (one.weight === Math.max(...was)) before = { ...middle, anchor: "middle" };
    }
    const linked = chain && this.chain(parent, line, colours);
    super.arcs(parent, line, large, colours);
    if (before) this.named(parent, "before", this.sent.labels.lines.before, before, large);
    if (linked) this.named(parent, "chain name", this.sent.labels.chain, linked, large);
  }

  // The arc of another head for the word that the opened head finds, beside that word's own. Returns the place of its
  // name, which other names avoid.
  chain(parent, line, { large, font, series }) {
    const { of, to, weights, is_off: isOff } = this.sent.arcs.chain;
    const [word, taken] = [line.words[of], line.words[to]];
    if (word.line !== taken.line) return null;
    const wide = weights[to] * WIDEST * large;
    const [tip, half] = [5 * large + wide / 2, wide / 2 + 4];
    const x = word.middle - Math.min(18 * large, word.width / 2);
    const { d, middle } = bow(x, taken.middle, word.top, 44 * large, tip - 1);
    const kind = isOff ? "att-arc-chain att-off" : "att-arc-chain";
    const arc = this.scene.put("chain", "path", { class: kind, d, "stroke-width": wide }, parent);
    const head = `M${x - half},${word.top - tip} L${x + half},${word.top - tip} L${x},${word.top} Z`;
    const end = this.scene.put("chain tip", "path", { class: `${kind} att-tip`, d: head }, parent);
    for (const one of [arc, end]) one.style.setProperty("--att-own", series[1]);
    this.around.arcs.push({ d, wide });
    const long = widthOf(this.sent.labels.chain, NAME * large, font, 600);
    const left = Math.min(Math.max(2, middle.x - long / 2), line.width - long);
    const y = middle.y - wide / 2 - 0.8 * NAME * large;
    this.around.blocked.push({ x: left, y: y - 0.6 * NAME * large, wide: long, high: 1.2 * NAME * large });
    return { x: left, y, anchor: "start" };
  }

  // A name over all arcs. y: its middle.
  named(parent, id, text, { x, y, anchor }, large) {
    const size = NAME * large;
    const place = { class: "att-arc-name att-beside", x, y: y + 0.35 * size, "font-size": size };
    this.scene.put(id, "text", { ...place, "text-anchor": anchor }, parent, text);
  }

  under(parent, { line, top, colours }) {
    const { scene, sent } = this;
    const { large } = colours;
    const { next } = sent.arcs;
    const at = { y: top + GAP * large };
    this.root.classList.toggle("att-is-off", sent.arcs.is_off);
    if (next) this.next(parent, line, large, at);
    if (line.isWide) this.shares({ scene, parent, line, large, at });
    return { options: [], bottom: at.y + GAP * large };
  }

  // The shares as numbers; the rows of the heads have them as boxes.
  shares(draws) {
    const { columns, answer } = this.sent.arcs;
    const { scene, parent, line, large, at } = draws;
    const y = at.y + (NUMBER + GAP) * large;
    named(draws, "share", this.sent.labels.lines.share, y);
    const there = columns.map(([, share]) => share ?? 0);
    for (const index of apart(there, line, large, answer)) {
      const [, share, written] = columns[index];
      const place = { class: "att-number", x: line.columns[index].middle, y, "font-size": (NUMBER + 1) * large };
      if (share !== null) scene.put(`shared ${index}`, "text", place, parent, written);
    }
    at.y = y;
  }

  // The expected word: after the last word or, without room, below the sentence.
  next(parent, line, large, at) {
    const [word, sure, was] = this.sent.arcs.next;
    const { lines } = this.sent.labels;
    if (!line.isWide) {
      const y = at.y + NEXT * large;
      const text = { class: "att-next", x: 0, y, "font-size": (NEXT - 3) * large };
      this.scene.put("next", "text", text, parent, `${lines.next} ${clip(word)} ${sure}`);
      at.y = y + GAP * large;
      if (!was) return;
      at.y += SURE * large;
      this.scene.put("was", "text", { class: "att-line-name", x: 0, y: at.y, "font-size": SURE * large }, parent, was);
      at.y += GAP * large;
      return;
    }
    const { top, bottom } = line.words[0];
    const place = { x: line.right + 2 * large, y: (top + bottom) / 2 + 0.33 * NEXT * large };
    const text = { class: "att-next", ...place, "font-size": NEXT * large };
    const drawn = this.scene.put("next", "text", text, parent, `→ ${clip(word)}`);
    // A long word is shrunk to fit.
    const fits = (line.width - place.x) / drawn.getComputedTextLength();
    if (fits < 1) drawn.setAttribute("font-size", NEXT * large * fits);
    [`${lines.next} ${sure}`, was].forEach((text, row) => {
      const y = bottom + (1 + 1.3 * row) * SURE * large;
      const below = { class: "att-line-name", x: place.x, y, "font-size": SURE * large };
      const said = this.scene.put(`sure ${row}`, "text", below, parent, text);
      const room = (line.width - place.x) / said.getComputedTextLength();
      if (room < 1) said.setAttribute("font-size", SURE * large * room);
    });
  }

  headAndLines() {
    const {
      labels: { heads, lines },
      arcs: { tokens, asks, was, chain },
    } = this.sent;
    const beside = [
      [lines.was, was],
      [lines.chain, chain?.weights ?? []],
    ].filter(([, weights]) => weights.length);
    return [
      [this.words.ui.arcs_from, ...heads, ...beside.map(([name]) => name)],
      tokens.map((token, at) => [
        token,
        ...asks.map(({ weights }) => shown(weights[at])),
        ...beside.map(([, weights]) => shown(weights[at])),
      ]),
    ];
  }
}
