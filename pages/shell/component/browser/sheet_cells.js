// The lines between the cells of a square.

export function cells({ x, y, width, height }, count) {
  const inside = Array.from({ length: count - 1 }, (_, at) => (at + 1) / count);
  return inside.map((part) => `M${x + part * width},${y}v${height}M${x},${y + part * height}h${width}`).join("");
}
