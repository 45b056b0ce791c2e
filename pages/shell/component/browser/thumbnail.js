// The first figure of another page as a small picture: drawn by what draws it there, with the settings of this screen, as
// soon as it comes into sight. It stands in a document of its own, because it is no figure of this page.

import { whenChanged } from "./address.js";
import { make } from "./elements.js";
import { elsewhere } from "./live.js";
import { whenShown } from "./opening.js";
import { Blocks } from "./view.js";

// Pixels that a figure is drawn in before it is made smaller.
const WIDTH = 900;
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
  }

  fit() {
    this.paper.style.transform = `scale(${this.root.clientWidth / WIDTH})`;
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
  }

  redraw() {
    this.blocks.redraw();
  }

  remove() {
    sight.unobserve(this.root);
    resized.unobserve(this.root);
    all.delete(this.root);
    waiting.delete(this);
    this.blocks.remove();
    this.root.remove();
  }
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

whenChanged(() => all.forEach((one) => one.isSeen && one.ask()));
