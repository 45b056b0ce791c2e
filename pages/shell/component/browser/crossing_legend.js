// The legend of the arcs between two texts: a sample of each kind with its words, beside the picture or below columns.
// Colours are those of heads: beside the picture each head has its name, and of how many words it finds the right one,
// with the number of all together; below columns its number.

import { widthOf } from "./text.js";

// Pixels: type, a line, a sample and its height, a numbered sample, the gap to its words, the room beside the last
// word, the gap between two entries, the room of the button at the end of a line, and the room above the legend beside
// the picture.
const [TYPE, LINE, SAMPLE, HIGH, NUMBERED, BETWEEN, ROOM, APART, BUTTON, ABOVE] = [
  13, 21, 24, 7, 15, 7, 134, 14, 52, 8,
];
// The most heads whose colours share a sample.
const HEADS = 4;
// Kinds that are drawn as a line.
const LINES = { around: "att-arc-around", lost: "att-lost-line" };

// The entries of the legend, without kinds that do not occur: the right words of some texts are unknown. heads: those
// whose colours are in the sample; none for a text alone.
function entries({ labels, crossing: { meant, around, asks, lost } }, isAcross) {
  const every = asks.slice(0, HEADS).map((_, head) => head);
  const isFew = asks.length <= HEADS;
  const ofHeads = labels.finds.map((said, head) => ({ kind: `head ${head}`, said, heads: [head] }));
  const ofAll = ["finds_right", "clear"].map((kind) => ({ kind, said: labels[kind], heads: [], isAlone: true }));
  const together = asks.length > 1 ? [{ kind: "together", said: labels.together, heads: [] }] : [];
  const right =
    isAcross && isFew && labels.finds.length
      ? [...ofAll, ...ofHeads, ...together]
      : [{ kind: "right", said: labels.right, heads: every, isNumbered: isFew && asks.length > 1 }];
  const elsewhere = { kind: "elsewhere", said: labels.elsewhere, heads: every };
  const from = { kind: "around", said: labels.around, heads: [] };
  const notFound = { kind: "lost", said: labels.lost, heads: [] };
  return [
    ...(meant >= 0 ? [...right, elsewhere] : []),
    ...(around.some((to) => to >= 0) ? [from] : []),
    ...(lost.some(Boolean) ? [notFound] : []),
  ];
}

const sampleOf = ({ isAlone, heads, isNumbered }) =>
  isAlone ? 0 : (isNumbered ? heads.length * NUMBERED : SAMPLE) + BETWEEN;

// The box of the legend, with the places of its entries. from: its left end beside the picture; foot: the lower end of
// columns.
export function legendBox(sent, { isAcross, width, colours, from, foot }) {
  const { large, font } = colours;
  const room = width - BUTTON * large;
  let [x, line, wide] = [0, 0, 0];
  const placed = entries(sent, isAcross).map((one, at) => {
    const long = sampleOf(one) * large + widthOf(one.said, TYPE * large, font);
    if (at && (isAcross || x + long > room)) [x, line] = [0, line + 1];
    const place = { ...one, x, line };
    wide = Math.max(wide, x + long);
    x += long + APART * large;
    return place;
  });
  const high = placed.length ? (line + 1) * LINE * large : 0;
  return isAcross
    ? // What comes last comes and goes, and moves nothing above it.
      { x: width - ROOM * large, y: from + ABOVE * large, wide, high, placed }
    : { x: 0, y: foot + 4 * large, wide, high, placed };
}

export function drawLegend(scene, svg, box, { large, series }) {
  for (const one of box.placed) {
    const { kind, said, heads, isNumbered } = one;
    const [left, middle] = [box.x + one.x, box.y + (one.line + 0.5) * LINE * large];
    const part = isNumbered ? NUMBERED * large : (SAMPLE * large) / Math.max(heads.length, 1);
    const high = (isNumbered ? NUMBERED : HIGH) * large;
    heads.forEach((head, at) => {
      const place = { x1: left + at * part, x2: left + (at + 1) * part, y1: middle, y2: middle };
      const look = { class: `att-sample att-sample-${kind.split(" ")[0]}`, "stroke-width": high };
      scene.put(`sample ${kind} ${head}`, "line", { ...look, ...place, stroke: series[head % series.length] }, svg);
      if (!isNumbered) return;
      const name = { class: "att-sample-number", x: left + (at + 0.5) * part, y: middle + 0.35 * TYPE * large };
      scene.put(`number ${head}`, "text", { ...name, "font-size": TYPE * large }, svg, String(head + 1));
    });
    if (kind in LINES) {
      const place = { x1: left, x2: left + SAMPLE * large, y1: middle, y2: middle };
      scene.put(`sample ${kind}`, "line", { class: LINES[kind], ...place }, svg);
    }
    const place = { x: left + sampleOf(one) * large, y: middle + 0.35 * TYPE * large, "font-size": TYPE * large };
    scene.put(`legend ${kind}`, "text", { class: "att-line-name att-of-others", ...place }, svg, said);
  }
}
