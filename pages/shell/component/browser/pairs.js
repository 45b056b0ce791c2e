// Numbers before and after a change: two bars side by side from one line of zero, straight below the words if the
// numbers belong to words. The first time, the bars of after grow from those of before; the change of each may stand
// below.

import { apart } from "./column_names.js";
import { Coming } from "./coming.js";
import { clip, placed } from "./sentence_line.js";
import { fixed, shown, widthOf } from "./text.js";

// Pixels: from the lowest to the highest bar, the same for the range of a slider, the widest bar, type of names and of
// numbers.
const [HIGH, HIGHER, WIDE, NAME, NUMBER] = [60, 110, 34, 14, 12];
// The widest column of a number without a word, and the width of a pair with both of its numbers.
const [COLUMN, WRITTEN] = [110, 70];
const SIDES = ["before", "after"];
// The least width of a change's number in lines of narrow bars; milliseconds in which bars grow.
const [FAR, TRAVEL] = [48, 900];

export class Pairs extends Coming {
  constructor() {
    super("att-pairs");
  }

  // Animate the bars of after from the length of before to their own.
  come() {
    for (const after of this.svg.querySelectorAll(".att-pair-after[data-of]")) {
      const before = this.scene.get(`before ${after.dataset.of}`);
      if (!before) continue;
      const frames = [before, after].map((one) => ({
        y: `${one.getAttribute("y")}px`,
        height: `${one.getAttribute("height")}px`,
      }));
      after.animate(frames, { duration: TRAVEL, easing: "ease-in-out" });
    }
  }

  compose({ width, colours }) {
    const { large, font, series } = colours;
    this.series = series;
    const { names, before, after, areWords, ends } = this.sent.pairs;
    const beside = this.sent.pairs.far ? widthOf(this.sent.labels.far, NAME * large, font) : 0;
    const line = areWords ? placed(names, width, colours) : spread(names.length, width, large, beside);
    const all = ends ?? [...before, ...after].filter((one) => one !== null);
    const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
    const unit = ((ends ? HIGHER : HIGH) * large) / (high - low || 1);
    const top = (this.sides(areWords && line.isWide, large, font) + NUMBER + 6) * large;
    const layout = { line, large, unit, zero: top + high * unit };
    const bottom = layout.zero - low * unit;
    const middles = line.columns.map(({ middle }) => middle);
    this.scene.put("zero", "line", {
      ...{ class: "att-zero", y1: layout.zero, y2: layout.zero },
      ...{ x1: middles[0] - WIDE * large, x2: middles.at(-1) + WIDE * large },
    });
    this.bars(before, 0, layout);
    this.bars(after, 1, layout);
    const named = bottom + this.names(names, bottom, layout);
    const height = named + this.far(named, layout, font);
    Object.entries({ width: line.width, height, "font-size": NAME * large }).forEach((pair) =>
      this.svg.setAttribute(...pair),
    );
  }

  // The legend of the two bars, above all of them, or one below the other in the room beside the first word. Returns
  // its height above the bars, in pixels before scaling.
  sides(areBeside, large, font) {
    let [x, y] = [0, 0];
    for (const side of SIDES) {
      const text = this.sent.labels[side];
      const box = { class: `att-pair-${side}`, x, y: y + 3 * large, width: 12 * large, height: 12 * large };
      this.tinted(this.scene.put(`sign ${side}`, "rect", box), side);
      const place = { class: "att-side-said", x: x + 17 * large, y: y + NAME * large };
      this.scene.put(`said ${side}`, "text", place, undefined, text);
      if (areBeside) y += (NAME + 6) * large;
      else x += widthOf(text, NAME * large, font) + 38 * large;
    }
    return areBeside ? 0 : NAME + 4;
  }

  // Colour a bar of after in the colour of its head.
  tinted(bar, side) {
    const { head } = this.sent.pairs;
    if (side === "after" && head !== undefined) bar.style.fill = this.series[head % this.series.length];
  }

