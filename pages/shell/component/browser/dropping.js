// A sentence under dropout: in each draw the arcs that are kept are wider and the others struck out, and inside them runs the
// mean of the draws so far. Below, the mean of one pair from draw to draw. Draws are gone through by hand, or played.

import { give } from "./give.js";
import { HeadArcs } from "./head_arcs.js";
import { Telling } from "./telling.js";
import { filled, fixed, shown, widthOf } from "./text.js";

// Milliseconds for a draw.
const READ = 400;
// Pixels: the height of the curve, of which a share of 2, or what is kept where that is more, takes all; beside it, names and numbers; type.
const [HIGH, MOST, LEFT, RIGHT, TYPE] = [112, 2, 92, 140, 14];
// What is kept is drawn at most so many times as wide as a share of 1 without dropout.
const WIDEST = 1.5;
// Of lines of type above each other, their least distance.
const LINE = 17;

export class Dropping extends HeadArcs {
  constructor(...given) {
    super(...given);
    this.root.classList.add("att-dropping");
    this.telling = new Telling(this.root, (told) => this.go(told - 1), READ);
    this.root.append(this.telling.root);
  }

  update(sent, labels, words) {
    const { at, first, draws } = sent.arcs;
    // What is played goes on where it is; what the address names is gone to.
    const isOther = !this.sent || first + at !== this.sent.arcs.first + this.sent.arcs.at;
    if (isOther || !this.telling.plays) this.at = at;
    this.at = Math.min(this.at, Math.max(draws - 1, 0));
    super.update(sent, labels, words);
    this.telling.root.hidden = !draws;
    this.tell();
  }

  tell() {
    const { draws, head, key } = this.sent.arcs;
    if (!draws) return;
    const { told } = this.sent.labels;
    this.telling.update(
      {
        at: this.at + 1,
        of: draws,
        first: 1,
        text: filled(told, { draw: this.at + 1, mean: fixed(this.mean(head, key), 2) }),
      },
      this.words,
    );
    // Numbers that change several times a second are not read out.
    this.telling.text.setAttribute("aria-live", this.telling.plays ? "off" : "polite");
  }

  // While they are played, draws are the figure's own; the one at which it stops is that of the page.
  go(at) {
    this.at = at;
    this.draw();
    this.tabulate();
    this.tell();
    if (this.telling.plays) return;
    give({ draw: String(this.sent.arcs.first + at) });
  }

  due(...parts) {
    return super.due(...parts, this.at);
  }

  // Of a weight: what it is in a draw, and its mean up to that draw.
  one(head, key, at = this.at) {
    const { up, kept } = this.sent.arcs;
    return kept[head][key][at] === "1" ? up[head][key] : 0;
  }

  mean(head, key, at = this.at) {
    const { up, kept } = this.sent.arcs;
    const count = [...kept[head][key].slice(0, at + 1)].filter((one) => one === "1").length;
    return (count * up[head][key]) / (at + 1);
  }

  // Where dropout makes few weights large, all arcs are thinner: none leaves the picture.
  unit(line, large) {
    const largest = Math.max(0, ...this.sent.arcs.up.flat());
    return super.unit(line, large) * Math.min(1, WIDEST / largest);
  }

  most(of, to, weight) {
    return Math.max(weight, this.sent.arcs.up[of]?.[to] ?? 0);
  }

  /**
   * @param {SVGElement} parent
   * @param {Record<string, any>} one
   */
  stroke(parent, { colour, ...one }, line, sizes) {
    const { draws } = this.sent.arcs;
    if (!draws) return super.stroke(parent, { colour, ...one }, line, sizes);
    const { of, to, weight, wide } = one;
    const unit = wide / this.most(of, to, weight);
    const drawn = this.one(of, to);
    const kind = drawn ? "att-draw" : "att-draw att-gone";
    const layers = [
      { layer: "draw", kind, wide: drawn * unit || Math.max(wide, 2) },
      {
        layer: "arc",
        kind: drawn ? "att-head-arc" : "att-head-arc att-missed",
        wide: Math.max(this.mean(of, to) * unit, 0.01),
      },
    ];
    for (const each of layers) {
      const made = this.arc(parent, { ...one, ...each, isShown: false }, line, sizes);
      made.drawn.setAttribute("stroke", colour);
      if (!drawn && each.layer === "draw") this.cross(parent, one, made.middle, sizes.large);
    }
  }

  // What this draw takes away is struck out.
  /** @param {Record<string, any>} one */
  cross(parent, one, { x, y }, large) {
    const far = 8 * large;
    const d = `M${x - far},${y - far} l${2 * far},${2 * far} M${x - far},${y + far} l${2 * far},${-2 * far}`;
    this.scene.put(`strike ${one.of} ${one.to}`, "path", { class: "att-strike", d }, parent);
  }

