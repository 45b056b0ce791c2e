// The places of the parts of a heatmap, in pixels: margins, visible cells, and names along its sides.

import { ROOM } from "./sums.js";
import { widthOf } from "./text.js";

// Pixels of type on a desktop screen, and of a line of it.
export const TYPE = 11;
const LINE = 13;
// Pixels between names and cells, for the frame around the chosen cell; the same on every screen.
const APART = 7;
// Pixels between a name and the title of its axis.
const TITLE = 4;
// The most letters of a name beside a row, and below a column.
const ROW = 14;
const COLUMN = 18;
// A name that is turned by 45° is as high as it is wide: its length times this.
const TURN = Math.SQRT1_2;

// seen: the first and the last visible row and column.
export function layoutOf(sent, labels, words, { large, font }, [width, height], seen) {
  const [rows, columns] = [seen.rows, seen.columns].map(([first, last]) => last - first + 1);
  const longest = (names, most) => large * letters(names, most);
  const margin = {
    l: sent.rows ? 40 * large + Math.max(12, longest(labels.rows, ROW)) : 16,
    r: sent.sums ? ROOM * large : 8,
    t: 6,
    b: 38 * large,
  };
  // Names wider than their columns are turned, which takes room below.
  const isTurned = longest(labels.columns, COLUMN) > (width - margin.l - margin.r) / columns;
  if (isTurned) margin.b += TURN * longest(labels.columns, COLUMN);
  for (const side of Object.keys(margin)) margin[side] = Math.round(margin[side]);
  const area = {
    left: margin.l,
    top: margin.t,
    width: Math.max(width - margin.l - margin.r, 1),
    height: Math.max(height - margin.t - margin.b, 1),
  };
  const size = TYPE * large;
  const columnNames = sent.columns ? ticks(labels.columns, seen.columns, area.width / large, COLUMN) : [];
  const rowNames = sent.rows ? ticks(labels.rows, seen.rows, area.height / large, ROW) : [];
  const layout = { width, height, area, rows, columns, seen, size, isTurned, columnNames, rowNames };
  return { ...layout, titles: titles(sent, words, layout, (text) => widthOf(text, size, font)) };
}

// The rectangle of some rows and columns, without the part outside the visible cells.
export function boxOf({ area, rows, columns, seen }, [firstRow, lastRow], [firstColumn, lastColumn]) {
  const along = (at, first, count, length) => (Math.min(Math.max(at - first, 0), count) / count) * length;
  const [left, right] = [firstColumn, lastColumn + 1].map((at) => along(at, seen.columns[0], columns, area.width));
  const [top, bottom] = [firstRow, lastRow + 1].map((at) => along(at, seen.rows[0], rows, area.height));
  return { left: area.left + left, top: area.top + top, width: right - left, height: bottom - top };
}

// The cell at a point of the figure; null outside the cells.
export function cellAt({ area, rows, columns, seen }, x, y) {
  const [across, down] = [(x - area.left) / area.width, (y - area.top) / area.height];
  if (across < 0 || down < 0 || across > 1 || down > 1) return null;
  const at = ([first], share, count) => first + Math.min(Math.floor(share * count), count - 1);
  return { row: at(seen.rows, down, rows), column: at(seen.columns, across, columns) };
}

// Names with the places of their ends: below the columns, and beside the rows.
export function namesOf(layout) {
  const { area, seen, size, isTurned } = layout;
  const columns = layout.columnNames.map(({ at, text }) => {
    const { left, width } = boxOf(layout, seen.rows, [at, at]);
    const x = left + width / 2;
    const y = area.top + area.height + APART + (isTurned ? 0 : 0.75 * size);
    return isTurned
      ? { text, x, y, "text-anchor": "end", transform: `rotate(-45 ${x} ${y}) translate(0 ${0.5 * size})` }
      : { text, x, y, "text-anchor": "middle", transform: "" };
  });
  const rows = layout.rowNames.map(({ at, text }) => {
    const { top, height } = boxOf(layout, [at, at], seen.columns);
    const y = top + height / 2 + 0.36 * size;
    return { text, x: area.left - APART, y, "text-anchor": "end" };
  });
  return { columns, rows };
}

function titles(sent, words, { area, size, isTurned, columnNames, rowNames }, widthIn) {
  const widest = (names) => Math.max(0, ...names.map(({ text }) => widthIn(text)));
  const [x, y] = [area.left + area.width / 2, area.top + area.height / 2];
  const below = isTurned ? TURN * (widest(columnNames) + size) : size;
  const found = [];
  if (sent.columns)
    found.push({
      text: words.axes[sent.titles?.[1] ?? sent.columns],
      x,
      y: area.top + area.height + APART + below + TITLE + 0.75 * size,
      transform: "",
    });
  if (sent.rows) {
    const beside = area.left - APART - widest(rowNames) - TITLE - 0.25 * size;
    const said = sent.titles?.[0] ?? sent.called ?? sent.rows;
    found.push({ text: words.axes[said], x: beside, y, transform: `rotate(-90 ${beside} ${y})` });
  }
  return found;
}

// The approximate width of the longest name, in pixels.
function letters(names, most) {
  return Math.max(0, ...(names ?? []).map((name) => clip(name, most).length)) * 6.5;
}

// The names that have room for a line of text each. Rows and columns without names are counted from 1.
function ticks(names, [first, last], length, most) {
  const count = last - first + 1;
  const every = names ? Math.ceil((count * LINE) / length) : Math.ceil(count / 16);
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => {
    const at = first + index * every;
    return { at, text: names ? clip(names[at], most) : String(at + 1) };
  });
}

function clip(name, most) {
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}
