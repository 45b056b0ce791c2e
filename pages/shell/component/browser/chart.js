// Curves, dots and bars over a common axis, with bands and error bars, read along x with the arrow keys.

import { layoutOf } from "./chart_layout.js";
import { numbers, traces } from "./chart_traces.js";
import { drawn } from "./draw_queue.js";
import { clicked } from "./guess.js";
import { Frame } from "./figure.js";
import { whenShown } from "./opening.js";
import { plainTable } from "./plain_table.js";
import { plotted } from "./svg.js";
import { tall } from "./tall.js";
import { announce, filled, shown } from "./text.js";

const HEIGHT = 340;
const ROWS = 200;
const withoutGhosts = (sent) => ({ ...sent, chart: { ...sent.chart, ghosts: undefined } });
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

  update(given, _, words) {
    // A figure alone has no question above it, whose answers would stand in it.
    const sent = "alone" in document.documentElement.dataset ? withoutGhosts(given) : given;
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
    const places = [...new Set(this.series.flatMap(({ x }) => [...x]))].filter(Number.isFinite).sort((a, b) => a - b);
    const moves = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: places.length - 1 };
    if (event.key === "Escape") this.at = -1;
    else if (event.key in moves) this.at = Math.min(Math.max(moves[event.key], 0), places.length - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (this.at < 0) return window.Plotly?.Fx.unhover(this.canvas);
    const x = places[this.at];
    const there = this.series.flatMap((one) => {
      const index = one.x.indexOf(x);
      return index < 0 || Number.isNaN(one.y[index]) ? [] : [`${one.name} ${value(one, index)}`];
    });
    announce(`${this.sent.chart.x.title} ${named(this.sent.chart.x, x)}: ${there.join("; ")}`);
    window.Plotly?.Fx.hover(this.canvas, [{ curveNumber: 0, xval: x }]);
  }

  fill() {
    const { chart, title } = this.sent;
    const rows = this.series.reduce((sum, { x }) => sum + x.length, 0);
    const cut = rows > ROWS ? ` ${filled(this.words.ui.rows_clipped, { rows: ROWS, all_rows: rows })}` : "";
    const head = [this.words.ui.series, chart.x.title, chart.y.title];
    const lines = this.series.flatMap((one) =>
      Array.from(one.x, (x, index) => [one.name, named(chart.x, x), value(one, index)]),
    );
    this.table.replaceChildren(plainTable(`${title}.${cut}`, head, lines.slice(0, ROWS)));
  }
}

// A place on an axis: its name, or its number.
function named({ ticks, names }, at) {
  return names?.[ticks.indexOf(at)] ?? shown(at);
}

// A point in words, with the ends of its band.
function value({ y, low, high }, index) {
  if (Number.isNaN(y[index])) return "–";
  return low ? `${shown(y[index])} (${shown(low[index])} – ${shown(high[index])})` : shown(y[index]);
}
