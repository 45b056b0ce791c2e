// One step: its words, its heatmap, its legend and its table twin. Tokens come from visitors and are only ever text.

import { Heatmap, theme } from "./heatmap.js";
import { follow, unfollow, Pointer } from "./pointer.js";
import { fill } from "./table.js";

const seen = new WeakMap();
const visible = new IntersectionObserver(
  (entries) => entries.forEach((entry) => seen.get(entry.target)?.see(entry.isIntersecting)),
  { rootMargin: "100px", scrollMargin: "100px" },
);
const resized = new ResizeObserver((entries) => entries.forEach((entry) => seen.get(entry.target)?.resize()));

export class Card {
  constructor(report) {
    const make = (tag, name, parent) => {
      const element = document.createElement(tag);
      element.className = name;
      parent?.append(element);
      return element;
    };
    this.root = make("article", "att-card");
    const head = make("div", "att-head", this.root);
    this.title = make("h4", "", head);
    this.shape = make("span", "att-shape", head);
    this.formula = make("div", "att-formula", this.root);
    this.text = make("p", "", this.root);
    this.plot = make("div", "att-plot", this.root);
    this.hatch = make("div", "att-hatch", this.plot);
    this.canvas = make("div", "att-canvas", this.plot);
    this.legend = make("div", "att-legend", this.root);
    this.note = make("p", "att-note", this.root);
    this.details = make("details", "", this.root);
    this.summary = make("summary", "", this.details);
    this.table = make("div", "att-table", this.details);
    this.table.tabIndex = 0;
    this.details.addEventListener("toggle", () => this.tabulate());
    this.heatmap = new Heatmap(this.canvas);
    this.pointer = new Pointer(this, report);
    seen.set(this.plot, this);
    visible.observe(this.plot);
    resized.observe(this.plot);
    follow(this);
  }

  update(sent, labels, words) {
    const sides = { rows: labels[sent.rows] ?? null, columns: labels[sent.columns] ?? null };
    // Tokens and numbers come one after the other: half of a new screen is not shown with half of the old one.
    const fits = (names, count) => !names || names.length === count;
    if (!fits(sides.rows, sent.shape[0]) || !fits(sides.columns, sent.shape[1])) return;
    this.sent = sent;
    this.words = words;
    this.labels = sides;
    this.heatmap.show(sent);
    // Beside its like, a figure needs its name alone.
    const [text, formula] = sent.tag ? [[], ""] : [sent.text, sent.formula];
    const title = sent.tag ? `${sent.title} · ${sent.tag}` : sent.title;
    this.formula.hidden = this.text.hidden = Boolean(sent.tag);
    this.root.dataset.figure = sent.id;
    this.root.dataset.stamp = sent.stamp;
    this.root.dataset.bytes = 4 * sent.shape[0] * sent.shape[1];
    this.title.textContent = title;
    this.shape.textContent = this.shapeInWords();
    if (this.mathml !== formula) this.formula.innerHTML = this.mathml = formula;
    if (this.parts !== text) this.text.replaceChildren(...(this.parts = text).map(part));
    this.note.textContent = [sent.note, this.clipped()].filter(Boolean).join(" ");
    this.summary.textContent = words.ui.table;
    this.plot.setAttribute("aria-label", `${words.ui.heatmap}: ${title}. ${sent.note} ${words.ui.keys}`);
    this.draw();
    this.tabulate();
  }

  // Only what is near the screen is drawn, and only when its numbers, tokens, colours or width are new.
  draw() {
    const width = this.plot.clientWidth;
    if (!this.inSight || !width || !this.sent) return;
    const colours = theme(this.plot);
    const wanted = [this.sent.stamp, width, colours.signature, JSON.stringify(this.labels)].join("|");
    if (wanted === this.drawn) return;
    this.drawn = wanted;
    const { stamp } = this.sent;
    this.heatmap.draw(this.labels, this.words, colours, width).then(() => {
      this.root.dataset.drawn = stamp;
      this.explainColours(colours);
      this.heatmap.cover(this.hatch, "hidden" in this.sent);
      this.pointer.place();
    }, () => this.fail(this.words.ui.failed));
  }

  see(inSight) {
    this.inSight = inSight;
    this.root.toggleAttribute("data-near", inSight);
    this.draw();
  }

  resize() {
    this.draw();
  }

  fail(message) {
    this.legend.textContent = message;
    this.details.open = true;
  }

  remove() {
    visible.unobserve(this.plot);
    resized.unobserve(this.plot);
    unfollow(this);
    this.heatmap.remove();
    this.root.remove();
  }

  axes() {
    return { rows: [this.sent.rows, this.sent.also].filter(Boolean), columns: [this.sent.columns] };
  }

  // Where a cell stands and what it holds, in words.
  describe(row, column) {
    const { rows, columns } = this.sent;
    const place = (axis, names, index) => (axis ? `${this.words.axes[axis]} ${names?.[index] ?? index}` : "");
    const value = this.heatmap.value(row, column);
    const hidden = Number.isNaN(value) && "hidden" in this.sent;
    return {
      place: [place(rows, this.labels.rows, row), place(columns, this.labels.columns, column)].filter(Boolean).join(", "),
      value: hidden ? `${this.sent.hidden} · ${this.words.ui.masked}` : shown(value),
    };
  }

  tabulate() {
    if (this.details.open) fill(this.table, this);
  }

  shapeInWords() {
    const [rows, columns] = this.sent.size ?? this.sent.shape;
    const named = (axis, size) => `${this.words.axes[axis]} ${size}`;
    return this.sent.rows ? `${named(this.sent.rows, rows)} × ${named(this.sent.columns, columns)}` : named(this.sent.columns, columns);
  }

  clipped() {
    if (!this.sent.size) return "";
    const [rows, columns] = this.sent.shape;
    const [all_rows, all_columns] = this.sent.size;
    return filled(this.words.ui.clipped, { rows, columns, all_rows, all_columns });
  }

  explainColours(colours) {
    const chip = (text, colour) => {
      const item = document.createElement("span");
      const box = document.createElement("span");
      box.className = colour ? "att-chip" : "att-chip att-hatched";
      if (colour) box.style.background = colour;
      item.append(box, text);
      return item;
    };
    const items = [];
    if (this.sent.kind === "binary") {
      items.push(chip(this.words.ui.one, colours.binary[1]), chip(this.words.ui.zero, colours.binary[0]));
    } else {
      const [low, high] = this.sent.range;
      const scale = document.createElement("span");
      scale.className = "att-scale";
      scale.style.background = `linear-gradient(to right, ${colours[this.sent.kind].join(", ")})`;
      items.push(shown(low, 3), scale, shown(high, 3));
    }
    if ("hidden" in this.sent) items.push(chip(`${this.words.ui.masked}: ${this.sent.hidden}`, ""));
    this.legend.replaceChildren(...items);
  }
}

// Parts with an odd index are MathML that Python made from our own texts; in the others, code stands in backticks.
function part(content, index) {
  const holder = document.createElement("span");
  if (index % 2) holder.innerHTML = content;
  else holder.append(...content.split("`").map((piece, at) => (at % 2 ? code(piece) : piece)));
  return holder;
}

function code(text) {
  const element = document.createElement("code");
  element.textContent = text;
  return element;
}

export function filled(text, values) {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name]);
}

export function shown(value, digits = 5) {
  const short = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(digits)));
  return short.replace("-", "−").replace("Infinity", "∞");
}
