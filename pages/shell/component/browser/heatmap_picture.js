// A heatmap as a picture: cells on a canvas, with numbers, names and frames as an SVG above. Elements are reused, so
// that new numbers cost no new elements.

import { PRINTED } from "./cell_numbers.js";
import { mixed } from "./colour.js";
import { make } from "./elements.js";
import { boxOf, namesOf } from "./heatmap_layout.js";
import { put } from "./plane.js";
import { copied } from "./svg.js";

// The distance of a frame from the edge of its cell, as a share of the cell.
const INSIDE = 0.04;

export class Picture {
  constructor(element) {
    this.cells = make("canvas", "att-painted", element);
    this.svg = put(element, "svg", { class: "att-heatmap", "aria-hidden": "true" });
    // Cut off marks that reach beyond the visible cells.
    this.marks = put(this.svg, "svg", { overflow: "hidden" });
    const group = (name, attributes = {}) => put(this.svg, "g", { class: name, ...attributes });
    this.numbers = group("att-numbers", { "text-anchor": "middle" });
    this.columns = group("att-column-names");
    this.rows = group("att-row-names");
    this.titles = group("att-axis-titles", { "text-anchor": "middle" });
  }

  draw(layout, z, sent, printed, colours) {
    const { area, width, height } = layout;
    this.layout = layout;
    set(this.svg, { width, height, fill: colours.text, "font-family": colours.font, "font-size": layout.size });
    const { left, top } = area;
    Object.assign(this.cells.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${area.width}px`,
      height: `${area.height}px`,
    });
    paint(this.cells, layout, z, sent, colours);
    set(this.marks, { x: left, y: top, width: area.width, height: area.height });
    this.marks.replaceChildren();
    lines(layout, sent, colours).forEach((line) => put(this.marks, "rect", line));
    write(this.numbers, printed ? numbers(layout, printed) : []);
    const names = namesOf(layout);
    write(this.columns, names.columns);
    write(this.rows, names.rows);
    write(this.titles, layout.titles);
  }

  // The picture as an SVG of its own, with the cells as an image.
  asSvg() {
    const svg = copied(this.svg);
    const { left: x, top: y, width, height } = this.layout.area;
    const image = put(svg, "image", {
      x,
      y,
      width,
      height,
      href: this.cells.toDataURL("image/png"),
      preserveAspectRatio: "none",
      style: "image-rendering: pixelated",
    });
    svg.prepend(image);
    return svg;
  }
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
}

function write(group, items) {
  while (group.childElementCount > items.length) group.lastChild.remove();
  items.forEach(({ text, ...attributes }, at) => {
    const node = group.children[at] ?? put(group, "text");
    if (node.textContent !== text) node.textContent = text;
    set(node, attributes);
  });
}

function numbers(layout, { cells, texts, size, inks }) {
  return cells.map(([row, column], at) => {
    const { left, top, width, height } = boxOf(layout, [row, row], [column, column]);
    return {
      text: texts[at],
      x: left + width / 2,
      y: top + height / 2 + 0.36 * size,
      "font-size": size,
      fill: inks[at],
    };
  });
}

// Paint the cells. Few cells stand a pixel apart; of many, each is one pixel of an image that the browser stretches.
function paint(canvas, layout, z, sent, colours) {
  const {
    rows,
    columns,
    seen: {
      rows: [firstRow],
      columns: [firstColumn],
    },
  } = layout;
  const [low, high] = sent.range;
  const colour = (value) => mixed(colours[sent.kind], high > low ? (value - low) / (high - low) : 0.5);
  const each = (fill) => {
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const value = z[firstRow + row][firstColumn + column];
        // Hidden cells stay empty, so that the hatch below shows.
        if (!Number.isNaN(value)) fill(row, column, colour(value));
      }
    }
  };
  if (columns > PRINTED) {
    const image = new ImageData(columns, rows);
    each((row, column, rgb) => image.data.set([...rgb, 255], 4 * (row * columns + column)));
    Object.assign(canvas, { width: columns, height: rows });
    canvas.getContext("2d").putImageData(image, 0, 0);
    return;
  }
  const dots = devicePixelRatio;
  const [width, height, gap] = [
    Math.round(layout.area.width * dots),
    Math.round(layout.area.height * dots),
    Math.max(1, Math.round(dots)),
  ];
  // Setting the size clears the canvas.
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  const edge = (at, count, length) => Math.round((at / count) * length);
  each((row, column, rgb) => {
    const [left, top] = [edge(column, columns, width), edge(row, rows, height)];
    context.fillStyle = `rgb(${rgb.map(Math.round)})`;
    context.fillRect(left, top, edge(column + 1, columns, width) - left - gap, edge(row + 1, rows, height) - top - gap);
  });
}

// Lines between bands of columns, and frames around cells and blocks. Each is a line in the text colour on a wider one
// in the page colour, which can be seen on any cell.
function lines(layout, { band, outlined = [], block, shape: [, columns] }, colours) {
  const { area, seen } = layout;
  const [width, height] = [area.width / layout.columns, area.height / layout.rows];
  const at = ([top, bottom, left, right]) => ({
    x: (left - seen.columns[0] + INSIDE) * width,
    width: (right - left + 1 - 2 * INSIDE) * width,
    y: (top - seen.rows[0] + INSIDE) * height,
    height: (bottom - top + 1 - 2 * INSIDE) * height,
  });
  const between = band ? Array.from({ length: Math.ceil(columns / band) - 1 }, (_, index) => (index + 1) * band) : [];
  const borders = between.map((column) => ({
    class: "att-border",
    x: (column - seen.columns[0]) * width - 1,
    y: 0,
    width: 2,
    height: area.height,
    fill: colours.text,
  }));
  const frames = [
    ...outlined.map(([row, column]) => [row, row, column, column]),
    ...(block ? [block.ends] : []),
  ].flatMap((ends) =>
    [
      [colours.page, 4],
      [colours.text, 2],
    ].map(([stroke, thick]) => ({
      class: "att-frame",
      ...at(ends),
      fill: "none",
      stroke,
      "stroke-width": thick * colours.large,
      "data-ends": ends,
    })),
  );
  return [...borders, ...frames];
}
