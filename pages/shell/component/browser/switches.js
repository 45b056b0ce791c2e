// The heads of a layer for one word, each in its colour, with a switch if the right answers without it are known.

import { Asking } from "./asking.js";

// Pixels: a switch, the room before the names, and the widest box of a weight.
const [WIDE, HIGH, INDENT, CELL] = [34, 18, 48, 28];

export class Switches extends Asking {
  constructor(report) {
    super(report);
    this.root.classList.add("att-switches");
    this.svg.setAttribute("role", "group");
    this.indent = INDENT;
    this.cell = CELL;
  }

  called(_, words) {
    return { kind: words.ui.switches, keys: words.ui.switches_keys };
  }

  compose(due) {
    this.series = due.colours.series;
    return super.compose(due);
  }

  option(_, label) {
    return { "aria-label": label, ...(this.sent.asking.fixed ? { role: "img" } : { role: "switch", tabindex: 0 }) };
  }

  head(ask, at, place) {
    const { off, fixed, colours } = this.sent.asking;
    const isOn = !off.includes(at);
    const option = super.head(ask, at, place);
    if (!fixed) option.setAttribute("aria-checked", isOn);
    option.classList.toggle("att-off", !isOn);
    option.style.setProperty("--att-own", this.series[(colours[at] ?? at) % this.series.length]);
    const { x, y, high, large } = place;
    const [left, top, round] = [x + 8 * large, y + (high - 3 - HIGH * large) / 2, (HIGH / 2) * large];
    this.scene.put(
      `track ${at}`,
      "rect",
      { class: "att-track", x: left, y: top, width: (fixed ? HIGH : WIDE) * large, height: HIGH * large, rx: round },
      option,
    );
    if (!fixed)
      this.scene.put(
        `knob ${at}`,
        "circle",
        {
          class: "att-knob",
          cx: left + (isOn ? (WIDE - HIGH / 2) * large : round),
          cy: top + round,
          r: round - 3 * large,
        },
        option,
      );
    return option;
  }

  take(at) {
    if (!this.sent.asking.fixed) super.take(at);
  }
}
