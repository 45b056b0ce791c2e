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
// Those that plotly.js did not come for.
const missed = new Set();

export class Chart extends Frame {
  constructor() {
    super();
    this.series = [];
    this.traces = new Map();
    this.hatch.hidden = true;
    // Nothing waits for it (opening.js).
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
    // What was in sight before the page had its heights may be far below.
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

  // Plotly draws again those whose arrays are others: of a series that stays, they are the same.
  tracesOf(one, index, colours) {
    const kept = this.traces.get(index);
    if (kept?.one === one && kept.signature === colours.signature) return kept.made;
    const made = traces(one, index, colours, Boolean(this.sent.chart.x.names));
    this.traces.set(index, { one, signature: colours.signature, made });
    return made;
  }

  // What could not be drawn is drawn with the first that can.
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

  // Until it is asked again.
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

  // As it is now, zoom and all.
  asSvg() {
    return plotted(this.canvas);
  }

  // From one place on the x axis to the next; what stands there is said and shown.
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
