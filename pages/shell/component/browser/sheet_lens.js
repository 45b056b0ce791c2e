// Areas that are too small to read, once more in a lens over their place: larger, and in one scale.

import { areas } from "./sheet_areas.js";
import { filled } from "./text.js";

// A lens magnifies by a power of this number: an area that is just too large for one is readable without.
const POWER = 8;
// Pixels: the widest lens, the room at its foot, the room of names on the right. Lines of type: the words above a
// square, and the names between the lens and the blocks.
const [WIDEST, FOOT, RIGHT] = [560, 8, 30];
const [OVER, UNDER] = [2.6, 2.8];

// place: of the areas. Returns whether there is a lens.
export function lens(scene, sent, place) {
  const { x, ground, unit, width, reserved, type, large } = place;
  const most = (reserved - (OVER + UNDER) * type - FOOT) / (1 + 1 / POWER);
  const side = sent.sheet.n * unit;
  let times = 1;
  while (side * times < most / POWER) times *= POWER;
  if (times === 1) return false;
  const wide = Math.min(WIDEST * large, width - 2);
  const box = {
    x: Math.min(width - 1 - wide, Math.max(1, x - wide / 2)),
    y: ground - reserved,
    width: wide,
    height: most + OVER * type + FOOT,
  };
  const inside = { x: box.x + wide - most - RIGHT * large, ground: box.y + box.height - FOOT, unit: unit * times };
  const [left, top] = [x - (inside.x - box.x) / times, ground - (inside.ground - box.y) / times];
  const seen = { x: left, y: top, width: wide / times, height: box.height / times };
  scene.put("lens seen", "rect", { class: "att-lens-seen", ...seen });
  const [right, bottom] = [seen.x + seen.width, box.y + box.height];
  const d = `M${seen.x},${top}L${box.x},${bottom}M${right},${top}L${box.x + wide},${bottom}`;
  scene.put("lens lines", "path", { class: "att-lens-seen", d });
  const attributes = { ...box, viewBox: `${box.x} ${box.y} ${wide} ${box.height}` };
  const shapes = scene.put("lens", "svg", attributes);
  scene.put("lens ground", "rect", { class: "att-lens-ground", ...box }, shapes);
  const words = scene.put("lens words", "g");
  areas(scene, sent, {
    ...place,
    ...inside,
    id: `lens ${times}`,
    left: box.x,
    right: box.x + wide - 4,
    shapes,
    words,
    isMagnified: false,
  });
  scene.put("lens edge", "rect", { class: "att-lens-edge", ...box });
  const said = { class: "att-called", x: box.x + 8, y: box.y + type, "font-size": 0.87 * type };
  scene.put("lens said", "text", said, words, filled(sent.labels.larger, { times }));
  return true;
}
