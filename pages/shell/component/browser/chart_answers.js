// Answers that can be guessed at their places in a light chart. chart: its axes, its box and its scene.

import { MARKS } from "./guess.js";
import { give } from "./give.js";
import { widthOf } from "./text.js";

// Pixels from an answer to its place.
const AWAY = 34;

// From the highest on, each below the one before it; before the highest stands what is asked.
export function answers(chart, all, { type, font, large }) {
  let middle = chart.box.y - type;
  const { asks } = chart.sent.chart;
  [...all]
    .sort((one, other) => other.y - one.y)
    .forEach((one, at) => {
      middle = Math.max(middle + 2.1 * type, chart.y.at(one.y) - 0.6 * AWAY * large);
      const left = answer(chart, one, middle, { type, font, large });
      if (at || !asks) return;
      const place = { x: left - 0.5 * type, y: middle + 0.35 * type, class: "att-asks", "text-anchor": "end" };
      // Lines behind it are not seen through it.
      const wide = widthOf(asks.brief, type, font, 700);
      const plate = { class: "att-plate", x: place.x - wide, y: middle - 0.6 * type, width: wide, height: 1.2 * type };
      chart.scene.put("asks plate", "rect", plate);
      chart.scene.put("asks", "text", place, chart.svg, asks.brief);
    });
}

// An answer that can be guessed: a button with a pointer to its place. Returns where it begins.
function answer(chart, { x, y, text, verdict, sets }, middle, { type, font, large }) {
  const said = MARKS[verdict] + text;
  const [across, up] = [chart.x.at(x), chart.y.at(y)];
  const wide = widthOf(said, type, font, verdict === "right" ? 700 : 400) + type;
  const right = across - AWAY * large;
  const whole = chart.sent.chart.asks?.whole;
  const group = chart.scene.put(`answer ${text}`, "g", {
    class: "att-answer",
    "data-verdict": verdict,
    role: "button",
    tabindex: 0,
    "aria-label": whole ? `${whole} ${said}` : said,
  });
  group.onclick = () => give(sets);
  group.onkeydown = (event) => {
    if (!["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    give(sets);
  };
  const put = (name, tag, attributes, words = null) =>
    chart.scene.put(`answer ${text} ${name}`, tag, attributes, group, words);
  put("pointer", "path", { d: `M${right},${middle}L${across},${up}` });
  put("place", "circle", { cx: across, cy: up, r: 4 * large });
  put("box", "rect", { x: right - wide, y: middle - 0.9 * type, width: wide, height: 1.8 * type, rx: 3 });
  put("words", "text", { x: right - wide / 2, y: middle + 0.35 * type, "text-anchor": "middle" }, said);
  return right - wide;
}
