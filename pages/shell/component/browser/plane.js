// The plane as SVG: conversion between numbers and pixels, and its shapes.

const SVG = "http://www.w3.org/2000/svg";

export function put(parent, tag, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach((pair) => element.setAttribute(...pair));
  parent.append(element);
  return element;
}

// The point at an angle, in degrees from the first axis towards the second, and a length.
export function polar(angle, length) {
  const turned = (angle * Math.PI) / 180;
  return [length * Math.cos(turned), length * Math.sin(turned)];
}

// One unit is as long upwards as sideways; a point `end` from the middle is still inside.
export class Scale {
  constructor(width, height, end) {
    this.width = width;
    this.height = height;
    this.unit = Math.min(width, height) / 2 / end;
  }

  /** @param {number[]} point */
  at([x, y]) {
    return { x: this.width / 2 + x * this.unit, y: this.height / 2 - y * this.unit };
  }

  from(x, y) {
    return [(x - this.width / 2) / this.unit, (this.height / 2 - y) / this.unit];
  }

  grid(parent, longest) {
    const [across, up] = [this.width, this.height].map((size) => Math.floor(size / 2 / this.unit));
    const line = (from, to, axis) =>
      put(parent, "line", { class: axis ? "att-axis" : "att-grid", x1: from.x, y1: from.y, x2: to.x, y2: to.y });
    const { width, height } = this;
    for (let at = -across; at <= across; at += 1)
      line({ x: this.at([at, 0]).x, y: 0 }, { x: this.at([at, 0]).x, y: height }, !at);
    for (let at = -up; at <= up; at += 1)
      line({ x: 0, y: this.at([0, at]).y }, { x: width, y: this.at([0, at]).y }, !at);
    for (const at of [-2, 2]) {
      const [beside, above] = [this.at([at, 0]), this.at([0, at])];
      put(parent, "text", { class: "att-tick", x: beside.x, y: beside.y + 12, "text-anchor": "middle" }).textContent =
        String(at).replace("-", "−");
      put(parent, "text", { class: "att-tick", x: above.x - 4, y: above.y + 4, "text-anchor": "end" }).textContent =
        String(at).replace("-", "−");
    }
    const { x, y } = this.at([0, 0]);
    put(parent, "circle", { class: "att-most", cx: x, cy: y, r: longest * this.unit });
  }
}

export const marker = {
  diamond: (x, y, size = 8) => `M${x - size},${y}L${x},${y - size}L${x + size},${y}L${x},${y + size}Z`,
  // A line that is cut off at its end, marked by a bar across.
  cut(from, end) {
    const far = Math.hypot(end.x - from.x, end.y - from.y) || 1;
    const [x, y] = [(7 * (end.y - from.y)) / far, (-7 * (end.x - from.x)) / far];
    return `M${from.x},${from.y}L${end.x},${end.y}M${end.x - x},${end.y - y}L${end.x + x},${end.y + y}`;
  },
  // An arrow: a shaft and an open head; a cross if it has no length.
  arrow(from, tip, most = 12) {
    const [dx, dy] = [tip.x - from.x, tip.y - from.y];
    const length = Math.hypot(dx, dy);
    if (length < 1) return `M${tip.x - 3},${tip.y}h6M${tip.x},${tip.y - 3}v6`;
    const [ux, uy, head] = [dx / length, dy / length, Math.min(most, length)];
    const side = (turn) =>
      `L${tip.x - head * ux + turn * head * 0.5 * -uy},${tip.y - head * uy + turn * head * 0.5 * ux}`;
    return `M${from.x},${from.y}L${tip.x},${tip.y}${side(1)}M${tip.x},${tip.y}${side(-1)}`;
  },
};
