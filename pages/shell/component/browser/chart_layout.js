// Everything around the series of a chart: axes, titles, marks and legend, and the room that each of them needs.

import { escaped, isListed } from "./chart_traces.js";
import { inPicture } from "./guess.js";
import { shown, widthOf } from "./text.js";

// Pixels between two lines of the legend; the type of words and of numbers at an axis.
const GAP = 4;
const [WORDS, NUMBERS] = [14, 12];
// The most letters of a slanted name.
const SLANTED = 12;

export function layoutOf(chart, series, colours, [width, whole]) {
  const { large } = colours;
  const margin = { l: 62 * large, r: 14, t: chart.marks?.length ? 22 * large : 8, b: 50 * large };
  const titled = (title, room) => inLines(title, room, (words) => widthOf(words, WORDS * large, colours.font));
  const more = (lines) => (lines.length - 1) * 17 * large;
  // The room of the upright title is an estimate, because names and legend below the axis depend on the width that is
  // left.
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
    title: { text: lines.map(escaped).join("<br>"), standoff: 6, font: { size: WORDS * large } },
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
    widthOf(text, WORDS * large, colours.font),
  ]);
  const anchors = anchorsOf(spans, across);
  const texts = (chart.marks ?? []).map(({ x, text }, index) => ({
    x: along(x),
    y: 1,
    yref: "paper",
    yanchor: "bottom",
    xanchor: anchors[index],
    showarrow: false,
    text: escaped(text),
    font: { size: WORDS * large },
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
      font: { size: WORDS * large, color: colours.series[colour % colours.series.length] },
    }));
  return {
    width,
    height: whole,
    margin: { ...margin, b: margin.b + legend },
    hovermode: "x unified",
    hoverlabel: { bgcolor: colours.page, font: { color: colours.text, size: WORDS * large } },
    dragmode: false,
    barmode: chart.x.names ? "group" : "overlay",
    bargap: chart.x.names ? 0.3 : 0,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: colours.text, family: colours.font, size: NUMBERS * large },
    showlegend: series.filter(isListed).length > 0 && series.length > 1,
    legend: {
      font: { size: WORDS * large },
      orientation: "h",
      y: -margin.b / upwards,
      yanchor: "top",
      x: 0,
      tracegroupgap: GAP,
    },
    shapes: lines,
    // Answers of a question come first, because a click knows them by their index.
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

// Break a title into lines that fit its axis, because a cut or shrunken title cannot be read. A single word may be
// longer.
export function inLines(title, room, widthOf) {
  return title.split(" ").reduce((lines, word) => {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    return lines.length && widthOf(longer.trim()) <= room ? [...lines.slice(0, -1), longer] : [...lines, word];
  }, []);
}

// On which side of its line the name of each mark stands, from its place and its width in pixels. Two names that would
// overlap stand back to back; a name at the right end of the axis stands on the left of its line.
export function anchorsOf(spans, across = Infinity) {
  const meet = ([here, width], [there, other]) => Math.abs(here - there) < (width + other) / 2 + 4;
  return spans.map((one, index) => {
    const near = spans.findIndex((other, place) => place !== index && meet(one, other));
    if (near < 0) return one[0] + one[1] / 2 > across ? "right" : "center";
    return one[0] < spans[near][0] || (one[0] === spans[near][0] && index < near) ? "right" : "left";
  });
}

// How names stand below an axis, given the room for each, and the height that they need beyond one line. The axis title
// and the legend stand below them.
function below(names, room, large) {
  const lines = broken(names, room / (7.5 * large));
  const tickfont = { size: WORDS * large };
  if (lines)
    return {
      height: (Math.max(...lines.map(({ length }) => length)) - 1) * 17 * large,
      tickfont,
      tickangle: 0,
      ticktext: lines.map((each) => each.map(escaped).join("<br>")),
    };
  // A long vertical name would leave no height for the numbers, so it is cut; the table twin has it whole.
  const cut = names.map((name) => ([...name].length > SLANTED ? `${[...name].slice(0, SLANTED - 1).join("")}…` : name));
  const longest = Math.max(
    ...cut.map((name) => [...name].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 14 : 8) * large, 0)),
  );
  const tickangle = room < 20 * large ? -90 : -45;
  return {
    height: longest * Math.sin((-tickangle / 180) * Math.PI),
    tickfont,
    tickangle,
    ticktext: cut.map(escaped),
  };
}

// Names broken into lines of at most so many letters; null if a word is longer, or a name needs more than four lines.
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

// The height of the legend. Plotly writes its names one after the other, in as many lines as they need.
function legendOf(series, width, { large, font }) {
  if (series.length < 2) return 0;
  let [lines, used] = [1, 0];
  for (const { name } of series) {
    const one = 45 + widthOf(name, WORDS * large, font);
    if (used && used + one > width) [lines, used] = [lines + 1, 0];
    used += one;
  }
  return lines * (20 * large + GAP);
}

const at = (ticks, names) => ({
  tickmode: "array",
  tickvals: ticks,
  ticktext: names?.map(escaped) ?? ticks.map((tick) => shown(tick)),
});

// The step, in powers of ten, between two labels of an axis with room for so many labels.
function apart(numbers, most) {
  const positive = numbers.filter((number) => number > 0);
  const powers = positive.length ? Math.log10(Math.max(...positive) / Math.min(...positive)) : 0;
  return Math.max(1, Math.ceil(powers / Math.max(1, Math.floor(most))));
}

// Ticks at 1, 2 and 5 times the powers of ten, for numbers that span few powers. Plotly would leave the axis nearly
// bare.
function few(numbers) {
  const positive = numbers.filter((number) => number > 0);
  if (!positive.length) return null;
  const [low, high] = [Math.min(...positive), Math.max(...positive)].map(Math.log10);
  if (!(high - low < 2)) return null;
  const powers = Array.from({ length: Math.floor(high) - Math.floor(low) + 2 }, (_, index) => Math.floor(low) + index);
  return powers.flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)));
}
