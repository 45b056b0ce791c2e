// Other numbers in a heatmap that is drawn already: its cells and its texts change in place, as Plotly would draw them,
// in a fraction of the time. Whatever else is new, Plotly draws.

import { mixed } from "./colour.js";

const frames = new WeakMap();
const stale = new WeakMap();

// All of a heatmap but its numbers, as text; null for another figure.
export function frameOf([traces, layout]) {
  const [cells, texts] = traces ?? [];
  if (cells?.type !== "heatmap") return null;
  const { z, xgap, colorscale } = cells;
  return JSON.stringify([layout, z.length, z[0].length, xgap, colorscale, texts && [texts.x, texts.y, texts.textfont.size]]);
}

// Remember what Plotly has drawn on an element.
export function remember(element, frame) {
  frames.set(element, frame);
  stale.delete(element);
}

// Put the numbers of a figure into the one that is drawn; false where that is not enough.
export function repainted(element, figure, frame) {
  if (!frame || frames.get(element) !== frame) return false;
  const [traces, layout] = figure;
  const [cells, texts] = traces;
  if (!(cells.zmax > cells.zmin)) return false;
  const image = element.querySelector(".heatmaplayer image");
  const nodes = element.querySelectorAll(".scatterlayer .textpoint text");
  if (!image || isZoomed(element, layout) || nodes.length !== (texts?.text.length ?? 0)) return false;
  image.setAttribute("href", picture(element, cells, image));
  nodes.forEach((node, index) => write(node, texts.text[index], texts.textfont.color[index]));
  element.data.forEach((trace, index) => Object.assign(trace, traces[index]));
  if (!stale.has(element)) element.addEventListener("pointerdown", () => redraw(element), { capture: true, once: true });
  stale.set(element, figure);
  // Whoever waits for Plotly's drawing hears of this one.
  element.emit("plotly_afterplot");
  return true;
}

// Before a zoom, which Plotly draws from what it has computed: the numbers that it drew itself last.
function redraw(element) {
  const figure = stale.get(element);
  if (!figure) return;
  const frame = frameOf(figure);
  window.Plotly.react(element, ...figure);
  remember(element, frame);
}

function isZoomed(element, layout) {
  const { xaxis, yaxis } = element._fullLayout;
  return String([...xaxis.range, ...yaxis.range]) !== String([...layout.xaxis.range, ...layout.yaxis.range]);
}

function write(node, text, colour) {
  if (node.textContent !== text) {
    node.textContent = text;
    node.setAttribute("data-unformatted", text);
  }
  node.style.fill = colour;
}

// The cells as an image: cells with gaps between them in pixels of the screen, others one pixel each.
function picture(element, { z, zmin, zmax, xgap, colorscale }, image) {
  const { xaxis, yaxis } = element._fullLayout;
  const [rows, columns] = [z.length, z[0].length];
  const [width, height] = xgap ? ["width", "height"].map((side) => Number(image.getAttribute(side))) : [columns, rows];
  const edges = (axis, count, size) =>
    Array.from({ length: count + 1 }, (_, at) => (xgap ? Math.min(Math.max(Math.round(axis.c2p(at - 0.5)), 0), size) : at));
  const [lefts, tops] = [edges(xaxis, columns, width), edges(yaxis, rows, height)];
  const colours = colorscale.map(([, colour]) => colour);
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  z.forEach((line, row) =>
    line.forEach((value, column) => {
      if (Number.isNaN(value)) return;
      context.fillStyle = `rgb(${mixed(colours, (value - zmin) / (zmax - zmin)).map(Math.round)})`;
      const [left, top] = [lefts[column], tops[row]];
      context.fillRect(left, top, lefts[column + 1] - left - xgap, tops[row + 1] - top - xgap);
    }),
  );
  return canvas.toDataURL("image/png");
}
