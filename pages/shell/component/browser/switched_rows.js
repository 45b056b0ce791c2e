// Heads of which one is opened by a click on its line; before the line, a switch that takes the head out of the model.

import { Asking } from "./asking.js";
import { give } from "./give.js";

// Pixels: a switch, the room before the names.
const [WIDE, HIGH, INDENT] = [30, 16, 38];

export class SwitchedRows extends Asking {
  constructor(report) {
    super(report);
    this.root.classList.add("att-switched-rows");
    this.svg.setAttribute("role", "group");
    this.indent = INDENT;
  }

  option(isChosen, label) {
    return { role: "button", tabindex: isChosen ? 0 : -1, "aria-pressed": isChosen, "aria-label": label };
  }

  head(ask, at, place) {
    const { on, sets } = this.sent.asking.switches[at];
    const option = super.head(ask, at, place);
    option.classList.toggle("att-off", !on);
    if (sets) this.switch(at, on, sets, place);
    return option;
  }

  switch(at, isOn, sets, { x, y, high, large }) {
    const [left, round] = [x + 8 * large, (HIGH / 2) * large];
    const top = y + (high - 3) / 2 - round;
    const group = this.scene.put(
      `switch ${at}`,
      "g",
      {
        class: isOn ? "att-row-switch" : "att-row-switch att-off",
        role: "switch",
        tabindex: 0,
        "aria-checked": isOn,
        "aria-label": this.sent.labels.named[at],
      },
      this.svg,
    );
    const hit = { x, y, width: INDENT * large + 4 * large, height: high - 3, class: "att-hit" };
    this.scene.put(`switch ${at} hit`, "rect", hit, group);
    const track = { x: left, y: top, width: WIDE * large, height: HIGH * large, rx: round, class: "att-track" };
    this.scene.put(`switch ${at} track`, "rect", track, group);
    const cx = left + (isOn ? WIDE * large - round : round);
    this.scene.put(
      `switch ${at} knob`,
      "circle",
      { class: "att-knob", cx, cy: top + round, r: round - 3 * large },
      group,
    );
    group.onclick = () => give(sets);
    group.onkeydown = (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
      give(sets);
    };
  }
}
