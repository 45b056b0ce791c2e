// The largest weight under each remedy, a lane each below the slider: a step under each place of its thumb, as far as it has
// come. Lines stand where the verdict changes, with their numbers in the first lane.

import { widthOf } from "./text.js";

// Pixels: type of numbers; between two lanes; from an end of the slider above to the middle of its thumb.
const [NUMBER, BETWEEN, THUMB] = [12, 6, 6];

// From the name of a lane to that of the next one.
export const highOfLane = ({ type, sizes, large }) => 1.25 * type + (sizes.line + BETWEEN) * large;

// draws: scene, sent, write and layout, of a picture of remedies.
export function lanes({ scene, sent: { labels, remedies }, write, layout }, width, top) {
  const { type, font, large, sizes } = layout;
  const high = sizes.line * large;
  const lane = highOfLane(layout);
  const end = { x: width, "text-anchor": "end", "font-size": NUMBER * large, class: "att-share" };
  const step = (width - 2 * THUMB) / (remedies.factors.length - 1);
  const middle = (at) => THUMB + at * step;
  remedies.largest.forEach((of, line) => {
    const y = top + line * lane;
    const bottom = y + 1.25 * type + high;
    write(`line ${line}`, labels.names[line], { x: 0, y: y + 0.9 * type });
    of.slice(0, remedies.at + 1).forEach((share, at) => {
      const [x, end] = [Math.max(middle(at) - step / 2, 0), Math.min(middle(at) + step / 2, width)];
      const box = { x, width: end - x, y: bottom - share * high, height: share * high };
      scene.put(`most ${line} ${at}`, "rect", { class: `att-most att-${remedies.states[line][at]}`, ...box });
    });
    scene.put(`room ${line}`, "rect", { class: "att-room", x: 0, width, y: bottom - high, height: high });
    const [lower, upper] = remedies.bounds.map((bound) => bottom - bound * high);
    // It ends before its number.
    const until = width - (line ? 0 : widthOf(labels.under, NUMBER * large, font) + 8);
    scene.put(`lower ${line}`, "line", { class: "att-bound", x1: 0, x2: until, y1: lower, y2: lower });
    scene.put(`upper ${line}`, "line", { class: "att-bound", x1: 0, x2: width, y1: upper, y2: upper });
    if (line) return;
    write("over", labels.over, { ...end, y: bottom - high - 4 });
    write("under", labels.under, { ...end, x: width - 4, y: lower + 4 });
  });
  const under = top + remedies.largest.length * lane + 0.8 * type;
  remedies.ticks.forEach((tick, at) => {
    const x = middle(remedies.factors.indexOf(Number(tick)));
    const half = widthOf(tick, type, font) / 2;
    const place = { x: Math.min(Math.max(x, half), width - half), y: under, "text-anchor": "middle" };
    // Where there is little room, every third one.
    if (width > 36 * large * remedies.ticks.length || at % 3 === 0) write(`factor ${at}`, tick, place);
  });
}
