// The first figure of another page as a small picture: drawn by what draws it there, with the settings of this screen, as
// soon as it comes into sight, and not again with each move while it is there. It stands in a document of its own, because
// it is no figure of this page.

import { make } from "./elements.js";
import { elsewhere } from "./live.js";
import { whenShown } from "./opening.js";
import { Blocks } from "./view.js";

// Pixels that a figure is drawn in before it is made smaller.
const WIDTH = 900;
// Around what is drawn; and nothing is larger than on its page.
const [ROOM, LARGEST] = [8, 1];
const VIEW = "contents.thumbnail";
const all = new Map();
// Those that wait: one is asked for at a time, so that figures of the page itself come between two of them.
const waiting = new Set();
let isAsking = false;

const sight = new IntersectionObserver((entries) =>
  entries.forEach(({ target, isIntersecting }) => all.get(target)?.see(isIntersecting)),
);
const resized = new ResizeObserver((entries) => entries.forEach(({ target }) => all.get(target)?.fit()));

export class Thumbnail {
  constructor(parent, page) {
    Object.assign(this, { page, isSeen: false, shown: null, stamp: "" });
    this.root = make("div", "att-thumbnail", parent);
    // The link beside it has its words; nothing in it is chosen.
    Object.assign(this.root, { inert: true, ariaHidden: "true" });
    const inside = this.root.attachShadow({ mode: "open" });
    for (const sheet of document.querySelectorAll("link[rel=stylesheet][href*='assets/plot/']"))
      inside.append(sheet.cloneNode());
    this.paper = make("div", "att-thumbnail-paper", inside);
    this.paper.style.width = `${WIDTH}px`;
    this.blocks = new Blocks(this.paper);
    all.set(this.root, this);
    sight.observe(this.root);
    resized.observe(this.root);
    // What is drawn after the answer, as charts are, makes it higher.
    this.grown = new ResizeObserver(() => this.fit());
    this.grown.observe(this.paper);
  }

  // What is drawn fills the picture: the margins, which hold names on the page, are left out.
  fit() {
    const [wide, high] = [this.root.clientWidth, this.root.clientHeight];
    const now = this.scale ?? 1;
    const paper = this.paper.getBoundingClientRect();
    const boxes = [...this.paper.querySelectorAll(".att-card")].flatMap((card) => drawn(card, paper, now));
    const left = Math.min(WIDTH, ...boxes.map(({ x }) => x));
    const top = Math.min(...boxes.map(({ y }) => y), WIDTH);
    const width = Math.max(0, ...boxes.map((box) => box.x + box.width)) - left;
    const height = Math.max(0, ...boxes.map((box) => box.y + box.height)) - top;
    const isKnown = width > 0 && height > 0;
    this.scale = isKnown ? Math.min((wide - 2 * ROOM) / width, (high - 2 * ROOM) / height, LARGEST) : wide / WIDTH;
    const [x, y] = isKnown
      ? [(wide - this.scale * width) / 2 - this.scale * left, (high - this.scale * height) / 2 - this.scale * top]
      : [0, 0];
    this.paper.style.transform = `translate(${x}px, ${y}px) scale(${this.scale})`;
  }

  see(isSeen) {
    this.isSeen = isSeen;
    if (isSeen) this.ask();
  }

  ask() {
    waiting.add(this);
    whenShown.then(next);
  }

  show(found, key) {
    this.shown = key;
    const { stamp, blocks } = found.views[VIEW];
    if (!blocks || stamp === this.stamp) return;
    this.stamp = stamp;
    this.blocks.draw(blocks);
    this.root.dataset.drawn = stamp;
    this.fit();
  }

  redraw() {
    this.blocks.redraw();
  }

  remove() {
    sight.unobserve(this.root);
    resized.unobserve(this.root);
    this.grown.disconnect();
    all.delete(this.root);
    waiting.delete(this);
    this.blocks.remove();
    this.root.remove();
  }
}

// Of a figure, where on its paper something is drawn, in pixels of the paper: of a drawing of ours its shapes, of another its
// whole. scale: that of the paper.
function drawn(card, paper, scale) {
  const ours = card.querySelector(".att-canvas > svg:not(.main-svg, .att-vectors *)");
  const whole = ours ?? card.querySelector(".att-plot");
  if (!whole) return [];
  const box = whole.getBoundingClientRect();
  const [x, y] = [(box.x - paper.x) / scale, (box.y - paper.y) / scale];
  if (!ours) return [{ x, y, width: box.width / scale, height: box.height / scale }];
  const shapes = ours.getBBox();
  return [{ x: x + shapes.x, y: y + shapes.y, width: shapes.width, height: shapes.height }];
}

async function next() {
  if (isAsking) return;
  isAsking = true;
  for (const one of waiting) {
    waiting.delete(one);
    if (!one.isSeen) continue;
    const asked = elsewhere(one.page, VIEW);
    if (asked.key === one.shown) continue;
    // One that does not come leaves the place as it is, until it is seen again.
    await asked.answer().then(
      (found) => all.has(one.root) && one.show(found, asked.key),
      () => {},
    );
  }
  isAsking = false;
}
