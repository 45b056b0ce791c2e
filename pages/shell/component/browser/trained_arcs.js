// A sentence in a trained model: arcs of the heads that are offered, the opened one strong; below each word its share; after
// the last word the one that the model expects.

import { Arcs } from "./arcs.js";
import { slanted } from "./column_names.js";
import { shares } from "./columns.js";
import { clip } from "./sentence_line.js";
import { shown } from "./text.js";

// Pixels: type of what comes next, and of how sure the model is of it.
const [NEXT, SURE, GAP] = [22, 15, 8];
// Above the words, in one line and in several; and above the widest arc, below what stands over the picture.
const [SKIES, HEADROOM] = [[116, 74], 14];

export class TrainedArcs extends Arcs {
  constructor(...given) {
    super(...given);
    this.skies = SKIES;
    this.headroom = HEADROOM;
    this.root.classList.add("att-trained");
  }

  under(parent, { line, top, colours }) {
    const { scene, sent } = this;
    const { large } = colours;
    const { tokens, next } = sent.arcs;
    const at = { y: top + GAP * large };
    this.root.classList.toggle("att-is-off", sent.arcs.is_off);
    if (next) this.next(parent, line, large, at);
    const options = tokens.map((_, index) => scene.put(`column ${index}`, "g", {}, parent));
    const draws = { scene, parent, options, sent: sent.arcs, line, large, colours, at };
    if (!line.isWide) slanted(draws, tokens);
    shares(draws, sent.labels.lines);
    return { options: [], bottom: at.y + GAP * large };
  }

  // After the last word or, where there is no room for it, below the sentence.
  next(parent, line, large, at) {
    const [word, sure] = this.sent.arcs.next;
    const { lines } = this.sent.labels;
    if (!line.isWide) {
      const y = at.y + NEXT * large;
      const text = { class: "att-next", x: 0, y, "font-size": (NEXT - 3) * large };
      this.scene.put("next", "text", text, parent, `${lines.next} ${clip(word)} ${sure}`);
      at.y = y + GAP * large;
      return;
    }
    const { top, bottom } = line.words[0];
    const place = { x: line.right + 2 * large, y: (top + bottom) / 2 + 0.33 * NEXT * large };
    const text = { class: "att-next", ...place, "font-size": NEXT * large };
    const drawn = this.scene.put("next", "text", text, parent, `→ ${clip(word)}`);
    // A long word is written as small as it has to be.
    const fits = (line.width - place.x) / drawn.getComputedTextLength();
    if (fits < 1) drawn.setAttribute("font-size", NEXT * large * fits);
    const below = { class: "att-line-name", x: place.x, y: bottom + SURE * large, "font-size": SURE * large };
    const said = this.scene.put("sure", "text", below, parent, `${lines.next} ${sure}`);
    const room = (line.width - place.x) / said.getComputedTextLength();
    if (room < 1) said.setAttribute("font-size", SURE * large * room);
  }

  headAndLines() {
    const {
      labels: { heads },
      arcs: { tokens, asks },
    } = this.sent;
    return [
      [this.words.ui.arcs_from, ...heads],
      tokens.map((token, at) => [token, ...asks.map(({ weights }) => shown(weights[at]))]),
    ];
  }
}
