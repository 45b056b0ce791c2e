// The share of right answers with key heads of their own, with averaged ones, and during the training that follows,
// with the answers to the questions of one sentence.

import { answers } from "./repair_answers.js";
import { bars, heightOf } from "./repair_bars.js";
import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { grown } from "./tall.js";

// Pixels: a line of type; the width from which answers stand beside the bars; the share of the width that bars take
// then.
const [TYPE, WIDE, BARS] = [14, 1100, 0.42];

export class Repair extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-repair");
    this.scene = new Scene(this.svg);
  }

  // Draw with the same elements, so that bars grow.
  picture(due) {
    this.scene.draw(() => this.compose(due));
  }

  compose({ width, colours }) {
    const large = grown(colours.large);
    const type = TYPE * large;
    const isBeside = width >= WIDE * large;
    const room = isBeside ? BARS * width : width;
    const high = heightOf(type, large);
    bars(this.scene, this.sent, { width: room, type, large });
    const place = isBeside ? { x: room + 32 * large, y: 0 } : { x: 0, y: high + 0.5 * type };
    const wide = width - place.x;
    const end = answers(this.scene, this.sent, { ...place, width: wide, type, large, font: colours.font });
    const height = Math.max(high, end);
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
  }

  headAndLines() {
    const { labels } = this.sent;
    return [
      [labels.stage, ...labels.questions, labels.here, labels.rights],
      labels.stages.map((stage, at) => [stage, ...labels.answers[at], labels.counts[at], labels.written[at]]),
    ];
  }
}
