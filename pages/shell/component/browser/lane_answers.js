// All right answers of the sentence, below the lines of the heads, each as a bar at its word: its probability, and a
// line at the former one. One look shows the gain of one answer and the cost to the others.

import { BEYOND, NAME, barOf, box, heightOf } from "./lane_shapes.js";

// Pixels between two bars of a word, and the same if words are near each other; type of the mark of a lost answer, and
// of the words above the line, if there is little room.
const [BETWEEN, CLOSE, MARK, SMALL] = [3, 1, 13, 12];
// The least change of a probability that counts as more or less likely.
const MOVED = 0.01;

export function laneAnswers(draws) {
  const { scene, parent, line, large, at, sent, labels } = draws;
  if (!sent.answers?.some((found) => found.length)) return;
  const high = heightOf(line, large);
  const size = (line.isWide ? NAME : SMALL) * large;
  at.y += size;
  const [top, bottom] = [at.y, at.y + high];
  const name = { class: "att-line-name", x: line.left, y: top - 4 * large, "font-size": size };
  scene.put("lane answers", "text", { ...name, "text-anchor": "start" }, parent, labels.answers_alone);
  const right = line.columns.at(-1).middle + line.columns.at(-1).width / 2;
  scene.put("floor answers", "path", { class: "att-zero", d: `M${line.left},${bottom}H${right}` }, parent);
  const tall = (share) => Math.min(share, 1) * high;
  const paths = { frames: "", asked: "", right: "", wrong: "", before: "" };
  sent.answers.forEach((found, to) => {
    placed(line, large, to, found.length).forEach(([x, wide], of) => {
      const one = found[of];
      paths[one.isAsked ? "asked" : "frames"] += box(x, top, wide, high);
      // A bar of height 0 holds the place of the other verdict, so that both grow from the floor.
      for (const kind of ["right", "wrong"]) {
        const long = one.isRight === (kind === "right") ? tall(one.now) : 0;
        paths[kind] += box(x, bottom - long, wide, long);
      }
      if (Math.abs(one.now - one.then) >= MOVED)
        paths.before += `M${x - BEYOND},${bottom - tall(one.then)}h${wide + 2 * BEYOND}`;
      const between = betweenOf(line);
      const place = { x: x - between / 2, y: top, width: wide + between, height: high };
      const field = scene.put(`answer ${to} ${of}`, "rect", { class: "att-lane-field", ...place }, parent);
      scene.put(`answer tells ${to} ${of}`, "title", {}, field, labels.answered[to][of]);
      if (!one.isLost) return;
      const mark = { class: "att-lane-mark", x: x + wide / 2, y: top + MARK * large, "font-size": MARK * large };
      scene.put(`lost ${to} ${of}`, "text", mark, parent, "✗");
    });
  });
  const looks = {
    frames: "att-share-frame",
    right: "att-lane-answer att-right",
    wrong: "att-lane-answer",
    asked: "att-lane-asked",
    before: "att-lane-before",
  };
  for (const [kind, look] of Object.entries(looks))
    scene.put(`answers ${kind}`, "path", { class: look, d: paths[kind] }, parent);
  at.y = bottom + NAME * large;
}

const betweenOf = ({ isWide }) => (isWide ? BETWEEN : CLOSE);

// The left end and the width of each bar of a word: a single bar stands below those of the heads.
function placed(line, large, to, count) {
  const [{ middle, width }, bar] = [line.columns[to], barOf(line, large)];
  const between = betweenOf(line);
  const wide = count > 1 ? Math.min(bar, (width - 2 * between) / count - between) : bar;
  const whole = count * wide + (count - 1) * between;
  const left = count > 1 ? middle - whole / 2 : middle - bar - 1;
  return Array.from({ length: count }, (_, of) => [left + of * (wide + between), wide]);
}
