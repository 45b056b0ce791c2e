// The arcs of another run, mirrored below the words of a sentence, so that equal arcs look equal. The words are those
// of the figure above; if they do not fit into one line, the sentence is written here once more.

import { DRAWN, HeadArcs, SKIES, WIDTHS } from "./head_arcs.js";
import { highOf, rowsOf, writeRows } from "./scorecard.js";
import { placed } from "./sentence_line.js";
import { isUpright } from "./upright.js";

// Pixels: how deep loops hang, with the name of their side.
const NEAR = 130;

export class Hanging extends HeadArcs {
  constructor(...given) {
    super(...given);
    this.root.classList.add("att-hanging");
  }

  compose(due) {
    const { width, colours } = due;
    const line = placed(this.sent.arcs.tokens, width, colours);
    this.hangs = line.isWide && !isUpright(this.sent);
    this.svg.setAttribute("role", this.hangs ? "img" : "listbox");
    this.svg.setAttribute("tabindex", this.hangs ? 0 : -1);
    if (!this.hangs) return super.compose(due);
    this.skies = SKIES;
    this.widths = WIDTHS;
    // Its answers stand below those of the figure above.
    const rows = rowsOf(sideAlone(this.sent), width, colours);
    const height = (this.isToItself() ? NEAR : this.skies[0]) * colours.large;
    line.words.forEach((word) => Object.assign(word, { top: height, bottom: height }));
    Object.assign(this, { line, height, around: { arcs: [], blocked: [], width: line.width } });
    Object.entries({ width, height, "font-size": line.size }).forEach((pair) => this.svg.setAttribute(...pair));
    const sky = this.scene.put("sky", "g", { transform: `translate(0 ${height}) scale(1 -1)` });
    this.arcs(sky, line, colours.large, colours);
    // The side's name stands at its arcs, as above.
    if (rows.flat().length === 1) this.side("near", this.sent.labels.near ?? this.sent.labels.side, line, colours);
    else writeRows(this, rows, height - highOf(rows, colours.large), colours);
    return [];
  }

  isToItself() {
    const { asks, focus, gone } = this.sent.arcs;
    if (gone) return false;
    return asks.every(({ weights }) => weights.every((weight, to) => weight < DRAWN || to === focus));
  }

  // Letters are not mirrored.
  write(parent, names, line, look) {
    super.write(this.hangs ? this.scene.put("names", "g", {}) : parent, names, line, look);
  }

  upperEdge(box) {
    return this.hangs ? this.height - box.y - box.high : super.upperEdge(box);
  }
}

const sideAlone = ({ labels: { side }, arcs }) => ({ labels: { side }, arcs });
