// The saving and the cost of sharing: the remaining part of the cache, and the share of right answers.

// Pixels: a bar, the gap between two side by side, and below each other.
const [BAR, BESIDE, UNDER] = [14, 40, 8];

export const heightOf = (type, large, isBeside) => (isBeside ? 1 : 2) * rowOf(type, large) - UNDER * large;

const rowOf = (type, large) => 1.5 * type + (BAR + UNDER) * large;

export function bars(scene, { labels, sharing }, { x, y, width, type, large, heads, isBeside }) {
  const wide = isBeside ? (width - BESIDE * large) / 2 : width;
  labels.bars.forEach((said, at) => {
    const left = isBeside ? x + at * (wide + BESIDE * large) : x;
    const top = isBeside ? y : y + at * rowOf(type, large);
    const text = (name, words, attributes) =>
      scene.put(`${name} ${at}`, "text", { "aria-hidden": "true", y: top + type, ...attributes }, scene.root, words);
    text("bar said", said, { class: "att-line", x: left });
    text("bar written", labels.written[at], { class: "att-written", x: left + wide, "text-anchor": "end" });
    const place = { y: top + 1.5 * type, width: wide, height: BAR * large };
    const whole = scene.put(`bar whole ${at}`, "g");
    whole.style.transform = `translate(${left}px, 0) scaleX(${sharing.bars[at]})`;
    whole.classList.add("att-length");
    scene.put(`bar ${at}`, "rect", { class: at ? "att-answers-it" : "att-filled", x: 0, ...place }, whole);
    scene.put(`bar room ${at}`, "rect", { class: "att-frame", x: left, ...place });
    // The cache is divided into the parts of all original key heads.
    for (let part = 1; part < heads && at === 0; part += 1) {
      const middle = left + (part * wide) / heads;
      const line = { x1: middle, x2: middle, y1: place.y, y2: place.y + place.height };
      scene.put(`bar part ${part}`, "line", { class: "att-eighth", ...line });
    }
  });
}
