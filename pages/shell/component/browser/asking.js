// The heads of a layer for one word: each has a line of weights along the sentence, and the question that it answers.

import { Listbox } from "./listbox.js";
import { Scene } from "./scene.js";
import { clip } from "./sentence_line.js";
import { shown, widthOf } from "./text.js";

// Pixels: a line with much room, a line below words, and a line among many; type.
const [ROOMY, BELOW, TIGHT, TYPE] = [31, 27, 23, 15];
// Words over the weights: their type, large or small, the room between two of them, and their height.
const [WORDS, APART, HIGH] = [[12, 11], 3, 16];
const FEW = 4;
// The least width of a column of lines.
const COLUMN = 300;

const box = (...sizes) => {
  const [x, y, wide, high] = sizes.map((size) => Number(size.toFixed(2)));
  return `M${x},${y}h${wide}v${high}h${-wide}Z`;
};

export class Asking extends Listbox {
  constructor(report) {
    super(report);
    this.root.classList.add("att-asking");
    this.scene = new Scene(this.svg);
    // The room before the names in pixels.
    this.indent = 0;
    // The widest box of a weight.
    this.cell = 40;
    this.svg.addEventListener("click", ({ target }) => {
      const at = target.closest("[data-at]")?.dataset.at;
      if (at !== undefined) this.take(Number(at));
    });
  }

  called(_, words) {
    return { kind: words.ui.asking, keys: words.ui.asking_keys };
  }

  picture(due) {
    const isHeld = this.options.includes(document.activeElement);
    this.options = this.scene.draw(() => this.compose(due));
    if (isHeld && !this.options.includes(document.activeElement)) this.options[0]?.focus({ preventScroll: true });
  }

  compose({ width, colours: { large, font } }) {
    const { asks } = this.sent.asking;
    const beside = asks.length > FEW && width > 2 * COLUMN * large ? 2 : 1;
    const each = Math.ceil(asks.length / beside);
    const wide = (width - (beside - 1) * 16 * large) / beside;
    const room = this.room(wide, large, font);
    const isNamed = asks.length <= FEW && this.named(this.boxes({ x: 0, wide, large, room }), large, font);
    const high = (asks.length > FEW ? TIGHT : isNamed ? BELOW : ROOMY) * large;
    const top = isNamed ? HIGH * large : 0;
    Object.entries({ width, height: top + each * high + 2, "font-size": TYPE * large }).forEach((pair) =>
      this.svg.setAttribute(...pair),
    );
    return asks.map((ask, at) =>
      this.head(ask, at, {
        x: Math.floor(at / each) * (wide + 16 * large),
        y: top + (at % each) * high + 1,
        wide,
        high,
        large,
        room,
      }),
    );
  }

  // Write the words over the weights, if each has room. Returns whether they have.
  named({ start, one }, large, font) {
    const words = this.sent.asking.tokens.map((token) => clip(token));
    const fits = (size) => words.every((word) => widthOf(word, size * large, font) + APART * large <= one);
    const size = large * (WORDS.find(fits) ?? 0);
    if (!size) return false;
    words.forEach((word, at) => {
      const place = {
        class: "att-share-word att-small",
        x: start + (at + 0.5) * one,
        y: 11 * large,
        "font-size": size,
      };
      this.scene.put(`word ${at}`, "text", place, this.svg, word);
    });
    return true;
  }

  // The widths of a line's name and of its text.
  room(wide, large, font, [ofName, ofSaid] = [0.36, 0.48]) {
    const { named, said } = this.sent.labels;
    const longest = (texts, share) =>
      Math.min(share * wide, Math.max(...texts.map((text) => widthOf(text, TYPE * large * 1.08, font))) + 14 * large);
    return { name: this.indent * large + longest(named, ofName), said: longest(said, ofSaid) };
  }

  // The start of a line's boxes, and the distance from one to the next.
  boxes({ x, wide, large, room }) {
    const count = this.sent.asking.tokens.length;
    const from = x + room.name + room.said + 10 * large;
    const one = Math.min(this.cell * large, (x + wide - 8 * large - from) / count);
    return { start: x + wide - 8 * large - one * count, one };
  }

  head({ weights }, at, { x, y, wide, high, large, room }) {
    const {
      labels: { named, said },
      asking: { head, tokens, asks },
    } = this.sent;
    const label = [named[at], said[at]].join(": ");
    const option = this.scene.put(
      `head ${at}`,
      "g",
      { class: "att-head-line", "data-at": at, ...this.option(at === head, label) },
      this.svg,
    );
    this.scene.put(
      `box ${at}`,
      "rect",
      { class: "att-head-box", x: x + 1, y, width: wide - 2, height: high - 3, rx: 6 },
      option,
    );
    const base = y + high / 2 + 0.26 * TYPE * large;
    this.scene.put(
      `name ${at}`,
      "text",
      { class: "att-head-name", x: x + (8 + this.indent) * large, y: base },
      option,
      named[at],
    );
    const isClear = asks[at].answer >= 0;
    this.scene.put(
      `said ${at}`,
      "text",
      { class: isClear ? "att-head-said att-clear" : "att-head-said", x: x + 6 * large + room.name, y: base },
      option,
      said[at],
    );
    const { start, one } = this.boxes({ x, wide, large, room });
    const gap = one > 8 ? 2 : 0.5;
    const tall = high - 12 * large;
    const top = y + (high - 3 - tall) / 2;
    // One path holds a head's frames and one its weights: with a bar for each word, each would start a transition.
    const boxes = (heights) =>
      heights
        .map((part, index) => box(start + index * one, top + tall * (1 - part), Math.max(one - gap, 1), tall * part))
        .join("");
    this.scene.put(`frames ${at}`, "path", { class: "att-share-frame", d: boxes(tokens.map(() => 1)) }, option);
    const shares = tokens.map((_, index) => Math.min(weights[index], 1));
    this.scene.put(`shares ${at}`, "path", { class: "att-share", d: boxes(shares) }, option);
    return option;
  }

  key(event) {
    const as = { ArrowUp: "ArrowLeft", ArrowDown: "ArrowRight" }[event.key];
    if (!as) return super.key(event);
    super.key({
      key: as,
      preventDefault: () => event.preventDefault(),
      stopPropagation: () => event.stopPropagation(),
    });
  }

  headAndLines() {
    const {
      labels: { named, said },
      asking: { tokens, asks },
    } = this.sent;
    const { words } = this;
    return [
      [words.ui.arcs_from, ...named],
      [
        ...tokens.map((token, at) => [token, ...asks.map(({ weights }) => shown(weights[at]))]),
        [words.ui.asking_says, ...said],
      ],
    ];
  }
}
