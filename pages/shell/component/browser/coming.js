// A figure whose parts travel from their former place when it is drawn for the first time.

import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

// A subclass draws in compose(due), and starts the motion in come().
export class Coming extends SvgFigure {
  constructor(name) {
    super({ role: "img" });
    this.root.classList.add(name);
    this.scene = new Scene(this.svg);
  }

  picture(due) {
    this.svg.setAttribute("aria-label", this.sent.title);
    this.scene.draw(() => this.compose(due));
    if (!this.came && !still.matches) this.come();
    this.came = true;
  }

  /** @param {any} _ */
  compose(_) {}

  come() {}
}
