// The wall: every head of a model as a small map, in groups. A click or an arrow key opens one of them.

import { theme } from "./colour.js";
import { make } from "./elements.js";
import { put } from "./figure.js";
import { decoded, paint } from "./pixels.js";

const walls = new Set();
let opened = "";

// Mark the opened head, which changes more often than the maps.
export function choose(id) {
  opened = id;
  walls.forEach((wall) => wall.mark());
}

export class Wall {
  constructor(parent) {
    this.data = null;
    /** @type {(choice: any) => void} */
    this.ask = () => {};
    this.root = make("div", "att-wall", parent);
    this.root.setAttribute("role", "radiogroup");
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.root.addEventListener("click", (event) => this.take(event.target.closest("[role=radio]")));
    walls.add(this);
  }

  update(words) {
    if (!words) return;
    const sent = this.data.wall;
    this.root.setAttribute("aria-label", sent.title);
    const colours = theme(this.root);
    const wanted = [sent.stamp, colours.signature].join();
    if (wanted !== this.drawn) {
      this.drawn = wanted;
      this.draw(sent, colours);
      this.root.dataset.drawn = sent.stamp;
    }
    this.mark();
  }

  draw(sent, colours) {
    const shades = decoded(sent.shades);
    const [side] = sent.shape;
    let at = 0;
    this.root.replaceChildren(
      ...sent.groups.map(({ title, text, heads }) => {
        const group = make("div", "att-wall-group");
        put(make("h4", "", group), title);
        put(make("p", "", group), text);
        const maps = make("div", "att-wall-maps", group);
        for (const { id, name, label, number } of heads) {
          const tile = make("div", "att-wall-head", maps);
          tile.setAttribute("role", "radio");
          tile.setAttribute("aria-label", label);
          Object.assign(tile, { title: label, tabIndex: -1 });
          tile.dataset.head = id;
          paint(
            make("canvas", "", tile),
            [shades.subarray(at * side * side, (at + 1) * side * side)],
            side,
            side,
            "probability",
            colours,
          );
          put(make("span", "", tile), name);
          put(make("b", "", tile), number);
          at += 1;
        }
        return group;
      }),
    );
  }

  get heads() {
    return [...this.root.querySelectorAll("[role=radio]")];
  }

  mark() {
    const { heads } = this;
    const reached = heads.find((head) => head.dataset.head === opened) ?? heads[0];
    for (const head of heads) {
      head.setAttribute("aria-checked", head.dataset.head === opened);
      head.tabIndex = head === reached ? 0 : -1;
    }
  }

  take(head) {
    if (!head) return;
    choose(head.dataset.head);
    this.ask({ head: head.dataset.head });
  }

  key(event) {
    const { heads } = this;
    const at = heads.indexOf(event.target);
    const ways = {
      ArrowLeft: () => at - 1,
      ArrowRight: () => at + 1,
      ArrowUp: () => nearest(heads, at, -1),
      ArrowDown: () => nearest(heads, at, 1),
      Home: () => 0,
      End: () => heads.length - 1,
    };
    const way = ways[event.key];
    if (at < 0 || (!way && event.key !== " " && event.key !== "Enter")) return;
    event.preventDefault();
    event.stopPropagation();
    if (!way) return this.take(heads[at]);
    const to = way();
    const next = heads[(to + heads.length) % heads.length];
    heads[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  remove() {
    walls.delete(this);
    this.root.remove();
  }
}

// The nearest head in the row above (-1) or below (1); the same head if there is no such row.
function nearest(heads, at, down) {
  const boxes = heads.map((head) => head.getBoundingClientRect());
  const { left, top } = boxes[at];
  const further = boxes
    .map((box, to) => [(box.top - top) * down, Math.abs(box.left - left), to])
    .filter(([away]) => away > 1);
  return further.sort((a, b) => a[0] - b[0] || a[1] - b[1])[0]?.[2] ?? at;
}
