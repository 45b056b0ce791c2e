// The series of a light chart as shapes: bars, lines with bands, dots with error bars. chart: its axes, its box and its
// scene.

// Pixels of a dot; the share of its place that a group of bars takes.
const [DOT, WIDE] = [4.5, 0.8];

// All bars of a series as one shape. Named places have the bars of several series side by side; otherwise bars touch.
export function bars(chart, { x, y }, at, fill, inside, [place, count]) {
  const bottom = chart.box.y + chart.box.height;
  // On an axis with a zero, bars start there, upwards or downwards.
  const ground = chart.y.sees(0) ? chart.y.at(0) : bottom;
  const half = x.length > 1 ? (x[1] - x[0]) / 2 : 0.5;
  const isGrouped = Boolean(chart.sent.chart.x.names);
  const wide = (2 * half * WIDE) / count;
  const from = (one) => chart.x.at(isGrouped ? one + (place - count / 2) * wide : one - half).toFixed(1);
  const to = (one) => chart.x.at(isGrouped ? one + (place + 1 - count / 2) * wide : one + half).toFixed(1);
  const steps = Array.from(x, (one, index) => {
    const down = isGrouped ? `V${ground}` : "";
    return `H${from(one)}V${chart.y.at(y[index]).toFixed(1)}H${to(one)}${down}`;
  });
  const d = `M${from(x[0])},${ground}${steps.join("")}V${ground}Z`;
  // Touching bars may lie over another series, so they have an edge.
  const look = isGrouped ? { class: "att-bars", fill } : { class: "att-bars att-overlaid", fill, stroke: fill };
  chart.scene.put(`bars ${at}`, "path", { ...look, d }, inside);
}

export function line(chart, { x, y, style, low, high }, at, stroke, inside, large) {
  const along = (each) =>
    Array.from(x, (one, index) => `${chart.x.at(one).toFixed(1)},${chart.y.at(each[index]).toFixed(1)}`);
  const points = along(y);
  if (low) {
    const around = `M${[...along(low), ...along(high).reverse()].join("L")}Z`;
    chart.scene.put(`band ${at}`, "path", { class: "att-band", fill: stroke, d: around }, inside);
  }
  // A value that is not a number leaves a gap.
  const d = points
    .join(" ")
    .split(/(?:\S*NaN\S* ?)+/)
    .map((piece) => piece.trim())
    .filter(Boolean)
    .map((piece) => `M${piece.replaceAll(" ", "L")}`)
    .join("");
  const isThin = style === "theory";
  const wide = { theory: 1.5, thin: 1, faint: 1 }[style] ?? 2.5;
  const look = { class: style === "faint" ? "att-line att-faint" : "att-line", stroke, "stroke-width": wide * large };
  chart.scene.put(`line ${at}`, "path", { ...look, "stroke-dasharray": isThin ? "6 4" : null, d }, inside);
}

export function dots(chart, { x, y, low, high }, at, colour, large) {
  const seen = [...x.keys()].filter((index) => chart.x.sees(x[index]) && chart.y.sees(y[index]));
  const size = DOT * large;
  seen.forEach((index) => {
    const [across, up] = [chart.x.at(x[index]), chart.y.at(y[index])];
    if (low) {
      const ends = [low, high].map((each) => Math.min(Math.max(chart.y.at(each[index]), chart.box.y), chart.y.from));
      const d = `M${across - size},${ends[0]}h${2 * size}M${across},${ends[0]}V${ends[1]}M${across - size},${ends[1]}h${2 * size}`;
      chart.scene.put(`error ${at} ${index}`, "path", { class: "att-error", stroke: colour, d });
    }
    const place = { class: "att-dot", cx: across, cy: up, r: size, fill: colour };
    chart.scene.put(`dot ${at} ${index}`, "circle", place);
  });
}
