// The effect of a kind of positions on two words, as a small drawing: the height of each place, with a dot for each
// word, or an arrow for each word that rotates. Black asks, amber answers, as on the line of places.

// Pixels: a dot, the head of an arrow, the free edge around heights. In the circle of arrows, the angle is filled.
const [DOT, HEAD, FREE] = [4.5, 6, 6];
const WORDS = ["query", "key"];

export function drawHow(scene, svg, kind, { heights, arrows, words }, { x, y, wide, high, large }) {
  if (arrows.length > 0) return drawArrows(scene, svg, kind, arrows, { x, y, wide, high, large });
  const across = (at) => x + (at / (heights.length - 1)) * wide;
  const upwards = (height) => y + FREE + ((1 - height) / 2) * (high - 2 * FREE);
  const points = heights.map((height, at) => `${across(at).toFixed(1)},${upwards(height).toFixed(1)}`);
  scene.put(`how ${kind}`, "path", { class: "att-how", d: `M${points.join(" L")}` }, svg);
  words.forEach((at, which) => {
    const place = scene.put(`word ${kind} ${which}`, "g", {}, svg);
    place.style.transform = `translate(${across(at)}px, ${upwards(heights[at])}px)`;
    const dot = { class: `att-of-${WORDS[which]}`, cx: 0, cy: 0, r: DOT * large };
    scene.put(`word dot ${kind} ${which}`, "circle", dot, place);
  });
}

function drawArrows(scene, svg, kind, arrows, { x, y, wide, high, large }) {
  const radius = Math.min(wide, high) / 2 - 1;
  const middle = scene.put(`how ${kind}`, "g", { transform: `translate(${x + wide / 2} ${y + high / 2})` }, svg);
  scene.put(`circle ${kind}`, "circle", { class: "att-how", cx: 0, cy: 0, r: radius }, middle);
  const [from, to] = [arrows[1][0], arrows[0][0]];
  // The shorter angle from the key to the query.
  const angle = ((((to - from + 180) % 360) + 360) % 360) - 180;
  const radians = (angle * Math.PI) / 180;
  const end = `${radius * Math.cos(radians)},${-radius * Math.sin(radians)}`;
  const wedge = scene.put(`angle ${kind}`, "path", { class: "att-angle" }, middle);
  wedge.setAttribute("d", `M0,0 L${radius},0 A${radius},${radius} 0 0 ${angle > 0 ? 0 : 1} ${end} Z`);
  wedge.style.transform = `rotate(${-from}deg)`;
  // The key's arrow is wider, and lies below the query's.
  for (const which of [1, 0]) {
    const [turn, length] = arrows[which];
    const tip = length * radius;
    const head = Math.min(HEAD * large, 0.5 * tip);
    const d = `M0,0 H${tip} M${tip - head},${-0.6 * head} L${tip},0 L${tip - head},${0.6 * head}`;
    const arrow = scene.put(`arrow ${kind} ${which}`, "path", { class: `att-turns att-of-${WORDS[which]}`, d }, middle);
    arrow.style.transform = `rotate(${-turn}deg)`;
  }
}
