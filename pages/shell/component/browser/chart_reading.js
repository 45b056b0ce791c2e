// Read a chart without its picture: by key from one place on its x axis to the next, and as a table.

import { plainTable } from "./plain_table.js";
import { filled, shown } from "./text.js";

const ROWS = 200;

// All places along x that have a value, in order.
export const placesOf = (series) =>
  [...new Set(series.flatMap(({ x }) => [...x]))].filter(Number.isFinite).sort((a, b) => a - b);

// The place to which a key leads; -1 to leave the chart, null if the key means nothing here.
export function walked(key, at, places) {
  const moves = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: places.length - 1 };
  if (key === "Escape") return -1;
  return key in moves ? Math.min(Math.max(moves[key], 0), places.length - 1) : null;
}

// The values of each series at a place.
export const there = (series, x) =>
  series.flatMap((one) => {
    const index = one.x.indexOf(x);
    return index < 0 || Number.isNaN(one.y[index]) ? [] : [`${one.name} ${value(one, index)}`];
  });

export function tableOf({ chart, title }, series, words) {
  const rows = series.reduce((sum, { x }) => sum + x.length, 0);
  const cut = rows > ROWS ? ` ${filled(words.ui.rows_clipped, { rows: ROWS, all_rows: rows })}` : "";
  const head = [words.ui.series, chart.x.title, chart.y.title];
  const lines = series.flatMap((one) =>
    Array.from(one.x, (x, index) => [one.name, named(chart.x, x), value(one, index)]),
  );
  return plainTable(`${title}.${cut}`, head, lines.slice(0, ROWS));
}

// The name of a place on an axis, or its number.
export function named({ ticks, names }, at) {
  return names?.[ticks.indexOf(at)] ?? shown(at);
}

// A point in words, with the ends of its band.
function value({ y, low, high }, index) {
  if (Number.isNaN(y[index])) return "–";
  return low ? `${shown(y[index])} (${shown(low[index])} – ${shown(high[index])})` : shown(y[index]);
}
