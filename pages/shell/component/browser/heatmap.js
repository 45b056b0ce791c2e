// A matrix as a Plotly heatmap that is kept: Plotly.react on one element, in the colours of the theme.

import { PRINTED, printed } from "./cell_numbers.js";
import { drawn } from "./draw_queue.js";
import { ROOM } from "./sums.js";
import { tall } from "./tall.js";

const HEIGHT = 300;
// Of the figure that stands beneath the pipeline: what a window has left for it, from the least to the most.
const [ABOVE, LEAST_HEIGHT, MOST_HEIGHT] = [694, 200, 420];
// And its share of the window in a lecture.
const SHARE = 0.42;
// Higher on a wall, so that every row has its name.
const ON_WALL = 1.2;
const ONE_ROW = 130;
const LINE = 13;
// Of the frame around the chosen cell, which is as wide on every screen.
const FRAME = 4;
// Letters of a name that are shown, beside a row and below a column.
const ROW = 14;
const COLUMN = 18;

export class Heatmap {
  constructor(element) {
    this.element = element;
    this.fit(false);
  }

  // inWindow: whether the figure is as high as the window has room for it.
  fit(inWindow) {
    // A lecture brings it into sight between its bars, without what stands above it.
    const left = "lecture" in document.documentElement.dataset ? window.innerHeight * SHARE : window.innerHeight - ABOVE;
    this.height = inWindow ? Math.min(Math.max(left, LEAST_HEIGHT), MOST_HEIGHT) : Math.round(HEIGHT * tall(ON_WALL));
  }

  // What is to be shown: the numbers are read when somebody wants them, drawn or in a table.
  show(sent) {
    this.element.style.height = `${this.heightOf(sent)}px`;
    if (this.sent?.stamp !== sent.stamp || String(this.sent.shape) !== String(sent.shape)) this.numbers = null;
    this.sent = sent;
  }

  heightOf(sent) {
    return sent.shape[0] === 1 ? ONE_ROW : this.height;
  }

  get z() {
    this.numbers ??= decoded(this.sent.z, ...this.sent.shape);
    return this.numbers;
  }

  // False where other numbers have come before it was drawn.
  draw(labels, words, colours, width) {
    const { stamp } = this.sent;
    return drawn(this.element, () => this.sent.stamp === stamp, () => this.figure(labels, words, colours, width));
  }

  figure(labels, words, colours, width) {
    const { sent } = this;
    const [, columns] = sent.shape;
    this.shape = sent.shape;
    const layout = layoutOf(sent, this.marked(sent, labels), words, colours, [width, this.heightOf(sent)]);
    const trace = {
      type: "heatmap",
      z: this.z,
      zmin: sent.range[0],
      zmax: sent.range[1],
      colorscale: spread(colours[sent.kind]),
      showscale: false,
      hoverinfo: "none",
      xgap: columns > PRINTED ? 0 : 1,
      ygap: columns > PRINTED ? 0 : 1,
    };
    const numbers = printed(this.z, sent, layout, colours);
    return [numbers ? [trace, numbers] : [trace], layout, { displayModeBar: false, doubleClick: "reset" }];
  }

  // A query that may attend to nothing shows a row with nothing in it: its label says so.
  marked(sent, { rows, columns }) {
    if (!rows || !("hidden" in sent) || sent.absent) return { rows, columns };
    return { rows: rows.map((name, row) => (this.z[row]?.every(Number.isNaN) ? `∅ ${name}` : name)), columns };
  }

  value(row, column) {
    return this.z[row][column];
  }

  get ready() {
    return Boolean(this.element._fullLayout?.xaxis?.c2p);
  }

  get isZoomed() {
    const { xaxis, yaxis } = this.element._fullLayout;
    const [rows, columns] = this.shape;
    return String([...xaxis.range, ...yaxis.range]) !== String([-0.5, columns - 0.5, rows - 0.5, -0.5]);
  }

  // The rectangle of some rows and columns in pixels of the figure, cut off at the plot's edges (it may be zoomed).
  box([firstRow, lastRow], [firstColumn, lastColumn]) {
    const { xaxis, yaxis, _size: area } = this.element._fullLayout;
    const inside = (value, end) => Math.min(Math.max(value, 0), end);
    const [left, right] = [firstColumn - 0.5, lastColumn + 0.5].map((at) => inside(xaxis.c2p(at), area.w));
    const [top, bottom] = [firstRow - 0.5, lastRow + 0.5].map((at) => inside(yaxis.c2p(at), area.h));
    return { left: area.l + left, top: area.t + top, width: right - left, height: bottom - top };
  }

  // How far all cells stand from the edges of the figure, as CSS has it.
  inset() {
    const { left, top, width, height } = this.box([0, this.shape[0] - 1], [0, this.shape[1] - 1]);
    return `${top}px calc(100% - ${left + width}px) calc(100% - ${top + height}px) ${left}px`;
  }

