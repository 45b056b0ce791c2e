// Curves, dots and bars over a common axis, with bands and error bars, read along x with the arrow keys.

import { drawn } from "./draw_queue.js";
import { clicked, inPicture } from "./guess.js";
import { Frame } from "./figure.js";
import { whenShown } from "./opening.js";
import { plainTable } from "./plain_table.js";
import { plotted } from "./svg.js";
import { tall } from "./tall.js";
import { announce, filled, shown, widthOf } from "./text.js";

const HEIGHT = 340;
const ROWS = 200;
// Pixels between two lines of the legend.
const GAP = 4;
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash"];
const withoutGhosts = (sent) => ({ ...sent, chart: { ...sent.chart, ghosts: undefined } });
// Those that plotly.js did not come for.
const missed = new Set();
const SYMBOLS = ["circle", "diamond", "square", "cross", "triangle-up"];

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
    const made = traces(one, index, colours);
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

// Whether the legend names it: what is said in the picture is not said again.
const isListed = ({ said, unlisted }) => !said && !unlisted;

// A place on an axis: its name, or its number.
function named({ ticks, names }, at) {
  return names?.[ticks.indexOf(at)] ?? shown(at);
}

// A point in words, with the ends of its band.
function value({ y, low, high }, index) {
  if (Number.isNaN(y[index])) return "–";
  return low ? `${shown(y[index])} (${shown(low[index])} – ${shown(high[index])})` : shown(y[index]);
}

function numbers(one) {
  const read = (text) =>
    text === undefined ? undefined : new Float32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  return { x: read(one.x), y: read(one.y), low: read(one.low), high: read(one.high) };
}

function traces(one, index, colours) {
  const colour = colours.series[one.colour % colours.series.length];
  const { x, y, low, high, style } = one;
  const name = escaped(one.name);
  const { large } = colours;
  const trace = {
    x,
    y,
    name,
    legendgroup: String(index),
    showlegend: isListed(one),
    type: "scatter",
    customdata: Array.from(y, (number) => shown(number, 4)),
    hovertemplate: "%{customdata}",
  };
  if (style === "bars") return [{ ...trace, type: "bar", marker: { color: colour }, opacity: 0.6 }];
  if (style === "dots") {
    const bars = low && {
      type: "data",
      symmetric: false,
      array: high.map((end, at) => end - y[at]),
      arrayminus: low.map((end, at) => y[at] - end),
      thickness: 1.5 * large,
      width: 3 * large,
    };
    const marker = { color: colour, size: 8 * large, symbol: SYMBOLS[one.colour % SYMBOLS.length] };
    return [{ ...trace, mode: "markers", marker, ...(bars ? { error_y: { ...bars, color: colour } } : {}) }];
  }
  const line = {
    color: colour,
    width: large * (style === "theory" ? 1.5 : 2.5),
    dash: style === "theory" ? "dash" : DASHES[one.dash % DASHES.length],
  };
  const curve = { ...trace, mode: x.length < 2 ? "markers" : "lines", line, marker: { color: colour } };
  if (!low) return [curve];
  const edge = {
    x,
    type: "scatter",
    mode: "lines",
    line: { width: 0 },
    legendgroup: String(index),
    showlegend: false,
    hoverinfo: "skip",
  };
  return [{ ...edge, y: low }, { ...edge, y: high, fill: "tonexty", fillcolor: see_through(colour) }, curve];
}

