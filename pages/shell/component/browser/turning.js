// Pairs of features of a query and a key: two arrows in a circle, which turn as the words move, and the angle between
// them. With a curve, a few pairs are large and show their parts of the score, the others are small and show their sum;
// the whole score stands beside them as a curve over the distance.

import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";

// Pixels: the widest circle with its room, for few pairs and for many; type, a line of words below a circle; of the
// curve, the margins and the height; beside the circles, and the least width for long words.
const [LARGE, ROOM, TYPE, BELOW] = [128, 88, 14, 22];
const [LEFT, RIGHT, TOP, BOTTOM, LEAST] = [46, 18, 30, 44, 200];
const [BESIDE, ACROSS, TICK] = [64, 960, 16];
const SPELT = 124;

export class Turning extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-turning");
    this.scene = new Scene(this.svg);
  }

  picture({ width, colours }) {
    const { turning } = this.sent;
    const { large } = colours;
    const count = turning.shown.length;
    const isWide = width >= ACROSS * large;
    const hasCurve = turning.curve.length > 0;
    const isAcross = isWide && hasCurve;
    const columns = hasCurve ? count + 1 : count / (isWide ? 2 : 4);
    const room = Math.min((hasCurve ? LARGE : ROOM) * large, (isAcross ? 0.56 * width : width) / columns);
    const step = room + (hasCurve ? 2 : 1) * BELOW * large;
    const top = hasCurve ? BELOW * large : 0;
    // The sum has a line of its own if there is no place behind the parts.
    const circles = top + Math.ceil(count / columns) * step + (hasCurve && !isAcross ? BELOW + 8 : 8) * large;
    const curve = isAcross
      ? { x: columns * room + BESIDE * large, y: 0, width: width - columns * room - BESIDE * large, height: circles }
      : { x: 0, y: circles + 4 * large, width, height: LEAST * large };
    const height = isAcross || !hasCurve ? circles : curve.y + curve.height;
    Object.entries({ width, height, "font-size": TYPE * large }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", this.sent.note);
    this.scene.draw(() => {
      turning.shown.forEach((pair, at) => {
        const [x, y] = [((at % columns) + 0.5) * room, top + Math.floor(at / columns) * step + room / 2];
        this.circle(pair, x, y, room / 2 - 5, large);
        this.below(pair, x, y + room / 2 + 12 * large, room, large);
      });
      if (!hasCurve) return;
      this.label("parts", this.sent.labels.parts, { x: 0, y: TYPE * large });
      this.others(count * room, top, room, large);
      const end = columns * room;
      const sum = isAcross ? { x: end + 6 * large } : { x: end - room / 2, "text-anchor": "middle" };
      const y = top + room + (isAcross ? 34 : 34 + BELOW) * large;
      this.label("total", this.sent.labels.total, { ...sum, y, class: "att-number" });
      this.curve(curve, large);
    });
  }

  label(name, text, attributes) {
    return this.scene.put(name, "text", attributes, this.svg, text);
  }

  circle(pair, x, y, radius, large) {
    const { labels, turning } = this.sent;
    const stays = pair < turning.turns ? "" : " att-stays";
    const small = radius < 20 * large ? " att-small" : "";
    this.scene.put(`circle ${pair}`, "circle", { class: `att-circle${stays}`, cx: x, cy: y, r: radius });
    this.between(pair, x, y, radius);
    for (const which of ["key", "query"]) {
      const [angle, length] = turning[which][pair];
      const place = this.scene.put(`place ${which} ${pair}`, "g", { transform: `translate(${x} ${y})` });
      const arrow = this.scene.put(`${which} ${pair}`, "path", { class: `att-arrow att-${which}${small}` }, place);
      const [end, head] = [length * radius, Math.min(7 * large, 0.5 * length * radius)];
      arrow.setAttribute("d", `M0,0 H${end} M${end - head},${-0.6 * head} L${end},0 L${end - head},${0.6 * head}`);
      // y grows upwards, as on paper.
      arrow.style.transform = `rotate(${-angle}deg)`;
      // A short arrow shows its turn by its place on the circle.
      if (small) continue;
      const rim = this.scene.put(`rim ${which} ${pair}`, "circle", { class: `att-rim att-${which}` }, place);
      Object.entries({ cx: radius, cy: 0, r: 4.5 * large }).forEach((pair) => rim.setAttribute(...pair));
      rim.style.transform = `rotate(${-angle}deg)`;
    }
    this.scene.put(`title ${pair}`, "title", {}, this.scene.get(`circle ${pair}`), `${labels.pair} ${pair + 1}`);
  }

  // The speed of a pair and its part of the score, or the part alone.
  below(pair, x, y, room, large) {
    const { labels, turning } = this.sent;
    const below = { x, y, "text-anchor": "middle", class: "att-adds" };
    const words = room < SPELT * large ? labels.short : labels.below;
    this.label(`below ${pair}`, words[pair], below);
    if (turning.curve.length === 0) return;
    this.label(`part ${pair}`, signed(turning.adds[pair]), {
      ...below,
      y: y + BELOW * large,
      class: "att-adds att-number",
    });
  }

  // The pairs without a large circle, and their sum.
  others(x, top, room, large) {
    const { labels, turning } = this.sent;
    const rest = turning.query.map((_, pair) => pair).filter((pair) => !turning.shown.includes(pair));
    const columns = Math.ceil(Math.sqrt(rest.length));
    const step = room / columns;
    // In the middle of their place.
    const first = top + (room - Math.ceil(rest.length / columns) * step) / 2;
    rest.forEach((pair, at) => {
      const [across, down] = [at % columns, Math.floor(at / columns)];
      this.circle(pair, x + (across + 0.5) * step, first + (down + 0.5) * step, step / 2 - 2 * large, large);
    });
    const below = { x: x + room / 2, y: top + room + 12 * large, "text-anchor": "middle", class: "att-adds" };
    this.label("rest", labels.rest, below);
    this.label("rest adds", signed(labels.rest_adds), {
      ...below,
      y: below.y + BELOW * large,
      class: "att-adds att-number",
    });
  }

  // The angle from the key to the query, the shorter way; it turns with the key.
  between(pair, x, y, radius) {
    const { query, key } = this.sent.turning;
    const from = key[pair][0];
    const angle = ((((query[pair][0] - from + 180) % 360) + 360) % 360) - 180;
    const radians = (angle * Math.PI) / 180;
    const end = `${radius * Math.cos(radians)},${-radius * Math.sin(radians)}`;
    const place = this.scene.put(`place between ${pair}`, "g", { transform: `translate(${x} ${y})` });
    const d = `M0,0 L${radius},0 A${radius},${radius} 0 0 ${angle > 0 ? 0 : 1} ${end} Z`;
    const drawn = this.scene.put(`between ${pair}`, "path", { class: "att-between", d }, place);
    drawn.style.transform = `rotate(${-from}deg)`;
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

// A term of a sum, with its sign.
function signed(number) {
  return number.startsWith("−") ? number : `+${number}`;
}
