// What is in memory of each row of the tile, beside its output so far: the largest score and the sum.

// No number has more letters, so that columns stay where they are.
const WIDEST = "−00.00";

// What the columns are called, and how wide they are with what is between them.
export function columnsOf(labels, type, measure) {
  return [labels.largest, labels.total].map((head) => ({
    head,
    wide: Math.max(measure(head), measure(WIDEST, type, 700)) + 0.9 * type,
  }));
}

export const widthOfKept = (columns) => columns.reduce((sum, { wide }) => sum + wide, 0);

// Those of the row that is followed are strong. place: where the columns begin, and the rows; line: the height of a row.
export function keptBeside({ scene, sent, type }, columns, { x, top, line }) {
  const { running, labels } = sent;
  const write = (name, text, place) => scene.put(name, "text", { "text-anchor": "end", ...place }, undefined, text);
  const [first, last] = running.tile;
  const right = columns.map((_, at) => x + widthOfKept(columns.slice(0, at + 1)));
  columns.forEach(({ head }, at) => write(`head kept ${at}`, head, { x: right[at], y: top - 0.5 * type }));
  if (line < 0.9 * type) return;
  for (let row = first; row < last; row += 1) {
    const kind = row === running.followed.row ? "att-read" : "att-quiet";
    const y = top + (row + 0.5) * line + 0.35 * type;
    labels.written[row]
      .slice(0, 2)
      .forEach((said, at) => write(`kept ${row} ${at}`, said, { x: right[at], y, class: kind }));
  }
}
