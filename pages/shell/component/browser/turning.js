// The pairs of features of a query and a key: two arrows in a circle, which turn as the words move. What the pairs add up
// to stands beside them as a curve over the distance.

import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";

// Pixels: the widest circle with its room, type, the number below a circle; of the curve: the margins and the height.
const [ROOM, TYPE, NUMBER] = [88, 14, 20];
const [LEFT, RIGHT, TOP, BOTTOM, LEAST] = [46, 18, 30, 44, 200];
const [BESIDE, ACROSS, TICK] = [40, 960, 16];

export class Turning extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-turning");
    this.scene = new Scene(this.svg);
  }

  picture({ width, colours }) {
    const { labels, turning } = this.sent;
    const { large } = colours;
    const pairs = turning.query.length;
    const isAcross = width >= ACROSS * large;
    const columns = isAcross ? pairs / 2 : pairs / 4;
    const room = Math.min(ROOM * large, (isAcross ? 0.54 * width : width) / columns);
    const line = (TYPE + 10) * large;
    const step = room + NUMBER * large;
    const circles = line + (pairs / columns) * step + line;
    const curve = isAcross
      ? { x: columns * room + BESIDE * large, y: 0, width: width - columns * room - BESIDE * large, height: circles }
      : { x: 0, y: circles + 12 * large, width, height: LEAST * large };
    const height = isAcross ? circles : curve.y + curve.height;
    Object.entries({ width, height, "font-size": TYPE * large }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", this.sent.note);
    this.scene.draw(() => {
      this.label("circles", labels.circles, { x: 0, y: TYPE * large });
      for (let pair = 0; pair < pairs; pair += 1) {
        const [x, y] = [(pair % columns) * room + room / 2, line + Math.floor(pair / columns) * step + room / 2];
        this.circle(pair, x, y, room / 2 - 5, large);
      }
      this.label("sum", labels.sum, { x: 0, y: circles - 8 * large, class: "att-sum" });
      this.curve(curve, large);
    });
  }

  label(name, text, attributes) {
    return this.scene.put(name, "text", attributes, this.svg, text);
  }

  circle(pair, x, y, radius, large) {
    const { labels, turning } = this.sent;
    const stays = pair < turning.turns ? "" : " att-stays";
    this.scene.put(`circle ${pair}`, "circle", { class: `att-circle${stays}`, cx: x, cy: y, r: radius });
    for (const which of ["key", "query"]) {
      const [angle, length] = turning[which][pair];
      const place = this.scene.put(`place ${which} ${pair}`, "g", { transform: `translate(${x} ${y})` });
      const arrow = this.scene.put(`${which} ${pair}`, "path", { class: `att-arrow att-${which}` }, place);
      const [end, head] = [length * radius, Math.min(7 * large, 0.5 * length * radius)];
      arrow.setAttribute("d", `M0,0 H${end} M${end - head},${-0.6 * head} L${end},0 L${end - head},${0.6 * head}`);
      // Upwards is where y grows, as on paper.
      arrow.style.transform = `rotate(${-angle}deg)`;
    }
    const below = { x, y: y + radius + 17 * large, "text-anchor": "middle", class: "att-adds" };
    this.label(`adds ${pair}`, turning.adds[pair], below);
    this.scene.put(`title ${pair}`, "title", {}, this.scene.get(`circle ${pair}`), `${labels.pair} ${pair + 1}`);
  }

  curve({ x, y, width, height }, large) {
    const { labels, turning } = this.sent;
    const [left, right] = [x + LEFT * large, x + width - RIGHT * large];
    const [top, bottom] = [y + TOP * large, y + height - BOTTOM * large];
    const far = (turning.curve.length - 1) / 2;
    const across = (distance) => left + ((distance + far) / (2 * far)) * (right - left);
    const upwards = (score) => (top + bottom) / 2 - (score / turning.most) * 0.5 * (bottom - top);
    this.label("scores", labels.scores, { x: left, y: y + TYPE * large });
    this.label("distance", labels.distance, {
      x: (left + right) / 2,
      y: y + height - 4 * large,
      "text-anchor": "middle",
    });
    const axis = (name, x1, y1, x2, y2) => this.scene.put(name, "line", { class: "att-axis-line", x1, y1, x2, y2 });
    axis("zero", left, upwards(0), right, upwards(0));
    axis("same", across(0), top, across(0), bottom);
    for (let at = -Math.floor(far / TICK) * TICK; at <= far; at += TICK)
      this.label(`tick ${at}`, String(at).replace("-", "−"), {
        x: across(at),
        y: bottom + 18 * large,
        "text-anchor": "middle",
      });
    for (const at of [-1, 0, 1])
      this.label(`score ${at}`, at ? `${at < 0 ? "−" : ""}${turning.most.toFixed(1)}` : "0", {
        x: left - 6 * large,
        y: upwards(at * turning.most) + 5 * large,
        "text-anchor": "end",
      });
    const points = turning.curve.map(
      (score, index) => `${across(index - far).toFixed(1)},${upwards(score).toFixed(1)}`,
    );
    this.scene.put("curve", "path", { class: "att-curve", d: `M${points.join(" L")}` });
    if (turning.turns < turning.query.length) {
      const [x1, x2, at] = [left, right, upwards(turning.still)];
      this.scene.put("still", "line", { class: "att-stays", x1, y1: at, x2, y2: at });
      this.label("still words", labels.still, { class: "att-still", x: left + 6 * large, y: at - 6 * large });
    }
    const score = turning.curve[turning.distance + far];
    const here = this.scene.put("here", "g");
    here.style.transform = `translate(${across(turning.distance)}px, ${upwards(score)}px)`;
    this.scene.put("dot", "circle", { class: "att-here", cx: 0, cy: 0, r: 7 * large }, here);
    const isRight = turning.distance > 0.6 * far;
    this.scene.put(
      "number",
      "text",
      {
        class: "att-number",
        x: (isRight ? -12 : 12) * large,
        y: -10 * large,
        "text-anchor": isRight ? "end" : "start",
      },
      here,
      labels.score,
    );
  }

  headAndLines() {
    const { labels, turning } = this.sent;
    const lines = turning.adds.map((number, pair) => [`${labels.pair} ${pair + 1}`, number]);
    return [
      [labels.pair, labels.adds],
      [...lines, [labels.sum, labels.score]],
    ];
  }
}
