// The scores that softmax reads under several remedies, as bars up and down from a line, on one scale in all columns.
// Lines at 10, 100 and so on show the scale, and the column of a cap has lines at its bounds. Below the bars stands the
// remaining gradient (remedies_slope.js).

import { RemedyColumns } from "./remedies_columns.js";
import { slope } from "./remedies_slope.js";

// Pixels: type of numbers; the bars, and the same for little room.
const NUMBER = 12;
const [HIGH, LOW] = [120, 84];

export class RemedyScores extends RemedyColumns {
  columns() {
    return this.sent.scored;
  }

  rooms({ large, isNarrow, type, small }) {
    const over = 1.3 * small + 1.2 * NUMBER * large;
    return { over, high: (isNarrow ? LOW : HIGH) * large, under: this.sent.labels.slope ? 1.4 * type : 0 };
  }

  inside(at, x, bottom) {
    const { labels, scored } = this.sent;
    const { small, step, rooms, large } = this.layout;
    const top = bottom - rooms.high;
    const middle = top + rooms.high / 2;
    const right = x + scored.tokens.length * step;
    const size = NUMBER * large;
    const line = (name, kind, y) => this.scene.put(name, "line", { class: kind, x1: x, x2: right, y1: y, y2: y });
    // The y of a share above or below the line of 0.
    const level = (share) => middle - (share * rooms.high) / 2;
    if (!at)
      this.write("scores", labels.scores, { x, y: top - rooms.over + small, class: "att-why", "font-size": small });
    line(`zero ${at}`, "att-base", middle);
    for (const [ten, share] of scored.tens) {
      [share, -share].forEach((one) => line(`ten ${at} ${ten} ${one > 0}`, "att-ten", level(one)));
      if (!at)
        this.write(`ten ${ten}`, ten, { x: right + 3, y: level(share) + 4, "font-size": size, class: "att-why" });
    }
    const cap = scored.caps[at];
    if (cap !== null) {
      [cap, -cap].forEach((one) => line(`cap ${at} ${one > 0}`, "att-bound", level(one)));
      this.write("cap said", labels.cap, { x: right + 3, y: level(cap) + 4, "font-size": size });
    }
    // The two largest scores, whose distance decides the weights.
    const told = [...scored.scores[at]].sort((one, other) => other - one).slice(0, 2);
    scored.scores[at].forEach((score, place) => {
      const [end, across] = [level(score), x + this.middle(place)];
      const box = {
        x: across - 0.2 * step,
        width: 0.4 * step,
        y: Math.min(end, middle),
        height: Math.abs(end - middle),
      };
      this.scene.put(`score ${at} ${place}`, "rect", { class: "att-score", fill: this.colour(at), ...box });
      if (step < 2.4 * size || !told.includes(score)) return;
      const place_ = { x: across, y: Math.min(end, middle) - 0.3 * size, "text-anchor": "middle", "font-size": size };
      this.write(`written ${at} ${place}`, labels.written[at][place], { ...place_, class: "att-share" });
    });
  }

  below(at, x, y) {
    const { labels, scored } = this.sent;
    if (!labels.slope) return;
    const draws = {
      scene: this.scene,
      labels,
      slopes: scored.slopes,
      write: this.write.bind(this),
      layout: this.layout,
    };
    slope(draws, at, x, y);
  }

  headAndLines() {
    const { labels, scored } = this.sent;
    const more = labels.slope ? [labels.slope] : [];
    const lines = labels.names.map((name, at) => [name, ...labels.written[at], ...more.map(() => labels.slopes[at])]);
    return [[`${labels.remedy}, ${labels.scores_told}`, ...scored.tokens, ...more], lines];
  }
}