  under(parent, { line, top, colours }) {
    const { draws, head, key } = this.sent.arcs;
    const { large } = colours;
    if (!draws) return { options: [], bottom: top + 6 * large };
    const { labels } = this.sent;
    const [left, right] = line.isWide ? [LEFT, RIGHT] : [8, 104];
    const x = (at) => left * large + ((line.width - (left + right) * large) * at) / Math.max(draws - 1, 1);
    const y0 = top + (26 + HIGH) * large;
    const { up, asks } = this.sent.arcs;
    const most = Math.max(MOST, up[head][key]);
    const y = (share) => y0 - (HIGH * large * Math.min(share, most)) / most;
    const colour = colours.series[head % colours.series.length];
    const group = this.scene.put("curve", "g", { "aria-hidden": "true" }, parent);
    const put = (name, tag, attributes, text = null) => this.scene.put(name, tag, attributes, group, text);
    const weight = asks[head].weights[key];
    const level = (name, share) =>
      put(`level ${name}`, "line", {
        class: `att-level att-${name}`,
        x1: x(0),
        x2: x(draws - 1),
        y1: y(share),
        y2: y(share),
      });
    // Where means of so many draws tend to lie: two standard errors to either side. What is kept is `kept` each time.
    const spread = 2 * Math.sqrt(Math.max(weight * (up[head][key] - weight), 0));
    const edge = (sign) =>
      Array.from({ length: draws }, (_, at) => [x(at), y(Math.max(weight + (sign * spread) / Math.sqrt(at + 1), 0))]);
    const around = [...edge(1), ...edge(-1).reverse()].map((place) => place.join(",")).join(" L");
    put("band", "path", { class: "att-band", d: `M${around} Z` });
    const told = this.meanAt({ x, y, y0, weight, large, font: colours.font });
    this.nameBand({ x, y0, large, font: colours.font, put }, edge(-1), told);
    level("zero", 0);
    level("weight", weight);
    // The names of the levels, in this order from below, none over another.
    const names = [
      [labels.dropped, 0],
      [labels.weight, weight],
      [filled(labels.kept, { kept: fixed(up[head][key], 2) }), up[head][key]],
    ];
    let lowest = Infinity;
    for (const [at, [text, share]] of names.entries()) {
      if (at === 2 && !up[head][key]) continue;
      lowest = Math.min(lowest - LINE * large, y(share) + 5 * large);
      put(
        `name ${at}`,
        "text",
        { class: at === 1 ? "att-strong" : "", x: x(draws - 1) + 10 * large, y: lowest, "font-size": TYPE * large },
        text,
      );
    }
    for (let at = 0; at < draws; at += 1) {
      const share = this.one(head, key, at);
      const kind = at > this.at ? "att-dot att-to-come" : "att-dot";
      put(`dot ${at}`, "circle", {
        class: kind,
        cx: x(at),
        cy: y(share),
        r: (at === this.at ? 5 : 2.5) * large,
        fill: colour,
      });
    }
    const path = Array.from(
      { length: this.at + 1 },
      (_, at) => `${at ? "L" : "M"}${x(at)},${y(this.mean(head, key, at))}`,
    );
    put("running", "path", { class: "att-running", d: path.join(" "), stroke: colour, "stroke-width": 3 * large });
    const place = { x: told.x, y: told.y, "font-size": TYPE * large };
    put("mean", "text", { class: "att-mean att-strong", ...place }, told.text);
    const count = filled(labels.draw, { draw: this.at + 1 });
    const half = widthOf(count, TYPE * large, colours.font) / 2;
    put(
      "at",
      "text",
      { x: Math.max(x(this.at), half), y: y0 + 20 * large, "text-anchor": "middle", "font-size": TYPE * large },
      count,
    );
    return { options: [], bottom: y0 + 28 * large };
  }

  // Where the mean is written: at the end of its line, on the side that is away from the weight, clear of the line itself.
  meanAt({ x, y, y0, weight, large, font }) {
    const { draws, head, key } = this.sent.arcs;
    const text = filled(this.sent.labels.mean, { mean: fixed(this.mean(head, key), 2) });
    const wide = widthOf(text, 1.1 * TYPE * large, font);
    const from = Math.min(x(this.at) + 9 * large, x(draws - 1) - wide);
    const heights = [y(this.mean(head, key))];
    for (let at = this.at; at >= 0 && x(at) >= from - 4; at -= 1) heights.push(y(this.mean(head, key, at)));
    const lowest = Math.max(...heights, y(weight));
    const isBelow = this.mean(head, key) < weight && lowest + LINE * large < y0;
    const base = isBelow ? Math.max(...heights) + 15 * large : Math.min(...heights, y(weight)) - 7 * large;
    return { text, x: from, wide, y: base };
  }

  // The band is named below its lower edge, where there is room above the axis and beside the mean.
  nameBand({ x, y0, large, font, put }, lower, told) {
    const { band } = this.sent.labels;
    const { draws } = this.sent.arcs;
    const wide = widthOf(band, TYPE * large, font);
    const place = [0.6, 0.85, 0.3]
      .map((share) => Math.round(share * (draws - 1)))
      .map((at) => ({ x: x(at), y: lower[at][1] + 15 * large }))
      .find(
        (one) =>
          y0 - one.y > 2 * large &&
          one.x + wide <= x(draws - 1) &&
          (one.x > told.x + told.wide + 8 || one.x + wide < told.x - 8 || Math.abs(one.y - told.y) > LINE * large),
      );
    if (place) put("band name", "text", { ...place, "font-size": TYPE * large }, band);
  }

  headAndLines() {
    const { tokens, asks, head, draws } = this.sent.arcs;
    const lines = tokens.map((token, at) => {
      const numbers = [asks[head].weights[at], ...(draws ? [this.one(head, at), this.mean(head, at)] : [])];
      return [token, ...numbers.map((number) => shown(number, 3))];
    });
    return [[this.words.ui.arcs_from, ...this.sent.labels.columns], lines];
  }

  remove() {
    this.telling.stop();
    super.remove();
  }
}
