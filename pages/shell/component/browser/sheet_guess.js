// The question at which length the pairs become half, asked on the line of lengths itself: the reader chooses a zone
// between two lengths by click or key. Then the guess stands there, and a click takes it back.

import { give } from "./give.js";
import { answersIn, MARKS } from "./guess.js";
import { pressed } from "./pressed.js";
import { widthOf } from "./text.js";

// Shares of the line's height at which the words of a box stand: above its middle, and below it.
const [OVER, UNDER] = [0.75, 0.25];
// The words' type, as a part of the picture's.
const SIZE = 0.87;

// place: of the line.
export function asked(scene, { labels, sheet }, place) {
  const zones = answersIn({ ghosts: sheet.asked });
  if (!zones.length) return;
  const list = scene.put("asked zones", "g", { role: "listbox", "aria-label": labels.asked });
  list.onkeydown = (event) => moved(event, list);
  const named = zones.map(({ text }) => `zone ${text}`);
  const held = Math.max(0, named.indexOf(list.querySelector("[tabindex='0']")?.dataset.name));
  zones.forEach((zone, at) => {
    const name = named[at];
    const box = {
      class: "att-zone",
      role: "option",
      "aria-label": zone.text,
      "aria-selected": false,
      tabindex: at === held ? 0 : -1,
    };
    const one = scene.put(name, "g", box, list);
    one.onclick = () => give(zone.sets);
    drawn(scene, one, zone, place, zone.text);
  });
}

// The guess with the mark of its verdict, above or below the middle, whichever is farther from the lines.
export function guessed(scene, { guessed: zone, meetings }, place) {
  if (!zone || !answersIn({ ghosts: [zone] }).length) return;
  const label = MARKS[zone.verdict] + zone.text;
  const one = scene.put("guessed", "g", {
    class: `att-zone att-${zone.verdict}`,
    role: "button",
    "aria-label": label,
    tabindex: 0,
  });
  pressed(one, zone.sets);
  const near = meetings.flatMap(({ over }) => {
    const last = over.length - 1;
    return over.slice(Math.round(zone.start * last), Math.round(zone.end * last) + 1);
  });
  const away = (level) => Math.min(1, ...near.map((share) => Math.abs(share - level)));
  const isMet = meetings.some(({ at }) => zone.start <= at && at <= zone.end);
  drawn(scene, one, zone, place, MARKS[zone.verdict].trim(), !isMet && away(UNDER) > away(OVER) ? UNDER : OVER);
}

// A box over the line with its words. level: their height, as a share of the line's.
function drawn(scene, parent, { start, end, text }, place, said, level = OVER) {
  const { along, width: whole, top, high, type, font, large } = place;
  const [x, width] = [along(start), along(end) - along(start)];
  const box = { class: "att-zone-box", x: x + 1, y: top + 1, width: width - 2, height: high - 2, rx: 4 * large };
  scene.put(`box ${text}`, "rect", box, parent);
  const size = SIZE * type;
  const half = widthOf(said, size, font) / 2;
  const middle = Math.min(Math.max(x + width / 2, half), whole - half);
  const look = { class: "att-zone-said", "font-size": size, "text-anchor": "middle" };
  scene.put(`said ${text}`, "text", { ...look, x: middle, y: top + (1 - level) * high + 0.35 * size }, parent, said);
}

function moved(event, list) {
  const zones = [...list.children];
  const at = zones.indexOf(document.activeElement);
  const last = zones.length - 1;
  const moves = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
  if (at < 0) return;
  if (event.key in moves) {
    const next = Math.min(Math.max(moves[event.key], 0), last);
    zones.forEach((one, index) => one.setAttribute("tabindex", index === next ? "0" : "-1"));
    zones[next].focus();
  } else if (event.key === "Enter" || event.key === " ") {
    zones[at].onclick();
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}
