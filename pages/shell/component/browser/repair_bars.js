// The share of right answers at each stage: bars of one length, and the course of the training in a frame of that
// length.

// Pixels: a bar, from one to the next, the frame of the course, the room of the number at its end, and that number.
const [BAR, BLOCK, WAY, WRITTEN, NUMBER] = [20, 49, 58, 84, 21];

export const heightOf = (type, large) => 2.9 * type + (2 * BLOCK + WAY + 29) * large;

export function bars(scene, { labels, repair }, { width, type, large }) {
  const wide = width - WRITTEN * large;
  const text = (name, said, attributes) =>
    scene.put(name, "text", { "aria-hidden": "true", ...attributes }, scene.root, said);
  text("rights", labels.rights, { class: "att-line", x: 1, y: type });
  let top = 1.7 * type;
  const block = (at, high) => {
    text(`stage ${at}`, labels.stages[at], { class: "att-stage", x: 1, y: top + type });
    const place = { x: 1, y: top + 1.4 * type, width: wide, height: high * large };
    scene.put(`room ${at}`, "rect", { class: "att-frame", ...place });
    const number = { class: "att-written", x: wide + 11 * large, y: place.y + (BAR - 3) * large };
    text(`written ${at}`, labels.written[at], { ...number, "font-size": NUMBER * large });
    top += (BLOCK - BAR + high) * large;
    return place;
  };
  for (const at of [0, 1]) {
    const place = block(at, BAR);
    const whole = scene.put(`whole ${at}`, "g");
    whole.style.transform = `translate(1px, 0) scaleX(${repair.rights[at]})`;
    whole.classList.add("att-length");
    scene.put(`bar ${at}`, "rect", { class: "att-answers-it", ...place, x: 0 }, whole);
  }
  way(scene, { labels, repair }, block(2, WAY), { type, large });
}

// The course from the averaged layer on, over the updates, with a dot where it counts as repaired, and a ring at the
// slider.
function way(scene, { labels, repair }, { x, y, width, height }, { type, large }) {
  const { way: shares, repaired, rights, shown } = repair;
  const points = (shares.length ? shares : [rights[2], rights[2]]).map((share, at, all) => [
    x + (at * width) / (all.length - 1),
    y + height * (1 - share),
  ]);
  const own = `M${points.join("L")}`;
  scene.put("way under", "path", { class: "att-way-under", d: `${own}V${y + height}H${x}Z` });
  scene.put("way", "path", { class: "att-way", d: own });
  if (repaired >= 0) {
    const [cx, cy] = points[repaired];
    scene.put("repaired", "circle", { class: "att-repaired", cx, cy, r: 5 * large });
    const [at, high] = points[shown];
    scene.put("shown line", "path", { class: "att-shown", d: `M${at},${y}V${y + height}` });
    scene.put("shown", "circle", { class: "att-shown", cx: at, cy: high, r: 7 * large });
  }
  const below = { class: "att-line", "aria-hidden": "true", y: y + height + 1.1 * type };
  scene.put("way first", "text", { ...below, x }, scene.root, labels.first);
  scene.put("way last", "text", { ...below, x: x + width, "text-anchor": "end" }, scene.root, labels.last);
}
