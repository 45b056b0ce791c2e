// A picture of which one part is chosen, by pointer or by key: a listbox as in the ARIA practices.

import { SvgFigure } from "./svg_figure.js";

export class Listbox extends SvgFigure {
  constructor(report) {
    super({ role: "listbox" });
    this.report = report;
    this.options = [];
    this.keyedInside();
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  update(sent, labels, words) {
    this.svg.setAttribute("aria-label", sent.title);
    super.update(sent, labels, words);
  }

  // Keep the focus on the chosen part when a new picture replaces the old one, so that keys go on working.
  picture(due) {
    const isHeld = this.svg.contains(document.activeElement);
    this.svg.replaceChildren();
    this.options = this.compose(due);
    this.options.forEach((one, index) => one.addEventListener("click", () => this.take(index)));
    if (isHeld) this.options.find((one) => one.tabIndex === 0).focus({ preventScroll: true });
  }

  // Draw the picture, and return its options.
  compose(_) {
    return [];
  }

  /** @returns {Record<string, any>} */
  option(isChosen, label) {
    return { role: "option", tabindex: isChosen ? 0 : -1, "aria-selected": isChosen, "aria-label": label };
  }

  take(row) {
    this.report({ figure: this.sent.id, row, column: 0 });
  }

  key(event) {
    const at = this.options.indexOf(document.activeElement);
    const last = this.options.length - 1;
    const moves = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
    if (event.key in moves) {
      const next = Math.min(Math.max(moves[event.key], 0), last);
      this.options.forEach((one, index) => one.setAttribute("tabindex", index === next ? 0 : -1));
      this.options[next].focus();
    } else if ((event.key === "Enter" || event.key === " ") && at >= 0) {
      this.take(at);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
