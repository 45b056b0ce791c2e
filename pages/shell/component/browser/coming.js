// A figure of ours that comes, the first time that it is drawn: what it shows travels there from where it was.

import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

// Its class draws in compose(due), and lets that travel in come().
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
