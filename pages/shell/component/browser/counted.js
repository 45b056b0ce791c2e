// A sentence with bars of what it counts: one bar for each way, as long as its share, in the colour of the figures
// above.

import { ofSeries, theme } from "./colour.js";
import { make, write } from "./elements.js";

export class Counted {
  constructor() {
    this.root = make("div", "att-counted");
    this.text = make("div", "att-prose", this.root);
    const counts = make("div", "att-counts", this.root);
    this.said = make("p", "", counts);
    this.list = make("dl", "", counts);
  }

  /** @param {Record<string, any>} block */
  update({ html, said, bars }) {
    write(this.text, html);
    write(this.said, said.html);
    const colours = theme(this.root);
    const lines = [...this.list.children];
    lines.slice(bars.length).forEach((one) => one.remove());
    bars.forEach((bar, at) => {
      const line = lines[at] ?? this.line();
      const [name, track, number] = line.children;
      write(name, bar.html);
      write(number, bar.written);
      const colour = ofSeries(bar.colour, colours);
      [name, number].forEach((one) => (one.style.color = colour));
      Object.assign(track.firstChild.style, { background: colour, width: `${100 * bar.share}%` });
    });
  }

  // One line: the name, the bar, which repeats the number, and the number.
  line() {
    const line = make("div", "", this.list);
    make("dt", "", line);
    const track = make("dd", "att-counted-track", line);
    track.setAttribute("aria-hidden", "true");
    make("div", "", track);
    make("dd", "", line);
    return line;
  }

  remove() {
    this.root.remove();
  }
}
