// The places of the words in two orders, each with its output: both orders as lines, or side by side as columns.

// Pixels: a row of cells of an output, the gap between the two orders, a line of words below each other, type. The
// cells of an output in one row, if at most four rows are enough.
const [ROW, BETWEEN, LINE, TYPE, BESIDE] = [13, 74, 34, 16, 8];
// Words below each other: the widest word, the output, and its change.
const [WORD, NARROW, NUMBER] = [78, 52, 62];
// Pixels of the weight on a word: the highest bar of a line, its number below it, and a bar of words below each other.
export const [BAR, SHARE, LOW] = [24, 14, 7];
// Pixels of the dots that show that a word can be dragged.
export const GRIP = 12;

// The number of rows of cells in an output.
export const rowsOf = (features) => (features <= BESIDE ? 1 : features <= 4 * BESIDE ? 2 : 4);

// Both orders as lines. names: pixels of the names on their left, for which the lines move aside.
/** @param {any[]} lines */
export function across([written, moved], features, width, { large, names }) {
  const size = Math.min(written.size, moved.size);
  const high = 1.5 * size;
  const [top, gap] = [4, BETWEEN * large];
  const tall = rowsOf(features) * ROW * large;
  const shares = (BAR + SHARE + 6) * large;
  const below = top + high + tall + shares + 6 * large;
  const second = below + gap;
  const least = Math.min(...[written, moved].flatMap(({ columns }) => columns.map(({ width: room }) => room)));
  const left = Math.max(written.left - 10 * large, names);
  const aside = left + 10 * large - written.left;
  const middle = (line, y) => line.words.map(({ middle: x, width: wide }) => ({ x: x + aside, y, wide, room: least }));
  return {
    isAcross: true,
    hasGrips: moved.columns.every((column, at) => column.width > moved.words[at].width + (18 + GRIP) * large),
    size,
    high,
    width,
    left,
    written: middle(written, top),
    moved: middle(moved, second),
    tall,
    shares,
    height: second + high + tall + shares + 60 * large,
  };
}

export function down(count, features, width, { large }) {
  const [high, step] = [28 * large, LINE * large];
  const [word, strip, number] = [WORD * large, NARROW * large, NUMBER * large];
  const right = width - word - strip - number - 8 * large;
  const column = (x) =>
    Array.from({ length: count }, (_, at) => ({ x: x + word / 2, y: 24 * large + at * step, wide: word, room: word }));
  return {
    isAcross: false,
    hasGrips: true,
    size: TYPE * large,
    high,
    width,
    step,
    right,
    strip,
    tall: Math.min(rowsOf(features) * ROW, LINE - 10 - LOW) * large,
    shares: LOW * large,
    written: column(0),
    moved: column(right),
    height: 50 * large + count * step,
  };
}
