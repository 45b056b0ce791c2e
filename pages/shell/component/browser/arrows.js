// Arrows between the tiles of the flow, from the right side of one to the left side of the next.

import { put } from "./plane.js";

// Pixels: the tip of an arrow, and the length along which one lane bends towards another.
const [TIP, JOINS] = [6, 110];

export class Arrows {
  constructor(flow) {
    this.flow = flow;
    this.root = put(document.createElement("div"), "svg", { class: "att-arrows", "aria-hidden": "true" });
    this.edges = [];
    this.tiles = new Map();
    this.isBack = false;
    this.resized = new ResizeObserver(() => this.draw());
    this.resized.observe(flow);
  }

  // edges: pairs of names; tiles: the elements by name; isBack: whether arrows run from the end to the beginning.
  join(edges, tiles, isBack) {
    Object.assign(this, { edges, tiles, isBack });
    // Draw in the next frame, for which the browser lays out the page anyway.
    this.due ??= requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.due = null;
    const found = this.places();
    const wanted = JSON.stringify([this.isBack, found]);
    if (wanted === this.drawn) return;
    this.drawn = wanted;
    this.root.replaceChildren();
    for (const { straight, curved } of found) {
      if (straight) this.straight(...straight);
      else this.curved(...curved);
    }
  }

  // The ends of the arrows. All are measured before one is drawn, because measuring after a change makes the browser
  // lay out the page again for each arrow.
  places() {
    const around = this.flow.getBoundingClientRect();
    if (!around.width || getComputedStyle(this.root).display === "none") return [];
    return this.edges.flatMap(([from, to]) => {
      const [a, b] = [from, to].map((name) => this.tiles.get(name)?.cells.getBoundingClientRect());
      if (!a || !b) return [];
      // One tile stands above the other.
      if (Math.abs(a.left - b.left) < 4) {
        const { top } = this.tiles.get(to).root.getBoundingClientRect();
        return { straight: [a.left + a.width / 2 - around.left, a.bottom - around.top, top - around.top] };
      }
      const [start, height] = [a.right - around.left + 2, a.top + a.height / 2 - around.top];
      return { curved: [start, height, b.left - around.left - 3, this.level(a, b) - around.top] };
    });
  }

  // The height of an arrow between two tiles; if they overlap vertically, the arrow is a straight line.
  level(a, b) {
    const middle = a.top + a.height / 2;
    return middle > b.top && middle < b.bottom && a.height <= b.height ? middle : b.top + b.height / 2;
  }

  curved(x, y, right, end) {
    // The arrow of a lane that joins late is straight until then.
    const start = Math.max(x, right - JOINS);
    const bend = Math.min(40, (right - start) / 2);
    const d =
      y === end
        ? `M${x},${y} L${right},${end}`
        : `M${x},${y} L${start},${y} C${start + bend},${y} ${right - bend},${end} ${right},${end}`;
    put(this.root, "path", { d });
    const tip = this.isBack
      ? `M${x},${y} l${TIP + 2},${-TIP / 1.5} l0,${TIP * 1.33} Z`
      : `M${right},${end} l${-TIP - 2},${-TIP / 1.5} l0,${TIP * 1.33} Z`;
    put(this.root, "path", { class: "att-tip", d: tip });
  }

  straight(x, top, bottom) {
    put(this.root, "path", { d: `M${x},${top} L${x},${bottom}` });
  }

  remove() {
    this.resized.disconnect();
    cancelAnimationFrame(this.due);
  }
}
