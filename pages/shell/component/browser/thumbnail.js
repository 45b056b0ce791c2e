// The first figure of another page as a small picture: drawn by the code of that page with the settings of this screen,
// once it comes into sight, and not again with later moves. It has a document of its own, because it is no figure of
// this page.

import { make } from "./elements.js";
import { elsewhere } from "./live.js";
import { whenShown } from "./opening.js";
import { Blocks } from "./view.js";

// The width, in pixels, in which a figure is drawn before it is shrunk.
const WIDTH = 900;
// Pixels around the drawing, and its greatest scale: no larger than on its own page.
const [ROOM, LARGEST] = [8, 1];
const VIEW = "contents.thumbnail";
const all = new Map();
// Thumbnails that wait. One is requested at a time, so that figures of the page come first.
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
    // The link beside the picture has the words, and nothing in the picture can be chosen.
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
    // Charts are drawn after the answer, and make the picture higher.
    this.grown = new ResizeObserver(() => this.fit());
    this.grown.observe(this.paper);
  }

  // Fit the drawing into the picture, without the margins that hold names on the page.
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

// The part of a figure that has something drawn, in pixels of the paper: the shapes of an SVG of ours, or the whole of
// another drawing. scale: that of the paper.
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
    // If the answer fails, the place stays as it is until it is seen again.
    await asked.answer().then(
      (found) => all.has(one.root) && one.show(found, asked.key),
      () => {},
    );
  }
  isAsking = false;
}
