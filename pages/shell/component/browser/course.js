// A number at each stop of the slider above, every point below its stop, with a dot at the chosen stop.

import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { filled } from "./text.js";

// Pixels: the height, and on a phone; the radius of the dot; the slider's track ends half a thumb inside the slider.
const [HIGH, LOW, DOT, THUMB] = [46, 26, 5, 6];
const PHONE = matchMedia("(max-width: 40rem)");

export class Course extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-course");
    this.scene = new Scene(this.svg);
  }

  picture({ width, colours }) {
    const { course, labels, note } = this.sent;
    const height = (PHONE.matches ? LOW : HIGH) * colours.large;
    const [top, bottom] = [DOT + 1, height - DOT - 1];
    const apart = (width - 2 * THUMB) / Math.max(1, course.shares.length - 1);
    const x = (at) => THUMB + at * apart;
    const y = (share) => bottom - share * (bottom - top);
    Object.entries({ width, height, "aria-label": note }).forEach((pair) => this.svg.setAttribute(...pair));
    const points = course.shares.map((share, at) => `${x(at).toFixed(1)},${y(share).toFixed(1)}`).join("L");
    const ends = [x(0), x(course.shares.length - 1)];
    const drawn = (name, tag, attributes) => this.scene.put(name, tag, attributes);
    this.scene.draw(() => {
      drawn("under", "path", { class: "att-course-under", d: `M${ends[0]},${bottom}L${points}L${ends[1]},${bottom}Z` });
      for (const end of [top, bottom])
        drawn(`end ${end}`, "path", { class: "att-course-end", d: `M${ends[0]},${end}H${ends[1]}` });
      drawn("course", "path", { class: "att-course-line", d: `M${points}` });
      const here = drawn("here", "g", {});
      here.style.transform = `translate(${x(course.at)}px, ${y(course.shares[course.at])}px)`;
      this.scene.put("dot", "circle", { class: "att-course-here", r: DOT }, here);
      course.shares.forEach((_, at) => {
        const place = { x: x(at) - apart / 2, y: 0, width: apart, height };
        const field = drawn(`field ${at}`, "rect", { class: "att-lane-field", ...place });
        const words = { stop: labels.stops[at], share: labels.written[at] };
        this.scene.put(`tells ${at}`, "title", {}, field, filled(labels.told, words));
      });
    });
  }

  headAndLines() {
    const { labels } = this.sent;
    return [[labels.stop, labels.share], labels.stops.map((stop, at) => [stop, labels.written[at]])];
  }
}
