// Curves, dots and bars over a common axis, with bands and error bars, read along x with the arrow keys.

import { layoutOf } from "./chart_layout.js";
import { named, placesOf, tableOf, there, walked } from "./chart_reading.js";
import { numbers, traces } from "./chart_traces.js";
import { drawn } from "./draw_queue.js";
import { clicked } from "./guess.js";
import { Frame } from "./figure.js";
import { whenShown } from "./opening.js";
import { plotted } from "./svg.js";
import { tall } from "./tall.js";
import { announce } from "./text.js";

const HEIGHT = 340;
// Charts that could not be drawn because plotly.js did not load.
const missed = new Set();

export class Chart extends Frame {
  constructor() {
    super();
    this.series = [];
    this.traces = new Map();
    this.hatch.hidden = true;
    // A chart does not delay the opening of the page (opening.js).
    this.root.dataset.late = "";
    this.plot.addEventListener("keydown", (event) => this.key(event));
  }

  update(sent, _, words) {
    if (this.sent?.stamp !== sent.stamp) {
      const known = new Map(this.series.map((one) => [one.key, one]));
      this.series = sent.chart.series.map((one) => {
        const key = JSON.stringify(one);
        return known.get(key) ?? { ...one, ...numbers(one), key };
      });
      this.at = -1;
    }
    this.say(sent, words, { formula: "", kind: words.ui.chart, keys: words.ui.chart_keys });
    this.draw();
    this.tabulate();
  }

  draw() {
    const height = Math.round(HEIGHT * tall());
    this.canvas.style.height = `${height}px`;
    whenShown.then(() => this.drawIn(height));
  }

  drawIn(height) {
    // A chart that was in sight before the page had its heights may be far below now.
    const due = this.due(height);
    if (!due) return;
    const { width, colours } = due;
    const { stamp, chart } = this.sent;
    const make = () => [
      this.series.flatMap((one, index) => this.tracesOf(one, index, colours)),
      layoutOf(chart, this.series, colours, [width, height]),
      { displayModeBar: false },
    ];
    drawn(this.canvas, () => this.sent.stamp === stamp, make).then(
      (isDrawn) => {
        if (isDrawn) this.succeed(stamp);
      },
      () => this.fail(this.words.ui.failed),
    );
  }

  // Plotly draws traces again if their arrays differ, so an unchanged series keeps its arrays.
  tracesOf(one, index, colours) {
    const kept = this.traces.get(index);
    if (kept?.one === one && kept.signature === colours.signature) return kept.made;
    const made = traces(one, index, colours, Boolean(this.sent.chart.x.names));
    this.traces.set(index, { one, signature: colours.signature, made });
    return made;
  }

  // When one chart can be drawn after all, draw the others that failed.
  succeed(stamp) {
    this.root.dataset.drawn = stamp;
    delete this.root.dataset.missed;
    clicked(this.canvas, () => this.sent.chart.ghosts);
    this.legend.textContent = "";
    this.menu.only = null;
    missed.delete(this);
    const others = [...missed];
    missed.clear();
    others.forEach((chart) => chart.draw());
  }

  // Show the message until the chart is requested again.
  fail(message) {
    this.drawn = null;
    this.root.dataset.missed = "";
    this.legend.textContent = message;
    this.menu.only = "table";
    this.tabulate(true);
    missed.add(this);
  }

  remove() {
    missed.delete(this);
    window.Plotly?.purge(this.canvas);
    super.remove();
  }

  // The chart as it is now, zoom included.
  asSvg() {
    return plotted(this.canvas);
  }

  // Move along the x axis by key; the values at the new place are announced and shown.
  key(event) {
    const places = placesOf(this.series);
    const at = walked(event.key, this.at, places);
    if (at === null) return;
    this.at = at;
    event.preventDefault();
    event.stopPropagation();
    if (at < 0) return window.Plotly?.Fx.unhover(this.canvas);
    const x = places[at];
    announce(`${this.sent.chart.x.title} ${named(this.sent.chart.x, x)}: ${there(this.series, x).join("; ")}`);
    window.Plotly?.Fx.hover(this.canvas, [{ curveNumber: 0, xval: x }]);
  }

  fill() {
    this.table.replaceChildren(tableOf(this.sent, this.series, this.words));
  }
}