function see_through(colour) {
  return `color-mix(in srgb, ${colour} 22%, transparent)`.replace(
    /color-mix\(in srgb, #(\w{2})(\w{2})(\w{2}) 22%, transparent\)/,
    (_, ...parts) =>
      `rgba(${parts
        .slice(0, 3)
        .map((part) => parseInt(part, 16))
        .join(",")},0.22)`,
  );
}

function layoutOf(chart, series, colours, [width, whole]) {
  const { large } = colours;
  const margin = { l: 62 * large, r: 14, t: chart.marks?.length ? 20 * large : 8, b: 48 * large };
  const titled = (title, room) => inLines(title, room, (words) => widthOf(words, 12 * large, colours.font));
  const more = (lines) => (lines.length - 1) * 15 * large;
  // As high as the axis is but for the names and the legend below it, which depend on the width that is left.
  const upright = titled(chart.y.title, 0.7 * (whole - margin.t - margin.b));
  margin.l += more(upright);
  const level = titled(chart.x.title, width - margin.l - margin.r);
  margin.b += more(level);
  const { height, ...named } = chart.x.names
    ? below(chart.x.names, (width - margin.l - margin.r) / chart.x.names.length, large)
    : { height: 0 };
  margin.b += height;
  const legend = legendOf(series.filter(isListed), width - margin.l - margin.r, colours);
  const [across, upwards] = [width - margin.l - margin.r, whole - margin.t - margin.b - legend];
  const axis = ({ log, range, ticks, names }, lines, numbers, room) => ({
    title: { text: lines.map(escaped).join("<br>"), standoff: 6, font: { size: 12 * large } },
    type: log ? "log" : "linear",
    gridcolor: colours.grid,
    zerolinecolor: colours.grid,
    ...((ticks ?? (log && few(range ?? numbers)))
      ? at(ticks ?? few(range ?? numbers), names)
      : log
        ? { dtick: apart(numbers, room / (20 * large)), exponentformat: "power" }
        : {
            exponentformat: numbers.some((number) => Math.abs(number) >= 1e-3) ? "none" : "power",
            separatethousands: true,
          }),
    ...(range
      ? { range: log ? range.map(Math.log10) : range }
      : { autorange: true, ...(series.length ? {} : { rangemode: "nonnegative" }) }),
  });
  const lines = (chart.marks ?? []).map(({ x }) => ({
    type: "line",
    x0: x,
    x1: x,
    y0: 0,
    y1: 1,
    yref: "paper",
    line: { color: colours.text, width: 1.5 * large, dash: "dot" },
  }));
  const along = (x) => (chart.x.log ? Math.log10(x) : x);
  const ends = (chart.x.range ?? series.flatMap(({ x }) => [...x])).map(along);
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  const spans = (chart.marks ?? []).map(({ x, text }) => [
    (across * (along(x) - first)) / (last - first),
    widthOf(text, 11 * large, colours.font),
  ]);
  const anchors = anchorsOf(spans);
  const texts = (chart.marks ?? []).map(({ x, text }, index) => ({
    x: along(x),
    y: 1,
    yref: "paper",
    yanchor: "bottom",
    xanchor: anchors[index],
    showarrow: false,
    text: escaped(text),
    font: { size: 11 * large },
  }));
  const onLines = series
    .filter(({ said }) => said)
    .map(({ said, colour }) => ({
      x: along(said.x),
      y: chart.y.log ? Math.log10(said.y) : said.y,
      xanchor: "right",
      yanchor: "bottom",
      showarrow: false,
      text: `<b>${escaped(said.text)}</b>`,
      font: { size: 14 * large, color: colours.series[colour % colours.series.length] },
    }));
  return {
    width,
    height: whole,
    margin: { ...margin, b: margin.b + legend },
    hovermode: "x unified",
    hoverlabel: { bgcolor: colours.page, font: { color: colours.text } },
    dragmode: false,
    barmode: chart.x.names ? "group" : "overlay",
    bargap: chart.x.names ? 0.3 : 0,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: colours.text, family: colours.font, size: 12 * large },
    showlegend: series.filter(isListed).length > 0 && series.length > 1,
    legend: { orientation: "h", y: -margin.b / upwards, yanchor: "top", x: 0, tracegroupgap: GAP },
    shapes: lines,
    // Those that answer a question first: a click knows them by their number.
    annotations: [...inPicture(chart, colours), ...texts, ...onLines],
    xaxis: {
      ...axis(
        chart.x,
        level,
        series.flatMap(({ x }) => [...x]),
        across,
      ),
      ...named,
      ...(chart.square ? { constrain: "domain" } : {}),
    },
    yaxis: {
      ...axis(
        chart.y,
        upright,
        series.flatMap(({ y }) => [...y]),
        upwards,
      ),
      ...(chart.square ? { scaleanchor: "x", constrain: "domain" } : {}),
    },
  };
}

