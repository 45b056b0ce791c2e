// The scores that softmax reads under a remedy, as bars up and down from a line, on one scale in all columns: lines at 10,
// 100 and so on make it known, and in the column of a cap the two that no score goes beyond.

// Pixels: type of numbers.
const NUMBER = 12;

// The room above them, for what they are called and for numbers, where there is any.
const above = ({ type, isSplit }) => (isSplit ? 0.2 : 2.3) * type;
// How high they are with that.
export const highOfScores = (layout) =>
  above(layout) + layout.sizes.scores * (layout.type / 14) + (layout.isSplit ? 0.2 : 0.4) * layout.type;

// draws: scene, sent, write and layout, of a picture of remedies.
export function scores({ scene, sent: { labels, remedies }, write, layout }, line, x, y) {
  const { type, step, large, sizes, isSplit } = layout;
  const [top, high] = [y + above(layout), sizes.scores * (type / 14)];
  const middle = top + high / 2;
  const right = x + remedies.tokens.length * step;
  const put = (name, kind, at) => scene.put(name, "line", { class: kind, x1: x, x2: right, y1: at, y2: at });
  const small = NUMBER * large;
  if (!line && !isSplit) write("scores", labels.scores, { x, y: y + 0.9 * type, class: "att-why att-small" });
  put(`zero ${line}`, "att-base", middle);
  for (const [ten, share] of remedies.tens) {
    const ends = [1, -1].map((side) => middle - (side * share * high) / 2);
    ends.forEach((at, side) => put(`ten ${line} ${ten} ${side}`, "att-ten", at));
    if (!line) write(`ten ${ten}`, ten, { x: right + 3, y: ends[0] + 4, "font-size": small, class: "att-why" });
  }
  const cap = remedies.caps[line];
  if (cap !== null) {
    const ends = [1, -1].map((side) => middle - (side * cap * high) / 2);
    ends.forEach((at, side) => put(`cap ${line} ${side}`, "att-bound", at));
    write("cap said", labels.cap, { x: right + 3, y: ends[0] + 4, "font-size": small });
  }
  // Of the two that softmax tells apart last: their distance decides.
  const told = [...remedies.scores[line]].sort((one, other) => other - one).slice(0, 2);
  remedies.scores[line].forEach((score, at) => {
    const tall = (Math.abs(score) * high) / 2;
    const box = { x: x + (at + 0.3) * step, width: 0.4 * step, y: score > 0 ? middle - tall : middle, height: tall };
    scene.put(`score ${line} ${at}`, "rect", { class: "att-score", ...box });
    if (isSplit || step < 2.4 * small || !told.includes(score)) return;
    const end = score > 0 ? middle - tall : middle;
    const place = { x: x + (at + 0.5) * step, y: end - 0.3 * small, "text-anchor": "middle", "font-size": small };
    write(`written ${line} ${at}`, labels.written[line][at], { ...place, class: "att-share" });
  });
}
