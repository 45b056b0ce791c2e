// A sentence under dropout, draw after draw. Above the words stands what one draw leaves: arcs that are kept are wider than their
// weight, the others are struck out. Below them, as in a mirror, the mean of the draws so far fills the width of the weight.
// Draws are gone through by hand, or played.

import { laid } from "./arc_names.js";
import { answers } from "./draw_answers.js";
import { give } from "./give.js";
import { HeadArcs, NAMED } from "./head_arcs.js";
import { clip, placed } from "./sentence_line.js";
import { Telling } from "./telling.js";
import { filled, fixed, shown, widthOf } from "./text.js";

// Milliseconds for a draw.
const READ = 350;
// The width of a share of 1, as a part of that of other arcs: what is kept grows beyond it, up to a share of MOST.
const [SLIM, MOST] = [0.6, 5];
// Pixels: above the arcs in one line and in several, below the words, of a line around the weight; the type that names it.
const [HEADROOM, HEADROOM_WRAPPED, BELOW, EDGE, KEY] = [14, 26, 12, 1.5, 14];

export class Dropping extends HeadArcs {
  constructor(...given) {
    super(...given);
    this.root.classList.add("att-dropping");
    this.isOfMean = false;
    this.flipped = 0;
    this.crosses = [];
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
    const { draws, head, key, rights } = this.sent.arcs;
    if (!draws) return;
    const { told, buttons } = this.sent.labels;
    this.telling.update(
      {
        at: this.at + 1,
        of: draws,
        first: 1,
        isSpelled: true,
        text: filled(told, {
          draw: this.at + 1,
          mean: fixed(this.mean(head, key), 2),
          taken: fixed(this.one(head, key), 2),
          right: rights.filter((one) => one[this.at] === "1").length,
          asked: rights.length,
        }),
      },
      { ui: { ...this.words.ui, ...buttons } },
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

  compose(due) {
    const { width, colours } = due;
    this.isOfMean = false;
    const { isWide } = placed(this.sent.arcs.tokens, width, colours);
    this.headroom = (isWide ? HEADROOM : HEADROOM_WRAPPED) * colours.large;
    return super.compose(due);
  }

  unit(line, large) {
    return super.unit(line, large) * (this.sent.arcs.draws ? SLIM : 1);
  }

  // Each arc has room for what is kept, in all draws and in their mean: none moves from draw to draw.
  most(of, to, weight) {
    return Math.min(Math.max(weight, this.sent.arcs.up[of]?.[to] ?? 0), MOST);
  }

  /**
   * @param {SVGElement} parent
   * @param {Record<string, any>} one
   */
  stroke(parent, { colour, ...one }, line, sizes) {
    if (!this.sent.arcs.draws) return super.stroke(parent, { colour, ...one }, line, sizes);
    const { of, to, weight, wide } = one;
    const unit = wide / this.most(of, to, weight);
    const put = (layer, kind, share, stroke, more = 0) => {
      const width = Math.min(share, MOST) * unit + more;
      const made = this.arc(parent, { ...one, kind, layer, wide: width, isShown: false }, line, sizes);
      made.drawn.style.stroke = stroke;
      return made.middle;
    };
    if (this.isOfMean) return this.filling(put, weight, this.mean(of, to), colour);
    const taken = this.one(of, to);
    const middle = put("arc", `att-head-arc${taken ? "" : " att-gone"}`, taken || weight, colour);
    // On a thin arc it would stand on its thick neighbour.
    if (!taken && weight >= NAMED) this.crosses.push({ of, to, ...middle, far: 6 * sizes.large });
  }

  // The mean in the frame of the weight, or beyond it.
  filling(put, weight, mean, colour) {
    const isMore = mean > weight;
    if (isMore) put("mean", "att-head-arc", mean, colour);
    put("edge", "att-weight-edge", weight, "", 2 * EDGE);
    put("inside", "att-weight-inside", weight, isMore ? colour : "");
    if (!isMore) put("mean", "att-head-arc", mean, colour);
  }

  // What a draw takes away is struck out, above all arcs.
  arcs(parent, ...given) {
    this.crosses = [];
    super.arcs(parent, ...given);
    for (const { of, to, x, y, far } of this.crosses) {
      const d = `M${x - far},${y - far} l${2 * far},${2 * far} M${x - far},${y + far} l${2 * far},${-2 * far}`;
      this.scene.put(`strike ${of} ${to}`, "path", { class: "att-strike", d }, parent);
    }
  }

  under(parent, { line, top, colours }) {
    const { large } = colours;
    if (!this.sent.arcs.draws) return { options: [], bottom: top + 6 * large };
    this.side("side", filled(this.sent.labels.draw, { draw: this.at + 1 }), line, colours);
    const above = this.around;
    const bottom = line.isWide ? this.mirrored(parent, line, top, colours) : this.again(parent, line, top, colours);
    Object.assign(this, { isOfMean: false, around: above, flipped: 0 });
    const { scene, sent, at } = this;
    const draws = { scene, parent, sent: sent.arcs, labels: sent.labels, line, large, font: colours.font };
    return { options: [], bottom: answers({ ...draws, top: bottom, at }) };
  }

  // The mean, hanging from the words of the draw.
  mirrored(parent, line, top, colours) {
    const deep = this.skies[0] * colours.large;
    const words = line.words.map((word) => ({ ...word, top: deep, bottom: deep }));
    const base = top + BELOW * colours.large + deep;
    const sky = this.scene.put(
      "mean",
      "g",
      { "aria-hidden": "true", transform: `translate(0 ${base}) scale(1 -1)` },
      parent,
    );
    this.ofMean({ ...line, words }, sky, base, 0, colours);
    return base;
  }

  // The mean over the sentence once more, where it takes several lines.
  again(parent, line, top, colours) {
    const { large } = colours;
    const words = line.words.map((word) => ({ ...word, top: word.top + top, bottom: word.bottom + top }));
    const sky = this.scene.put("mean", "g", { "aria-hidden": "true" }, parent);
    const blocked = words.map((word) => ({
      x: word.left,
      y: word.top,
      wide: word.width,
      high: word.bottom - word.top,
    }));
    this.ofMean({ ...line, words }, sky, 0, top, colours, blocked);
    words.forEach(({ middle, top: high, bottom }, at) => {
      const kind = at === this.sent.arcs.focus ? "att-strong" : "";
      const place = { x: middle, y: (high + bottom) / 2 + 0.33 * line.size, "text-anchor": "middle" };
      this.scene.put(`again ${at}`, "text", { class: kind, ...place }, sky, clip(this.sent.arcs.tokens[at]));
    });
    return 2 * top + 6 * large;
  }

  // flipped: where the picture is mirrored, the height of its words; blocked: where no name may stand.
  ofMean(line, sky, flipped, from, colours, blocked = []) {
    Object.assign(this, { isOfMean: true, flipped, around: { arcs: [], blocked: [...blocked], width: line.width } });
    this.arcs(sky, line, colours.large, colours);
    const mean = filled(this.sent.labels.mean, { draw: this.at + 1 });
    this.side("side of the mean", mean, line, colours, from);
    this.frameKey(line, colours, from);
  }

  // What the frames of the mean are: below its name where no arc is in the way, or else in a corner.
  frameKey(line, { large, font }, from) {
    const [size, frame] = [KEY * large, [30 * large, 10 * large]];
    const said = this.sent.labels[line.isWide ? "key" : "short_key"];
    const [wide, high] = [frame[0] + 8 * large + widthOf(said, size, font), 1.3 * size];
    // Names begin right below.
    const corners = [0, line.width - wide].map((x) => ({ x, y: Math.max(from - 3 * large, 0), costs: 1 }));
    const near = { x: 0, y: line.words[0].top - 2.9 * high, costs: 0 };
    const places = [...(line.isWide ? [near] : []), ...corners];
    const [box] = laid([{ wide, high, places }], this.around);
    if (!box) return;
    const y = this.upperEdge(box) + high / 2;
    const edge = { x: box.x + EDGE, y: y - frame[1] / 2, width: frame[0], height: frame[1], "stroke-width": EDGE };
    this.scene.put("key frame", "rect", { class: "att-key-frame", ...edge }, this.svg);
    const place = { x: box.x + frame[0] + 8 * large, y: y + 0.35 * size, "font-size": size };
    this.scene.put("key", "text", { class: "att-line-name", ...place }, this.svg, said);
  }

  // Letters are not mirrored.
  write(parent, names, line, look) {
    const isMirrored = this.isOfMean && line.isWide;
    super.write(isMirrored ? this.scene.put("names", "g", { "aria-hidden": "true" }) : parent, names, line, look);
  }

  upperEdge(box) {
    return this.isOfMean && this.flipped ? this.flipped - box.y - box.high : super.upperEdge(box);
  }

  namesAt(...given) {
    const names = super.namesAt(...given);
    return this.isOfMean ? names.map((one) => ({ ...one, id: `mean ${one.id}` })) : names;
  }

  // With the numbers that its arc is drawn with.
  /** @param {Record<string, any>} one */
  nameOf(one, line) {
    const { draws } = this.sent.arcs;
    if (!draws) return super.nameOf(one, line);
    const { of, to, weight } = one;
    const { short, taken, averaged } = this.sent.labels;
    const numbers = { weight: fixed(weight, 2), taken: fixed(this.one(of, to), 2), mean: fixed(this.mean(of, to), 2) };
    return filled(this.isOfMean ? averaged : taken, { name: short[of], ...numbers });
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
