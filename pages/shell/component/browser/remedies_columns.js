// One row under several remedies, one column for each, or two side by side if there is little room. A column has a
// name, a sentence about the remedy, a picture over the words of the row, and a part below them; picture and part are
// drawn by the figure.

import { ofSeries } from "./colour.js";
import { Scene } from "./scene.js";
import { clip } from "./sentence_line.js";
import { SvgFigure } from "./svg_figure.js";
import { broken, widthOf } from "./text.js";

// Pixels: type; between two columns, the widest column, the widest place of a word, type of the sentence; all but the
// first again for widths below the last number.
const TYPE = 14;
const WIDE = { gap: 40, column: 420, word: 110, why: 14 };
const NARROW = { gap: 16, column: 420, word: 110, why: 12, below: 700 };
// The width of the menu at the right edge.
const MENU = 40;
// How far the type of words shrinks before they are slanted; the gap, as a part of a place, before the share that no
// word gets.
const [LESS, APART] = [0.78, 0.4];

export class RemedyColumns extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-remedies");
    this.scene = new Scene(this.svg);
  }

  // The part of the data that a figure draws: at least tokens, and a colour for each column.
  columns() {
    return { tokens: [], colours: [] };
  }

  // A word apart behind the others; "" for none.
  further() {
    return "";
  }

  // Pixels of the parts of a column: between sentence and picture, the picture, and below its words.
  rooms(_) {
    return { over: 0, high: 0, under: 0 };
  }

  // Draw the picture of a column from x on, standing on a line at y, and the part below its words from y on.
  inside(_at, _x, _y) {}
  below(_at, _x, _y) {}

  // Draw the part above all columns; returns its lower end.
  above(_width) {
    return 0;
  }

  picture({ width, colours }) {
    const { labels } = this.sent;
    const drawn = this.columns();
    const { large, font } = colours;
    const isNarrow = width < NARROW.below * large;
    const sizes = isNarrow ? NARROW : WIDE;
    const count = drawn.colours.length;
    const across = isNarrow ? Math.min(count, 2) : count;
    const gap = sizes.gap * large;
    // The menu takes the right edge.
    const menu = isNarrow ? 0 : MENU * large;
    const wide = Math.min((width - menu - (across - 1) * gap) / across, sizes.column * large);
    const small = sizes.why * large;
    const whys = labels.whys.map((why) => broken(why, wide, small, font));
    const known = { large, font, type: TYPE * large, small, wide, isNarrow, whys, colours };
    const head = 1.3 * known.type + 1.3 * small * Math.max(...whys.map((lines) => lines.length));
    this.layout = { ...known, ...this.wordsBelow(wide, colours), head, rooms: this.rooms(known) };
    const { type, footed, rooms } = this.layout;
    const column = head + rooms.over + rooms.high + footed + rooms.under;
    let height = 0;
    this.scene.draw(() => {
      const top = this.above(width);
      for (let at = 0; at < count; at++)
        this.column(at, (at % across) * (wide + gap), top + Math.floor(at / across) * (column + type));
      height = top + Math.ceil(count / across) * (column + type) - type;
    });
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", this.sent.note);
  }

  // The words below each picture: the room of one, their type, whether they are slanted, and their height.
  wordsBelow(wide, { large, font }) {
    const { tokens } = this.columns();
    const further = this.further();
    const heads = [...tokens.map((token) => clip(token)), ...(further ? [further] : [])];
    const step = Math.min(wide / (heads.length + (further ? APART : 0)), WIDE.word * large);
    const type = TYPE * large;
    const longest = (size) => Math.max(...heads.map((token) => widthOf(token, size, font)));
    const worded = longest(type) <= step - 3 ? type : LESS * type;
    const isSlanted = longest(worded) > step - 2;
    const footed = isSlanted ? Math.max(3 * type, 1.3 * type + 0.9 * longest(worded)) : 1.7 * type;
    return { heads, step, worded, isSlanted, footed, further };
  }

  column(at, x, y) {
    const { labels } = this.sent;
    const { tokens } = this.columns();
    const { type, small, whys, heads, step, head, rooms, footed, further } = this.layout;
    this.write(`name ${at}`, labels.names[at], { x, y: y + type, class: "att-remedy", fill: this.colour(at) });
    whys[at].forEach((why, line) => {
      const place = { x, y: y + 1.3 * type + (1 + 1.3 * line) * small, class: "att-why", "font-size": small };
      this.write(`why ${at} ${line}`, why, place);
    });
    const bottom = y + head + rooms.over + rooms.high;
    this.inside(at, x, bottom);
    // Leave out words that stand closer than their type is high.
    const every = Math.ceil(type / step);
    heads.forEach((token, place) => {
      const isFurther = Boolean(further) && place === tokens.length;
      if ((!isFurther && place % every) || (isFurther && !this.hasFurther(at))) return;
      this.token(token, `${at} ${place}`, x + this.middle(place), bottom + 1.2 * type);
    });
    this.below(at, x, bottom + footed);
  }

  // Whether a bar stands over the word apart.
  hasFurther(_at) {
    return true;
  }

  // The middle of a word's place, or of the word apart.
  middle(place) {
    const { step } = this.layout;
    return (place + 0.5 + (place < this.columns().tokens.length ? 0 : APART)) * step;
  }

  colour(at) {
    return ofSeries(this.columns().colours[at], this.layout.colours);
  }

  write(name, text, attributes) {
    return this.scene.put(name, "text", attributes, this.svg, text);
  }

  token(token, name, x, y) {
    const place = this.layout.isSlanted
      ? { "text-anchor": "end", transform: `rotate(-62 ${x} ${y})` }
      : { "text-anchor": "middle", transform: null };
    this.write(`token ${name}`, token, { x, y, ...place, "font-size": this.layout.worded });
  }
}