// A title in as many lines as its axis has room for: cut or shrunk it would not be read. Only a single word may be longer.
export function inLines(title, room, widthOf) {
  return title.split(" ").reduce((lines, word) => {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    return lines.length && widthOf(longer.trim()) <= room ? [...lines.slice(0, -1), longer] : [...lines, word];
  }, []);
}

// On which side of their lines the names of marks stand, each given by its place and its width in pixels: two that would
// run into each other stand back to back.
export function anchorsOf(spans) {
  const meet = ([here, width], [there, other]) => Math.abs(here - there) < (width + other) / 2 + 4;
  return spans.map((one, index) => {
    const near = spans.findIndex((other, place) => place !== index && meet(one, other));
    if (near < 0) return "center";
    return one[0] < spans[near][0] || (one[0] === spans[near][0] && index < near) ? "right" : "left";
  });
}

// How names stand below an axis with so much room for each, and the height that they need beyond one line: the title and
// the legend stand below them.
function below(names, room, large) {
  const lines = broken(names, room / (6.5 * large));
  if (lines)
    return {
      height: (Math.max(...lines.map(({ length }) => length)) - 1) * 15 * large,
      tickangle: 0,
      ticktext: lines.map((each) => each.map(escaped).join("<br>")),
    };
  const longest = Math.max(
    ...names.map((name) => [...name].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 12 : 7) * large, 0)),
  );
  const tickangle = room < 18 * large ? -90 : -45;
  return { height: longest * Math.sin((-tickangle / 180) * Math.PI), tickangle };
}

// Names in lines of so many letters: beside each other, below each other. null: where a word or four lines are too many.
function broken(names, letters) {
  const all = names.map((name) =>
    name.split(" ").reduce((lines, word) => {
      const last = lines.at(-1);
      return last && last.length + 1 + word.length <= letters
        ? [...lines.slice(0, -1), `${last} ${word}`]
        : [...lines, word];
    }, []),
  );
  return all.every((lines) => lines.length < 5 && lines.every((line) => line.length <= letters)) ? all : null;
}

// The height of the names below the axis, which Plotly writes one after the other, in as many lines as they need.
function legendOf(series, width, { large, font }) {
  if (series.length < 2) return 0;
  let [lines, used] = [1, 0];
  for (const { name } of series) {
    const one = 45 + widthOf(name, 12 * large, font);
    if (used && used + one > width) [lines, used] = [lines + 1, 0];
    used += one;
  }
  return lines * (18 * large + GAP);
}

const at = (ticks, names) => ({
  tickmode: "array",
  tickvals: ticks,
  ticktext: names?.map(escaped) ?? ticks.map((tick) => shown(tick)),
});

// Powers of ten from one label of an axis to the next, where there is room for so many labels.
function apart(numbers, most) {
  const positive = numbers.filter((number) => number > 0);
  const powers = positive.length ? Math.log10(Math.max(...positive) / Math.min(...positive)) : 0;
  return Math.max(1, Math.ceil(powers / Math.max(1, Math.floor(most))));
}

// Where numbers span few powers of ten, 1, 2 and 5 of each: Plotly would leave their axis nearly bare.
function few(numbers) {
  const positive = numbers.filter((number) => number > 0);
  if (!positive.length) return null;
  const [low, high] = [Math.min(...positive), Math.max(...positive)].map(Math.log10);
  if (!(high - low < 2)) return null;
  const powers = Array.from({ length: Math.floor(high) - Math.floor(low) + 2 }, (_, index) => Math.floor(low) + index);
  return powers.flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)));
}

// Plotly reads a subset of HTML in its texts.
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
