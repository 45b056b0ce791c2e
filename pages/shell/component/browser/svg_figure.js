// A figure that is an SVG of ours, drawn at once, without Plotly and without a queue.

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

  // Let each element of the picture take keys by itself.
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

  // The words for what the figure is, and for what the keyboard does in it.
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

  // Place the parts of the picture that a hand has moved.
  place() {}

  // The table twin: the headings of its columns, and its lines.
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
