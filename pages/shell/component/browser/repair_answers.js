// The answers of the layer to the questions of one sentence, one line for each stage: right words are filled, wrong
// ones struck out.

import { chip } from "./sharing_answers.js";
import { broken } from "./text.js";

// Pixels: a line, the names beside the lines, a column, the count at the end of a line; at most, if the width allows.
const LINE = 36;
const COLUMNS = { names: 120, column: 150, count: 110 };

// x, y: the upper left corner. Returns the lower end.
export function answers(scene, { labels, repair }, { x, y, width, type, large, font }) {
  const text = (name, said, attributes) =>
    scene.put(name, "text", { "aria-hidden": "true", ...attributes }, scene.root, said);
  const said = broken(labels.answered, width, type, font, 600);
  said.forEach((part, at) =>
    text(`answered ${at}`, part, { x: x + 1, y: y + (1 + 1.3 * at) * type, class: "att-stage" }),
  );
  const top = y + (0.5 + 1.3 * said.length) * type;
  const asked = labels.questions.length;
  const whole = COLUMNS.names + asked * COLUMNS.column + COLUMNS.count;
  const unit = Math.min(large, width / whole);
  const [names, column, count] = Object.values(COLUMNS).map((one) => one * unit);
  const line = LINE * large;
  const first = top + 1.9 * type;
  labels.questions.forEach((question, at) => {
    const middle = x + names + (at + 0.5) * column;
    text(`question ${at}`, question, { x: middle, y: top + 1.4 * type, "text-anchor": "middle" });
    labels.answers.forEach((of, stage) => {
      const place = { x: middle, y: first + (stage + 0.5) * line, most: column - 10 * unit, type, large, font };
      chip(scene, `${stage} ${at}`, of[at], repair.right[stage][at], place);
    });
  });
  const end = { x: x + names + asked * column + count / 2, "text-anchor": "middle" };
  text("here", labels.here, { ...end, y: top + 1.4 * type });
  labels.counts.forEach((counted, stage) => {
    const middle = first + (stage + 0.5) * line + 0.35 * type;
    text(`short ${stage}`, labels.short[stage], { x: x + 1, y: middle });
    text(`count ${stage}`, counted, { class: "att-written", ...end, y: middle });
  });
  return first + labels.answers.length * line + 0.5 * type;
}
