// The frame of every figure: its words, the place of its picture, its legend and its table twin.

import { theme } from "./colour.js";
import { embed } from "./embed.js";
import { Menu } from "./menu.js";
import { FORMATS, save } from "./save.js";
import { filled } from "./text.js";

const seen = new WeakMap();
const visible = new IntersectionObserver(
  (entries) => entries.forEach((entry) => seen.get(entry.target)?.see(entry.isIntersecting)),
  { rootMargin: "100px", scrollMargin: "100px" },
);
// Learn the width from an observer: asking for it between changes makes the browser lay out the page for each figure.
const resized = new ResizeObserver((entries) =>
  entries.forEach((entry) => {
    const figure = seen.get(entry.target);
    if (!figure) return;
    figure.width = entry.target.clientWidth;
    figure.draw();
  }),
);

export class Frame {
  constructor() {
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
    this.text = make("p", "att-text", this.root);
    this.plot = make("div", "att-plot", this.root);
    this.plot.tabIndex = 0;
    this.plot.setAttribute("role", "application");
    this.hatch = make("div", "att-hatch", this.plot);
    this.canvas = make("div", "att-canvas", this.plot);
    this.legend = make("div", "att-legend", this.root);
    this.note = make("p", "att-note", this.root);
    this.table = make("div", "att-table", this.root);
    this.table.tabIndex = 0;
    this.table.hidden = true;
    // A group, because landmarks would be dozens on a page.
    this.table.setAttribute("role", "group");
    this.width = 0;
    this.menu = new Menu([...FORMATS.map((format) => this.file(format)), this.elsewhere(), this.twin()], head);
    seen.set(this.plot, this);
    visible.observe(this.plot);
    resized.observe(this.plot);
  }

  // Write the words of a figure, before it is drawn.
  say(sent, words, { title = sent.title, formula = sent.formula, text = sent.text, note = sent.note, kind, keys }) {
    this.sent = sent;
    this.words = words;
    this.root.dataset.figure = sent.id;
    this.root.dataset.stamp = sent.stamp;
    put(this.title, title);
    this.formula.hidden = !formula;
    this.text.hidden = !text.length;
    if (this.mathml !== formula) this.formula.innerHTML = this.mathml = formula;
    if (this.parts !== text) this.text.replaceChildren(...(this.parts = text).map(part));
    put(this.note, note);
    this.note.hidden = !note;
    this.menu.say(title, words);
    this.table.setAttribute("aria-label", `${words.ui.table}: ${title}`);
    this.plot.setAttribute("aria-label", `${kind}: ${title}. ${sent.note} ${keys}`);
  }

  file(format) {
    const label = (words, title) => filled(words.ui.save, { format: format.toUpperCase(), title });
    return { id: format, text: () => format.toUpperCase(), label, act: () => save(this, format) };
  }

  twin() {
    const label = (words, title) => `${words.ui.table}: ${title}`;
    const act = () => {
      this.tabulate(this.table.hidden);
      if (!this.table.hidden) this.table.focus();
    };
    return { id: "table", text: (words) => words.ui.table, label, act, isOn: () => !this.table.hidden };
  }

  // A figure that no view shows, such as the result of a task, has no address.
  elsewhere() {
    const view = () => this.root.closest("[data-view]");
    const label = (words, title) => `${words.ui.embed}: ${title}`;
    const act = () => embed(this, view());
    return { id: "embed", text: (words) => words.ui.embed, label, act, isThere: () => view() !== null };
  }

  // Make the table twin when it is opened; while open, it follows the numbers.
  tabulate(open = !this.table.hidden) {
    this.table.hidden = !open;
    if (open) this.fill();
  }

  // Write the lines of the table twin.
  fill() {}

  draw() {}

  // Draw only figures near the screen.
  see(inSight) {
    this.inSight = inSight;
    this.root.toggleAttribute("data-near", inSight);
    this.draw();
  }

  // The width and the colours to draw with; null if nothing is new or the figure is out of sight.
  due(...parts) {
    const width = this.width || this.plot.clientWidth;
    // An element that has left the page has no colours.
    if (!this.inSight || !width || !this.sent || !this.root.isConnected) return null;
    const colours = theme(this.plot);
    if (!colours.page) return null;
    const wanted = [this.sent.stamp, width, colours.signature, this.words.language, ...parts].join("|");
    if (wanted === this.drawn) return null;
    this.drawn = wanted;
    return { width, colours };
  }

  remove() {
    this.menu.close();
    visible.unobserve(this.plot);
    resized.unobserve(this.plot);
    this.root.remove();
  }
}

// Write a text only if it has changed, because every write makes the browser lay out the page.
export function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Parts with an odd index are MathML that Python made from our own texts; the other parts have code in backticks.
function part(content, index) {
  const holder = document.createElement("span");
  if (index % 2) holder.innerHTML = content;
  else holder.append(...coded(content));
  return holder;
}

// Write a text with code in backticks.
export function coded(text) {
  return text.split("`").map((piece, at) => (at % 2 ? code(piece) : piece));
}

function code(text) {
  const element = document.createElement("code");
  element.textContent = text;
  return element;
}
