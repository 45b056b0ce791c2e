// One of two sentences with arcs, one above the other. Its name stands in its upper left corner, and additions to its
// words below them. While its arcs are asked for, it shows a question mark; then the arcs arrive from their former
// places, where those that have moved leave a dashed line. If none has moved, an equals sign stands beside the name.

import { HeadArcs } from "./head_arcs.js";
import { NAMED } from "./head_names.js";
import { widthOf } from "./text.js";

// Pixels: the room above the words, in one line and in several; the question mark; the texts below the words.
const SKIES = [172, 68];
// The same with numbers between the two sentences, so that all of it fits on one screen.
const LOW = [116, 68];
const [MARK, ADDED] = [76, 15];
// The equals sign, and the gap before it.
const [EQUALS, GAP] = [36, 10];
// Milliseconds that arcs travel.
const TRAVEL = 600;
// From so many loops on, they share one name.
const MANY = 3;
// A weight that moves by less counts as unchanged: its former width would be a rim around its arc.
const STAYS = 0.1;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Lane extends HeadArcs {
  constructor(...given) {
    super(...given);
    this.root.classList.add("att-lane");
  }

  compose(due) {
    this.high = this.sent.arcs.lane.low ? LOW : SKIES;
    const made = super.compose(due);
    if (this.sent.arcs.lane.same) this.equals(due.colours);
    return made;
  }

  // If the arcs are those of the other sentence, an equals sign stands beside the name.
  equals({ large, font }) {
    const sides = [...this.svg.querySelectorAll(".att-side")].filter((one) => !this.scene.left.has(one.dataset.name));
    const side = sides.at(-1);
    if (!side) return;
    const [x, y, size] = ["x", "y", "font-size"].map((name) => Number(side.getAttribute(name)));
    const look = { class: "att-lane-equals", x: x + widthOf(side.textContent, size, font, 700) + GAP * large };
    this.scene.put("equals", "text", { ...look, y: y - 0.3 * size, "font-size": EQUALS * large }, this.svg, "=");
  }

  picture(due) {
    const { asked } = this.sent.arcs.lane;
    const comes = this.isAsked && !asked;
    const isNext = asked && this.isAsked === false;
    const travels = comes && !still.matches;
    this.isAsked = asked;
    const before = travels ? this.before(due) : [];
    super.picture(due);
    if (travels) this.travel(before);
    // Scroll to the answer, which is below the fold on a phone.
    if (comes) this.root.scrollIntoView({ block: "nearest" });
    // Scroll back to both sentences and the next question, since the button is below them on a phone.
    if (isNext) this.root.closest(".att-view")?.querySelector(".att-lane")?.scrollIntoView({ block: "nearest" });
  }

  // The former arcs of the heads, each with its path.
  before(due) {
    const now = this.sent;
    this.sent = { ...now, arcs: { ...now.arcs, asks: now.arcs.lane.was } };
    super.picture(due);
    this.sent = now;
    return this.ownArcs();
  }

  ownArcs() {
    return [...this.svg.querySelectorAll(".att-head-arc:not(.att-lane-was *)")].map((element) => ({
      element,
      of: element.dataset.head,
      to: element.dataset.to,
      d: element.getAttribute("d"),
      wide: Number(element.getAttribute("stroke-width")),
    }));
  }

  // Move each arc from the former arc of its head to the same word, otherwise from the widest that is left; otherwise
  // it grows in its place.
  travel(before) {
    const left = [...before];
    const take = (fits) => {
      const at = left.findIndex(fits);
      return at < 0 ? null : left.splice(at, 1)[0];
    };
    const now = this.ownArcs().sort((a, b) => b.wide - a.wide);
    left.sort((a, b) => b.wide - a.wide);
    const stays = new Map(now.map((one) => [one, take(({ of, to }) => of === one.of && to === one.to)]));
    for (const one of now) {
      const was = stays.get(one) ?? take(({ of }) => of === one.of) ?? { ...one, wide: 0 };
      const frames = [was, one].map(({ d, wide }) => ({ d: `path("${d}")`, strokeWidth: `${wide}px` }));
      one.element.animate(frames, { duration: TRAVEL, easing: "ease-in-out" });
    }
    // Show a name when its arc has arrived.
    for (const name of this.svg.querySelectorAll(".att-arc-name, .att-arc-lead"))
      name.animate({ opacity: [0, 0, 1] }, { duration: TRAVEL });
  }

  side(id, said, line, colours) {
    super.side(id, said, line, colours, 0, true);
  }

  arcs(parent, line, large, colours) {
    if (!this.sent.arcs.lane.asked) {
      this.left(parent, line, large, colours);
      return super.arcs(parent, line, large, colours);
    }
    const { middle, top, line: at } = line.words[this.sent.arcs.focus];
    const size = (line.isWide ? MARK : 0.75 * MARK) * large;
    const y = at ? line.words[0].top - 10 * large : top - 18 * large;
    const look = { class: "att-lane-question", x: middle, y, "font-size": size };
    this.scene.put("question", "text", look, parent, "?");
  }

  // Former places of the arcs that have moved, below the arcs.
  left(parent, line, large, colours) {
    const now = this.sent;
    const { asks, lane } = now.arcs;
    const moved = lane.was.map((ask, of) => ({
      ...ask,
      weights: ask.weights.map((weight, to) => (Math.abs(weight - asks[of].weights[to]) < STAYS ? 0 : weight)),
    }));
    if (!moved.some(({ weights }) => weights.some((weight) => weight > 0))) return;
    this.sent = { ...now, arcs: { ...now.arcs, asks: moved } };
    this.dashed(parent, line, large, colours);
    this.sent = now;
  }

  // Arcs without names.
  dashed(parent, line, large, colours) {
    this.isLeft = true;
    super.arcs(this.scene.put("was", "g", { class: "att-lane-was" }, parent), line, large, colours);
    this.isLeft = false;
    // Names may stand on dashed lines.
    this.around.arcs = [];
  }

  // Around the word itself there is room for few names, so many loops share one.
  sharedBy(one) {
    const { asks, focus } = this.sent.arcs;
    const isItself = !one.isGone && one.to === focus;
    const loops = isItself
      ? asks.filter(({ weights }) => weights[focus] >= NAMED && Math.max(...weights) === weights[focus])
      : [];
    return loops.length >= MANY ? "itself" : super.sharedBy(one);
  }

  stroke(parent, one, line, sizes) {
    super.stroke(parent, this.isLeft ? { ...one, layer: "was" } : one, line, sizes);
  }

  write(parent, names, line, sizes) {
    if (!this.isLeft) super.write(parent, names, line, sizes);
  }

  word(parent, token, index, line, high) {
    const { asked } = this.sent.arcs.lane;
    if (!asked) return super.word(parent, token, index, line, high);
    const weights = this.sent.arcs.tokens.map(() => 0);
    const [now, open] = [this.sent, { ...this.sent, arcs: { ...this.sent.arcs, weights } }];
    this.sent = open;
    const word = super.word(parent, token, index, line, high);
    this.sent = now;
    // The name of the word alone, because its shares are not said.
    word.setAttribute("aria-label", token);
    return word;
  }

  // Between several lines there are arcs, so that the additions are told by the lane's name alone.
  under(parent, { line, top, colours: { large } }) {
    const { added } = this.sent.arcs.lane;
    if (!added.length || !line.isWide) return { options: [], bottom: top + 6 * large };
    const y = top + ADDED * large;
    added.forEach((text, at) => {
      const place = { class: "att-lane-added", x: line.words[at].middle, y, "font-size": ADDED * large };
      this.scene.put(`added ${at}`, "text", place, parent, text);
    });
    const name = { class: "att-lane-added att-lane-adds", x: line.words[0].left - 10 * large, y };
    if (this.sent.labels.adds)
      this.scene.put("adds", "text", { ...name, "font-size": ADDED * large }, parent, this.sent.labels.adds);
    return { options: [], bottom: y + 6 * large };
  }

  headAndLines() {
    const { arcs, labels } = this.sent;
    if (!arcs.lane.asked) return super.headAndLines();
    return [[this.words.ui.arcs_from, labels.side], arcs.tokens.map((token) => [token, "?"])];
  }
}