  bars(numbers, side, { line, large, unit, zero }) {
    const isRoomy = line.columns.every(({ width }) => width >= WRITTEN * large);
    numbers.forEach((number, at) => {
      const { middle, width } = line.columns[at];
      const wide = Math.max(Math.min(WIDE * large, (width - 6 * large) / 2), 0.5);
      const x = middle + (side - 1) * wide + (2 * side - 1) * Math.min(large, width / 20);
      const long = Math.abs(number ?? 0) * unit;
      const place = { x, width: wide, y: number > 0 ? zero - long : zero, height: Math.max(long, 1) };
      const name = `${SIDES[side]} ${at}`;
      const look = { class: `att-pair-${SIDES[side]}`, "data-of": at };
      if (number !== null) this.tinted(this.scene.put(name, "rect", { ...look, ...place }), SIDES[side]);
      if (!isRoomy) return;
      const y = (number > 0 ? place.y : zero) - 4 * large;
      const text = { class: "att-number", x: x + wide / 2, y, "font-size": NUMBER * large };
      this.scene.put(`number ${name}`, "text", text, undefined, number === null ? "–" : fixed(number, 2));
    });
  }

  // Names below the bars, slanted if they would run into each other. Returns their height in pixels.
  names(names, bottom, { line, large }) {
    const isFlat = !this.sent.pairs.areWords || line.isWide;
    const shownNames = isFlat
      ? apart(
          names.map(() => 0),
          line,
          large,
          -1,
          16,
        )
      : names.keys();
    for (const at of shownNames) {
      const { middle } = line.columns[at];
      const [x, y] = isFlat ? [middle, bottom + 17 * large] : [middle + 4, bottom + line.slanted - 4];
      const turned = isFlat
        ? { x, y, transform: null }
        : { x: null, y: null, transform: `translate(${x},${y}) rotate(-60)` };
      this.scene.put(
        `name ${at}`,
        "text",
        { class: isFlat ? "att-pair-name" : "att-slanted", ...turned },
        undefined,
        clip(names[at]),
      );
    }
    return (isFlat ? 22 * large : line.slanted) + 2;
  }

  // The change of each number, below its name, in one line with their title if that ends before the first one. Returns
  // their height in pixels.
  far(top, { line, large }, font) {
    const { far } = this.sent.pairs;
    if (!far) return 0;
    const y = top + NAME * large;
    this.scene.put("far", "text", { class: "att-pair-far", x: 0, y }, undefined, this.sent.labels.far);
    const isBeside = widthOf(this.sent.labels.far, NAME * large, font) < line.columns[0].middle - (FAR / 2) * large;
    const below = isBeside ? y : y + (NAME + 4) * large;
    const written = apart(
      far.map((one) => one ?? 0),
      line,
      large,
      -1,
      FAR,
    );
    for (const at of written) {
      // Numbers stay inside the picture, also at its edge.
      const x = Math.max(line.columns[at].middle, (FAR / 2) * large);
      const place = { class: "att-pair-far att-number", x, y: below };
      if (far[at] !== null) this.scene.put(`far ${at}`, "text", place, undefined, signed(far[at]));
    }
    return below - top + 6 * large;
  }

  headAndLines() {
    const {
      labels,
      pairs: { names, before, after, far },
    } = this.sent;
    const said = (number) => (number === null ? this.words.ui.masked : shown(number));
    return [
      [labels.name, labels.before, labels.after, ...(far ? [labels.far] : [])],
      names.map((name, at) => [name, said(before[at]), said(after[at]), ...(far ? [said(far[at])] : [])]),
    ];
  }
}

const signed = (number) => `${number > 0 ? "+" : ""}${fixed(number, 2)}`;

// Columns for numbers without words. beside: pixels of the text at their left.
function spread(count, width, large, beside) {
  const wide = Math.min(COLUMN * large, (width - 4 - beside) / count);
  const columns = Array.from({ length: count }, (_, at) => ({ middle: 2 + beside + (at + 0.5) * wide, width: wide }));
  return { isWide: true, columns, width };
}
