// Below the words how much has been computed so far, once with a cache and once without: two curves that grow with the
// sentence. What is to come stands there faintly, so that nothing moves and the end is seen from the beginning.

// Pixels: from the highest number to the floor, above it for that number, below it for the lower one; type, and of numbers.
const [HIGH, ABOVE, BELOW, TYPE, NUMBER] = [96, 22, 22, 14, 18];

export function totals({ scene, parent, line, large, at, sent, labels }) {
  const { focus } = sent;
  const { cached, again } = sent.totals;
  const last = again.length - 1;
  const unit = (HIGH * large) / again[last];
  const floor = at.y + (ABOVE + HIGH) * large;
  const place = (numbers, index) => ({ x: line.columns[index].middle, y: floor - numbers[index] * unit });
  const write = (name, text, look) => scene.put(name, "text", { "font-size": TYPE * large, ...look }, parent, text);
  const left = line.isWide ? line.left : 0;
  const { middle, width } = line.columns[last];
  scene.put("totals floor", "path", { class: "att-zero", d: `M${left},${floor}H${middle + width / 2}` }, parent);
  write("totals", labels.totals_said, { class: "att-line-name", x: left, y: at.y + TYPE * large });
  for (const [way, numbers] of Object.entries({ again, cached })) {
    // As many points at each word: the end of what is there lies on the newest one.
    const path = (until) => {
      const points = numbers.map((_, index) => place(numbers, Math.min(index, until)));
      return `M${points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L")}`;
    };
    const kind = `att-total-${way}`;
    scene.put(`coming ${way}`, "path", { class: "att-total-coming", d: path(last) }, parent);
    scene.put(`total ${way}`, "path", { class: `att-total ${kind}`, d: path(focus) }, parent);
    const { x: cx, y: cy } = place(numbers, focus);
    scene.put(`end ${way}`, "circle", { class: `att-total-end ${kind}`, cx, cy, r: 4 * large }, parent);
    // With a cache below the floor, without one above its curve.
    const number = (name, index, look) => {
      const { x, y } = place(numbers, index);
      const under = { x, y: way === "again" ? y - 8 * large : floor + NUMBER * large, "text-anchor": "middle" };
      write(name, String(numbers[index]), { class: look, ...under, "font-size": NUMBER * large });
    };
    if (focus < last) number(`whole ${way}`, last, "att-line-name att-to-come");
    number(`so far ${way}`, focus, "att-line-name att-strong");
    const end = place(numbers, last);
    const beside = line.isWide
      ? { x: end.x + 14 * large, y: end.y + 5 * large, "text-anchor": "start" }
      : way === "again"
        ? { x: end.x - 16 * large, y: end.y - 11 * large, "text-anchor": "end" }
        : { x: end.x + 8 * large, y: end.y - 6 * large, "text-anchor": "end" };
    write(`way ${way}`, labels[way], { class: "att-line-name", ...beside });
  }
  at.y = floor + (BELOW + 4) * large;
}