  // The cell under a point of the page, or null beside the matrix.
  cell(clientX, clientY) {
    if (!this.ready) return null;
    const { xaxis, yaxis, _size: area } = this.element._fullLayout;
    const frame = this.element.getBoundingClientRect();
    const [x, y] = [clientX - frame.left - area.l, clientY - frame.top - area.t];
    if (x < 0 || y < 0 || x > area.w || y > area.h) return null;
    const [row, column] = [Math.round(yaxis.p2c(y)), Math.round(xaxis.p2c(x))];
    return row >= 0 && column >= 0 && row < this.shape[0] && column < this.shape[1] ? { row, column } : null;
  }

  cover(element, wanted) {
    element.hidden = !wanted;
    if (wanted) place(element, this.box([0, this.shape[0] - 1], [0, this.shape[1] - 1]));
  }
}

export function place(element, box) {
  for (const [name, value] of Object.entries(box)) element.style[name] = `${value}px`;
}

export function decoded(text, rows, columns) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const numbers = new Float32Array(bytes.buffer);
  return Array.from({ length: rows }, (_, row) => numbers.subarray(row * columns, (row + 1) * columns));
}

function spread(colours) {
  return colours.map((colour, index) => [index / (colours.length - 1), colour]);
}

function layoutOf(sent, labels, words, colours, [width, height]) {
  const [rows, columns] = sent.shape;
  const { large } = colours;
  const longest = (names, most) => large * letters(names, most);
  const margin = { l: sent.rows ? 40 * large + Math.max(12, longest(labels.rows, ROW)) : 16, r: sent.sums ? ROOM * large : 8, t: 6, b: 38 * large };
  // Names that are wider than their columns are turned, and then need room below.
  const turned = longest(labels.columns, COLUMN) > (width - margin.l - margin.r) / columns;
  if (turned) margin.b += 0.71 * longest(labels.columns, COLUMN);
  const axis = (name, names, count, length, most) => ({
    title: { text: name ? words.axes[name] : "", standoff: 4, font: { size: 11 * large } },
    showgrid: false,
    zeroline: false,
    ticks: "",
    ...(name ? ticks(names, count, length / large, most) : { showticklabels: false }),
  });
  return {
    width,
    height,
    margin,
    uirevision: `${rows}x${columns}`,
    shapes: [...borders(sent, colours), ...frames(sent, colours)],
    hovermode: false,
    dragmode: sent.brush || window.matchMedia("(pointer: coarse)").matches ? false : "zoom",
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: colours.text, family: colours.font, size: 11 * large },
    xaxis: { tickangle: turned ? -45 : 0, ...axis(sent.columns, labels.columns, columns, width - margin.l - margin.r, COLUMN), range: [-0.5, columns - 0.5] },
    // Of a cell at the edge, the frame stands where its name would end.
    yaxis: { ticklabelstandoff: FRAME, ...axis(sent.called ?? sent.rows, labels.rows, rows, height - margin.t - margin.b, ROW), range: [rows - 0.5, -0.5] },
  };
}

// Lines between bands of columns.
function borders({ band, shape: [, columns] }, colours) {
  if (!band) return [];
  const line = { color: colours.text, width: 2 };
  const between = Array.from({ length: Math.ceil(columns / band) - 1 }, (_, index) => (index + 1) * band - 0.5);
  return between.map((x) => ({ type: "line", x0: x, x1: x, yref: "paper", y0: 0, y1: 1, line }));
}

// Frames around single cells, and around a block of them: a line in the colour of the text on one in that of the page, to be seen on any cell.
function frames({ outlined = [], block }, colours) {
  const line = (color, width) => ({ color, width: width * colours.large });
  const frame = ([top, bottom, left, right]) => ({
    type: "rect", x0: left - 0.46, x1: right + 0.46, y0: top - 0.46, y1: bottom + 0.46,
  });
  const cells = outlined.map(([row, column]) => [row, row, column, column]);
  return [...cells, ...(block ? [block.ends] : [])].flatMap((ends) => [
    { ...frame(ends), line: line(colours.page, 4) },
    { ...frame(ends), line: line(colours.text, 2) },
  ]);
}

// What the frame around a cell says of it; nothing where there is none.
export function framedAs({ outlined = [], block }, row, column, words) {
  if (outlined.some(([y, x]) => y === row && x === column)) return words.ui.outlined;
  const [top, bottom, left, right] = block?.ends ?? [];
  return top <= row && row <= bottom && left <= column && column <= right ? block.named : "";
}

// The width of the longest name, about, in pixels.
function letters(names, most) {
  return Math.max(0, ...(names ?? []).map((name) => clip(name, most).length)) * 6.5;
}

// As many labels as have room for a line of text each; what has no names is counted from 1.
function ticks(names, count, length, most) {
  const every = names ? Math.ceil((count * LINE) / length) : Math.ceil(count / 16);
  const tickvals = Array.from({ length: Math.ceil(count / every) }, (_, index) => index * every);
  return { tickmode: "array", tickvals, ticktext: tickvals.map((at) => (names ? escaped(clip(names[at], most)) : String(at + 1))) };
}

function clip(name, most) {
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}

// Plotly reads a subset of HTML in its labels; a token is text.
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
