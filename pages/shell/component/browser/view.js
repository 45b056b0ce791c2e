// A part of the page whose blocks come from the server by address. Blocks are reused as long as their kind stays the
// same.

import { KINDS } from "./blocks.js";
import { comparing } from "./ghosts.js";
import { leave, place, soon } from "./live.js";
import { outline } from "./outline.js";
import { sayOnce } from "./say_once.js";

// The margin around the screen in which figures count as near, so that they are drawn before they come into sight.
const NEAR = "60%";
const byRoot = new WeakMap();

// Tell views whether they are within a margin of the screen. Nobody knows before the first frame; measuring would make
// the browser lay out the page.
const watching = (name, margin) =>
  new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const view = byRoot.get(target);
        if (!view) continue;
        view[name] = isIntersecting;
        if (isIntersecting) soon();
      }
    },
    { rootMargin: margin, scrollMargin: margin },
  );
const observers = [watching("isNear", NEAR), watching("isInSight", "0px")];

// Blocks below each other.
export class Blocks {
  constructor(parent) {
    this.blocks = [];
    this.root = document.createElement("div");
    this.root.className = "att-view";
    parent.append(this.root);
  }

  draw(blocks) {
    blocks.forEach((block, at) => this.one(block, at));
    this.blocks.splice(blocks.length).forEach((old) => old.remove());
    outline();
    sayOnce();
  }

  one(block, at) {
    if (this.blocks[at]?.kind !== block.kind) {
      const made = new KINDS[block.kind]();
      made.kind = block.kind;
      const old = this.blocks[at];
      if (old) {
        old.root.before(made.root);
        old.remove();
      } else this.root.append(made.root);
      this.blocks[at] = made;
    }
    this.blocks[at].data = block;
    this.blocks[at].update(block);
  }

  // Draw again, with new colours or with words that arrived later.
  redraw() {
    this.blocks.forEach((block) => block.update(block.data));
  }

  remove() {
    this.blocks.forEach((block) => block.remove());
    this.root.remove();
  }
}

export class View extends Blocks {
  constructor(parent, name) {
    super(parent);
    // whenPending: called when the content has to be computed first; in the app, a task of the page computes it.
    /** @type {(() => void) | null} */
    this.whenPending = null;
    Object.assign(this, { name, shown: null, stamp: "", isNear: false, isInSight: null });
    this.settings = null;
    this.change = 0;
    this.root.dataset.view = name;
    byRoot.set(this.root, this);
    observers.forEach((observer) => observer.observe(this.root));
    place(this);
  }

  // key: the screen that the answer belongs to; change: the state before.
  show({ stamp, blocks, pending }, key, change) {
    this.isPending = Boolean(pending);
    if (pending) {
      this.shown = key;
      this.whenPending?.();
      return;
    }
    const wasBefore = this.settings !== null && this.change !== change.count;
    Object.assign(this, { shown: key, settings: key, change: change.count });
    this.root.dataset.shown = stamp;
    this.mark(false);
    if (stamp === this.stamp) return;
    this.stamp = stamp;
    this.root.toggleAttribute("data-held", change.isHeld);
    comparing(change, wasBefore);
    this.draw(blocks);
  }

  mark(isOld) {
    this.root.toggleAttribute("data-old", isOld);
  }

  remove() {
    observers.forEach((observer) => observer.unobserve(this.root));
    leave(this);
    super.remove();
  }
}

// Views below each other. Each has an element with a class of its name, as Streamlit gives to a single view; styles and
// lectures use that name.
export class Views {
  constructor(parent, names) {
    this.root = document.createElement("div");
    this.root.className = "att-views";
    parent.append(this.root);
    this.views = names.map((name) => new View(names.length > 1 ? this.place(name) : this.root, name));
  }

  place(name) {
    const place = document.createElement("div");
    place.className = `st-key-plot-${name.slice(name.indexOf(".") + 1)}`;
    this.root.append(place);
    return place;
  }

  redraw() {
    this.views.forEach((view) => view.redraw());
  }

  remove() {
    this.views.forEach((view) => view.remove());
    this.root.remove();
  }
}
