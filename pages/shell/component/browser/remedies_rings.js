// Rings in which the reader guesses the end of the soft cap's line; the guess is judged once the line is there.

import { ofSeries } from "./colour.js";
import { answersIn, MARKS } from "./guess.js";
import { pressed } from "./pressed.js";
import { widthOf } from "./text.js";

// Pixels: a ring, the target for a finger around it, and the names at the ends of the lines.
const [RING, REACH, NAMES] = [7, 18, 110];

export function rings(figure) {
  const { scene, svg, layout } = figure;
  const { labels, lengths } = figure.sent;
  const { small, large, font, isNarrow } = layout;
  const stroke = ofSeries(lengths.colours[lengths.of], layout);
  const [x, from] = [lengths.end, lengths.at].map(figure.x);
  const asked = answersIn({ ghosts: lengths.rings });
  asked.forEach(({ height, said, state, sets }, at) => {
    const middle = { cx: x, cy: figure.y(height) };
    const look = { class: `att-guess-ring${state ? " att-guessed" : ""}`, role: "button", tabindex: 0 };
    const told = { "aria-pressed": Boolean(state), "aria-label": `${labels.ends} ${said}` };
    const ring = scene.put(`ring ${at}`, "g", { ...look, ...told }, svg);
    scene.put(`ring hit ${at}`, "circle", { class: "att-hit", ...middle, r: REACH * large }, ring);
    scene.put(`ring drawn ${at}`, "circle", { ...middle, r: RING * large, stroke }, ring);
    pressed(ring, sets);
  });
  if (!asked.length) return;
  const beside = 2 * RING * large;
  const isThere = lengths.at >= lengths.end;
  const free = isThere ? Infinity : x - beside - from - NAMES * large;
  const write = (name, text, y) => {
    const look = { class: "att-share", "text-anchor": "end", "font-size": small };
    if (widthOf(text, small, font, 400) < free) figure.write(name, text, { x: x - beside, y, ...look });
  };
  const chosen = asked.find(({ state }) => state);
  if (chosen) {
    // The words stay clear of the lines that end at the top.
    const lower = (chosen.height > lengths.bounds[1] ? 1.65 : 0.35) * small;
    write("your guess", (MARKS[chosen.state] ?? "") + labels.guessed, figure.y(chosen.height) + lower);
    return;
  }
  const y = figure.y(asked[1].height) + 0.35 * small;
  if (!isNarrow) write("ring asks", labels.asks, y);
  if (free > 0) figure.write("ring ends", labels.ends, { x: x + beside, y, fill: stroke, "font-size": small });
}
