// The places of the words of a sentence: in one line with a column of numbers below each, as large as the width allows,
// or in several lines with the columns below them.

const [LARGEST, SMALLEST, WRAPPED] = [27, 16, 19];
// The least width of a column below a wrapped sentence.
const NARROW = 8;
const LONGEST = 24;
// Pixels beside the columns of a line: names of the lines on the left, their sums on the right.
const [LEFT, RIGHT] = [92, 140];
// Pixels beside words that fill the width.
const ASIDE = 8;
const COLUMN = 40;
const rulers = new Map();

function ruler(font) {
  if (!rulers.has(font)) {
    const context = document.createElement("canvas").getContext("2d");
    context.font = `600 100px ${font}`;
    rulers.set(font, context);
  }
  return rulers.get(font);
}

// The width of a text in type of one pixel.
const lengthOf = (text, font) => ruler(font).measureText(text).width / 100;

export function clip(token, longest = LONGEST) {
  return token.length > longest ? `${token.slice(0, longest - 1)}…` : token;
}

// fills: whether words in one line use the whole width. Returns words, each with its middle, left end, width and line,
// and columns, each with its middle and width.
export function placed(tokens, width, { font, large }, fills = false) {
  const lengths = tokens.map((token) => lengthOf(clip(token), font));
  return inOneLine(lengths, width, large, fills) ?? wrapped(lengths, width, large);
}

function inOneLine(lengths, width, large, fills) {
  const [left, right] = (fills ? [ASIDE, ASIDE] : [LEFT, RIGHT]).map((one) => one * large);
  const room = width - left - right;
  for (let size = LARGEST * large; size >= SMALLEST * large; size -= large) {
    const least = lengths.map((length) => Math.max(length * size + 0.8 * size, COLUMN * large));
    const spare = (room - least.reduce((sum, one) => sum + one, 0)) / lengths.length;
    if (spare < 0) continue;
    let at = left;
    const columns = least.map((one) => {
      const wide = one + spare;
      at += wide;
      return { middle: at - wide / 2, width: wide };
    });
    const words = columns.map(({ middle }, index) => word(middle, lengths[index] * size, 0));
    return { isWide: true, size, left, right: width - right, width, words, columns, lines: 1 };
  }
  return null;
}

function wrapped(lengths, width, large) {
  const size = WRAPPED * large;
  const [words, gap] = [[], 0.9 * size];
  let [line, at] = [0, gap / 2];
  for (const length of lengths) {
    const long = length * size;
    if (at + long + gap / 2 > width && at > gap) [line, at] = [line + 1, gap / 2];
    words.push(word(at + long / 2, long, line));
    at += long + gap;
  }
  // The last name is slanted beyond its column.
  const slant = 26 * large;
  const wide = Math.max(NARROW * large, (width - slant) / lengths.length);
  const columns = lengths.map((_, index) => ({ middle: (index + 0.5) * wide, width: wide }));
  const whole = Math.max(width, wide * lengths.length + slant);
  const longest = Math.max(...lengths) * 14 * large;
  return {
    isWide: false,
    size,
    left: 0,
    right: whole,
    width: whole,
    words,
    columns,
    lines: line + 1,
    slanted: 0.87 * longest + 8,
  };
}

function word(middle, width, line) {
  return { middle, left: middle - width / 2, width, line };
}
