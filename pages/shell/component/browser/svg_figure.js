// A figure that is an SVG of ours, drawn at once: no Plotly, no queue.

import { Frame } from "./figure.js";
import { plainTable } from "./plain_table.js";
import { put } from "./plane.js";
import { copied } from "./svg.js";

export class SvgFigure extends Frame {
  constructor(attributes) {
    super();
    this.hatch.hidden = true;
    this.svg = put(this.canvas, "svg", attributes);
  }

  // Elements of the picture take the keys, each for itself.
  keyedInside() {
    this.plot.removeAttribute("tabindex");
    this.plot.setAttribute("role", "group");
  }

  update(sent, _, words) {
    this.root.drawnFrom = sent;
    this.say(sent, words, { formula: "", ...this.called(sent, words) });
    this.draw();
    this.tabulate();
  }

  // What the figure is, and what the keyboard does in it.
  called({ labels: { kind, keys } }, _) {
    return { kind, keys };
  }

  draw() {
    const due = this.due(JSON.stringify(this.sent?.labels ?? ""));
    if (due) {
      this.picture(due);
      this.pictured = true;
    }
    if (!this.pictured || !this.inSight) return;
    this.place();
    this.root.dataset.drawn = this.sent.stamp;
  }

  picture(_) {}

  // Of the picture, what stands where a hand has put it.
  place() {}

  // The table twin: the names of its columns, and its lines.
  headAndLines() {
    return [[], []];
  }

  asSvg() {
    return copied(this.svg);
  }

  fill() {
    const [head, lines] = this.headAndLines();
    this.table.replaceChildren(plainTable(this.sent.title, head, lines));
  }
}
