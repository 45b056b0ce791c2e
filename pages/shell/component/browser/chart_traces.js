// The series of a chart as traces for Plotly.

import { ofSeries } from "./colour.js";
import { shown } from "./text.js";

const DASHES = ["solid", "dash", "dot", "dashdot", "longdash"];
const SYMBOLS = ["circle", "diamond", "square", "cross", "triangle-up"];

// Whether the legend lists a series: not if the picture names it already.
export const isListed = ({ said, unlisted }) => !said && !unlisted;

export function numbers(one) {
  const read = (text) =>
    text === undefined ? undefined : new Float32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  return { x: read(one.x), y: read(one.y), low: read(one.low), high: read(one.high) };
}

// isGrouped: whether bars of several series stand side by side.
export function traces(one, index, colours, isGrouped) {
  const colour = ofSeries(one.colour, colours);
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
  // Draw touching bars as one shape: Plotly would make an element for each bar, anew for each value of a slider.
  if (style === "bars" && !isGrouped && x.length > 1) return [outlined(trace, see_through(colour, 0.6))];
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
  return [{ ...edge, y: low }, { ...edge, y: high, fill: "tonexty", fillcolor: see_through(colour, 0.22) }, curve];
}

// Touching bars as an outline, from the left end of the first to the right end of the last.
function outlined(trace, colour) {
  const { x, y } = trace;
  const ends = [2 * x[0] - x[1], 2 * x.at(-1) - x.at(-2)];
  return {
    ...trace,
    x: [ends[0], ...x, ends[1]],
    y: [0, ...y, 0],
    customdata: ["", ...trace.customdata, ""],
    mode: "lines",
    line: { width: 0, shape: "hvh" },
    fill: "tozeroy",
    fillcolor: colour,
  };
}

function see_through(colour, share) {
  const parts = /^#(\w{2})(\w{2})(\w{2})$/.exec(colour)?.slice(1);
  return parts ? `rgba(${parts.map((part) => parseInt(part, 16)).join(",")},${share})` : colour;
}

// Escape text, since Plotly reads a subset of HTML.
export function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
