// How much of the cache is left, in parts of what a key head for each query head would take.

// Pixels: the bar.
const BAR = 14;

export const heightOf = (type, large) => 1.5 * type + (BAR + 2) * large;

export function cache(scene, { labels, sharing }, { x, y, width, type, large, heads }) {
  const text = (name, said, attributes) =>
    scene.put(name, "text", { "aria-hidden": "true", y: y + type, ...attributes }, scene.root, said);
  text("cache said", labels.cache, { class: "att-line", x });
  text("cached", labels.cached, { class: "att-written", x: x + width, "text-anchor": "end" });
  const place = { y: y + 1.5 * type, width, height: BAR * large };
  const whole = scene.put("cache whole", "g");
  whole.style.transform = `translate(${x}px, 0) scaleX(${sharing.keys / heads})`;
  whole.classList.add("att-length");
  scene.put("cache bar", "rect", { class: "att-filled", x: 0, ...place }, whole);
  scene.put("cache room", "rect", { class: "att-frame", x, ...place });
  for (let part = 1; part < heads; part += 1) {
    const at = x + (part * width) / heads;
    const line = { x1: at, x2: at, y1: place.y, y2: place.y + place.height };
    scene.put(`cache part ${part}`, "line", { class: "att-eighth", ...line });
  }
}
