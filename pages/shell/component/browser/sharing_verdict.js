// How much is answered rightly with keys of its own and with averaged ones, on the way of the training that follows, and how
// much of the cache is left: bars of one length, and the way in a frame as long.

import { isOnWall } from "./tall.js";

// Pixels: a bar, from one to the next, the frame of the way, the room of the number at the end, and that number.
const [BAR, BLOCK, WAY, WRITTEN, NUMBER] = [20, 49, 58, 84, 21];

// On a wall, where all is to be seen at once, the way is as low as a bar, and its label alone counts the updates.
const frame = () => (isOnWall() ? BAR : WAY);
const axis = (type) => (isOnWall() ? 0 : 1.2 * type);

export const heightOf = (type, large) => 1.7 * type + (3 * BLOCK + frame() + 29 + 7) * large + axis(type);

/** @param {Record<string, number>} around */
export function verdict(scene, { labels, sharing }, around) {
  const { x, y, width, type, large, heads } = around;
  const wide = width - WRITTEN * large;
  const text = (name, said, attributes) =>
    scene.put(name, "text", { "aria-hidden": "true", ...attributes }, scene.root, said);
  text("rights", labels.rights, { class: "att-line", x, y: y + type });
  let top = y + 1.7 * type;
  const block = (name, said, written, high) => {
    text(`${name} said`, said, { class: "att-stage", x, y: top + type });
    const place = { x, y: top + 1.4 * type, width: wide, height: high * large };
    scene.put(`${name} room`, "rect", { class: "att-frame", ...place });
    const number = { class: "att-written", x: x + wide + 10 * large, y: place.y + BAR * large - 3 * large };
    text(`${name} number`, written, { ...number, "font-size": NUMBER * large });
    top += (BLOCK - BAR + high) * large;
    return place;
  };
  const bar = (name, said, share, written, kind) => {
    const place = block(name, said, written, BAR);
    const whole = scene.put(`${name} whole`, "g");
    whole.style.transform = `translate(${x}px, 0) scaleX(${share})`;
    whole.classList.add("att-length");
    scene.put(`${name} bar`, "rect", { class: kind, ...place, x: 0 }, whole);
    return place;
  };
  const [own, shared, later] = sharing.rights;
  bar("right 0", labels.stages[0], own, labels.written[0], "att-answers-it");
  bar("right 1", labels.stages[1], shared, labels.written[1], "att-answers-it");
  way(scene, { labels, sharing }, block("right 2", labels.stages[2], labels.written[2], frame()), {
    later,
    type,
    large,
  });
  top += axis(type);
  const place = bar("cache", labels.cache, sharing.keys / heads, labels.cached, "att-filled");
  // The place that the keys and values of each query head would take.
  for (let part = 1; part < heads; part += 1) {
    const at = x + (part * wide) / heads;
    scene.put(`cache part ${part}`, "line", {
      class: "att-eighth",
      x1: at,
      x2: at,
      y1: place.y,
      y2: place.y + place.height,
    });
  }
}

// From the averaged layer on, over the updates, with a dot where it counts as repaired.
function way(scene, { labels, sharing }, { x, y, width, height }, { later, type, large }) {
  const { way: shares, repaired } = sharing;
  const points = (shares.length ? shares : [later, later]).map((share, at, all) => [
    x + (at * width) / (all.length - 1),
    y + height * (1 - share),
  ]);
  const own = `M${points.join("L")}`;
  scene.put("way under", "path", { class: "att-way-under", d: `${own}V${y + height}H${x}Z` });
  scene.put("way", "path", { class: "att-way", d: own });
  if (repaired >= 0) {
    const [cx, cy] = points[repaired];
    scene.put("repaired", "circle", { class: "att-repaired", cx, cy, r: 5 * large });
  }
  if (isOnWall()) return;
  const below = { class: "att-line", "aria-hidden": "true", y: y + height + 1.1 * type };
  scene.put("way first", "text", { ...below, x }, scene.root, labels.first);
  scene.put("way last", "text", { ...below, x: x + width, "text-anchor": "end" }, scene.root, labels.last);
}
