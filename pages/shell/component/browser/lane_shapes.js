// The shapes of a head's line at a word: a bar, and beside it an arrow of one of three sizes. The key draws the same
// shapes.

// Pixels: a line, the same on a narrow screen, the widest bar.
const [HIGH, LOW, BAR] = [60, 36, 15];
// For no push, a weak, a clear and a strong one: the length of the arrow as a share of its line; the width of an arrow
// as a share of that of a bar, and the same if there is little room.
const LONG = [0, 0.32, 0.6, 0.94];
const WIDE = [0, 0.8, 1.15, 1.6];
const SLIM = [0, 0.6, 0.8, 1];
// Type of names; the colours of both directions, which differ from that of the bars.
export const NAME = 15;
export const [UP, DOWN] = [2, 0];
// Pixels: how far the line of a former weight reaches beyond its bar; the length and the height of a mark's waves.
export const BEYOND = 3;
const [LONG_WAVE, HIGH_WAVE] = [6, 3];

export const heightOf = ({ isWide }, large) => (isWide ? HIGH : LOW) * large;

export const barOf = ({ columns }, large) => Math.min(BAR * large, columns[0].width / 2 - 2);

export const box = (x, y, wide, high) =>
  `M${x.toFixed(2)},${y.toFixed(2)}h${wide.toFixed(2)}v${high.toFixed(2)}h${(-wide).toFixed(2)}Z`;

export const wideOf = (line, large, size) => barOf(line, large) * (line.isWide ? WIDE : SLIM)[size];

export const longOf = (line, large, size) => LONG[size] * heightOf(line, large);

// An arrow of one of the sizes around a point, upwards or, for a negative sign, downwards.
export function push(line, large, x, y, size, sign) {
  return arrow(x, y, wideOf(line, large, size), sign * longOf(line, large, size));
}

// Its tip is half as high as it is wide.
function arrow(x, y, wide, long) {
  const [tip, end] = [y - long / 2, y + long / 2];
  const neck = tip + Math.sign(long) * Math.min(Math.abs(long) / 2, wide * 0.6);
  const points = [
    [x, tip],
    [x + wide / 2, neck],
    [x + wide / 4, neck],
    [x + wide / 4, end],
    [x - wide / 4, end],
    [x - wide / 4, neck],
    [x - wide / 2, neck],
  ];
  return `M${points.map((point) => point.map((one) => one.toFixed(2)).join(",")).join("L")}Z`;
}

// A wavy line from a point, of at most the given length.
export function wave(x, y, long, large) {
  const [step, high] = [LONG_WAVE * large, HIGH_WAVE * large];
  const waves = Math.max(1, Math.floor(long / (2 * step)));
  return (
    `M${x.toFixed(2)},${y.toFixed(2)}` + `q${step / 2},${-high} ${step},0 q${step / 2},${high} ${step},0`.repeat(waves)
  );
}
