// One row of weights under several remedies: the query as an arrow (remedies_query.js), and one column for each remedy
// with the range of its scores, bars over the words, and a verdict.

import { highOfQuery, query } from "./remedies_query.js";
import { RemedyColumns } from "./remedies_columns.js";
import { slope } from "./remedies_slope.js";
import { fixed } from "./text.js";

// Pixels: type of a number at a bar; bars and type of a verdict, and both again for little room.
const NUMBER = 12;
const WIDE = { bars: 92, verdict: 18 };
const NARROW = { bars: 38, verdict: 15 };
// The smallest share with a number at its bar.
const TOLD = 0.1;

export class Remedies extends RemedyColumns {
  columns() {
    return this.sent.remedies;
  }

  further() {
    return this.sent.remedies.nowhere.some((share) => share !== null) ? this.sent.labels.nowhere : "";
  }

  hasFurther(at) {
    return this.sent.remedies.nowhere[at] !== null;
  }

  rooms({ large, isNarrow, small }) {
    const { remedies } = this.sent;
    this.sizes = isNarrow ? NARROW : WIDE;
    // Room above the bars for the number of the highest bar.
    const over = (this.tellsReach(isNarrow) ? 1.3 * small : 0) + 1.5 * NUMBER * large;
    const under = remedies.states.some(Boolean) ? 1.4 * this.sizes.verdict * large + 1.2 * small : 0;
    return { over, high: this.sizes.bars * large, under };
  }

  // A narrow column leaves out the range of its scores, which the table has.
  tellsReach(isNarrow) {
    return !isNarrow && this.sent.labels.reaches.some(Boolean);
  }

  above(width) {
    if (!this.sent.remedies.query) return 0;
    query({ scene: this.scene, sent: this.sent, write: this.write.bind(this), layout: this.layout }, width);
    return highOfQuery(this.layout);
  }

  inside(at, x, bottom) {
    const { labels, remedies } = this.sent;
    const { small, step, rooms, isNarrow } = this.layout;
    if (this.tellsReach(isNarrow)) {
      const y = bottom - rooms.high - rooms.over + small;
      this.write(`reach ${at}`, labels.reaches[at], { x, y, class: "att-why", "font-size": small });
    }
    const weights = remedies.weights[at];
    const base = { class: "att-base", x1: x, x2: x + weights.length * step, y1: bottom, y2: bottom };
    this.scene.put(`base ${at}`, "line", base);
    const fill = this.colour(at);
    weights.forEach((weight, place) =>
      this.bar(`${at} ${place}`, { class: "att-weight", fill }, weight, x, place, bottom),
    );
    const nowhere = remedies.nowhere[at];
    if (nowhere !== null) this.bar(`${at} nowhere`, { class: "att-nowhere" }, nowhere, x, weights.length, bottom);
  }

  bar(name, look, share, x, place, bottom) {
    const { step, large, rooms } = this.layout;
    const middle = x + this.middle(place);
    const box = { x: middle - 0.4 * step, width: 0.8 * step };
    this.scene.put(`frame ${name}`, "rect", { class: "att-room", ...box, y: bottom - rooms.high, height: rooms.high });
    const size = { y: bottom - share * rooms.high, height: share * rooms.high };
    this.scene.put(`bar ${name}`, "rect", { ...look, ...box, ...size });
    const type = NUMBER * large;
    if (share < TOLD || box.width < 1.7 * type) return;
    // Above the line of the highest possible bar.
    const top = bottom - rooms.high;
    const y = size.y - 0.3 * type;
    const at = { x: middle, y: y - type < top ? top - 0.3 * type : y, "text-anchor": "middle", "font-size": type };
    this.write(`number ${name}`, fixed(share, 2), { class: "att-share", ...at });
  }

  below(at, x, y) {
    const { labels, remedies } = this.sent;
    const state = remedies.states[at];
    if (!state) return;
    const size = this.sizes.verdict * this.layout.large;
    const place = { x, y: y + size, class: `att-verdict att-${state}`, "font-size": size };
    this.write(`verdict ${at}`, labels.verdicts[at], place);
    const { slopes } = remedies;
    slope(
      { scene: this.scene, labels, slopes, write: this.write.bind(this), layout: this.layout },
      at,
      x,
      y + 1.4 * size,
    );
  }

  headAndLines() {
    const { labels, remedies } = this.sent;
    const share = (of) => (of === null ? "" : fixed(of, 2));
    // Columns that no remedy of the figure fills are left out.
    const more = [
      [labels.nowhere, remedies.nowhere.map(share)],
      [labels.most, remedies.weights.map((weights) => share(Math.max(...weights)))],
      [labels.scores, labels.reaches],
      [labels.verdict, labels.verdicts],
      [labels.slope, labels.slopes],
    ].filter(([, of]) => of.some(Boolean));
    return [
      [labels.remedy, ...remedies.tokens, ...more.map(([name]) => name)],
      remedies.weights.map((weights, at) => [labels.names[at], ...weights.map(share), ...more.map(([, of]) => of[at])]),
    ];
  }
}
