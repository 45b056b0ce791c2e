// A chart that follows the finger: an SVG of ours, drawn at once. Its axes stay; the parts that the slider moves
// travel.

import { ChartAxis } from "./chart_axis.js";
import { inLines } from "./chart_layout.js";
import { named, placesOf, tableOf, there, walked } from "./chart_reading.js";
import { bars, dots, line } from "./chart_shapes.js";
import { numbers } from "./chart_traces.js";
import { ofSeries } from "./colour.js";
import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { tall } from "./tall.js";
import { announce, widthOf } from "./text.js";

const PHONE = matchMedia("(max-width: 40rem)");
// Pixels: the usual height, and that of a low chart and of charts that share a phone's screen with their slider; type
// of words, and of numbers at an axis.
const [HEIGHT, LOW, TYPE, SMALL] = [225, 180, 14, 12];
// Pixels between the end of a line and the words beside it, and between a line and the words above its dots.
const [AFTER, OVER] = [8, 9];
// The angle of slanted names, in degrees.
const SLANT = 50;

export class LightChart extends SvgFigure {
  constructor() {
    super({ role: "img" });
    this.root.classList.add("att-light");
    this.scene = new Scene(this.svg);
    this.tip = document.createElement("div");
    this.tip.className = "att-tip";
    this.tip.hidden = true;
    this.plot.append(this.tip);
    this.plot.addEventListener("keydown", (event) => this.key(event));
    this.plot.addEventListener("pointermove", (event) => this.point(event));
    this.plot.addEventListener("pointerleave", () => this.read(-1));
  }

  update(sent, labels, words) {
    if (this.sent?.stamp !== sent.stamp) this.series = sent.chart.series.map((one) => ({ ...one, ...numbers(one) }));
    super.update(sent, labels, words);
    this.read(-1);
  }

  called(_, words) {
    return { kind: words.ui.chart, keys: words.ui.chart_keys };
  }

  picture({ width, colours }) {
    const { chart } = this.sent;
    const { large, font } = colours;
    const [type, small] = [TYPE * large, SMALL * large];
    const height = Math.round((PHONE.matches || this.sent.chart.low ? LOW : HEIGHT) * tall());
    // Words beside the ends of lines have a margin of their own.
    const beside = this.series.map(({ said }) => (said?.beside ? AFTER + widthOf(said.text, type, font, 700) : 0));
    const [left, right, top] = [4.2 * type, Math.max(1.2 * type, ...beside), 1.7 * type];
    const level = inLines(chart.x.title, width - left - right, (words) => widthOf(words, type, font));
    // Slant names that do not fit side by side.
    const names = chart.x.names ?? [];
    const longest = Math.max(0, ...names.map((name) => widthOf(name, small, font)));
    this.slant = longest > (width - left - right) / names.length - 2 ? SLANT : 0;
    const below = this.slant ? Math.sin((SLANT * Math.PI) / 180) * longest : 0;
    const bottom = 1.7 * small + below + 1.3 * type * level.length;
    const box = { x: left, y: top, width: width - left - right, height: height - top - bottom };
    const columns = (...names) => this.series.flatMap((one) => names.flatMap((name) => [...(one[name] ?? [])]));
    this.x = new ChartAxis(chart.x, columns("x"), [box.x, box.x + box.width]);
    this.y = new ChartAxis(chart.y, columns("y", "low", "high"), [box.y + box.height, box.y]);
    this.box = box;
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.svg.setAttribute("aria-label", this.sent.note);
    this.scene.draw(() => {
      this.axes(level, { small, type, below });
      // Cut off what lies beyond the axes.
      const inside = this.scene.put("inside", "svg", { ...box, viewBox: Object.values(box).join(" ") });
      const inGroups = this.series.filter(({ style }) => style === "bars");
      // Draw thin lines first, behind the others.
      const isThin = (at) => ["thin", "faint"].includes(this.series[at].style);
      const order = [...this.series.keys()].sort((one, other) => Number(isThin(other)) - Number(isThin(one)));
      order.forEach((at) => {
        const one = this.series[at];
        const colour = ofSeries(one.colour, colours);
        if (one.style === "bars") bars(this, one, at, colour, inside, [inGroups.indexOf(one), inGroups.length]);
        else if (one.style === "dots") dots(this, one, at, colour, large);
        else line(this, one, at, colour, inside, large);
      });
      chart.marks?.forEach((mark, at) => this.mark(mark, at, { type, font }));
      this.series.forEach((one, at) => this.said(one, at, colours));
    });
  }

  axes(level, { small, type, below }) {
    const { x, y, width, height } = this.box;
    const { chart } = this.sent;
    const write = (name, text, place) => this.scene.put(name, "text", place, this.svg, text);
    this.x.ticks().forEach(([one, text]) => {
      const at = this.x.at(one);
      if (!chart.x.names) this.scene.put(`x ${one}`, "path", { class: "att-grid", d: `M${at},${y + height}v4` });
      const down = y + height + 1.2 * small;
      const place = this.slant
        ? { x: at + 4, y: down - 3, "text-anchor": "end", transform: `rotate(${-this.slant} ${at + 4} ${down - 3})` }
        : { x: at, y: down, "text-anchor": "middle", transform: null };
      place["font-size"] = small;
      write(`x ${one} text`, text, place);
    });
    this.y.ticks().forEach(([one, text]) => {
      const at = this.y.at(one);
      this.scene.put(`y ${one}`, "path", { class: "att-grid", d: `M${x},${at}h${width}` });
      const place = { x: x - 6, y: at + 0.35 * small, "text-anchor": "end", "font-size": small };
      write(`y ${one} text`, text, place);
    });
    level.forEach((words, at) => {
      const place = {
        x: x + width / 2,
        y: y + height + 1.7 * small + below + (at + 0.9) * 1.2 * type,
        "text-anchor": "middle",
      };
      write(`x title ${at}`, words, place);
    });
    const middle = y + height / 2;
    const upright = { x: type, y: middle, "text-anchor": "middle", transform: `rotate(-90 ${type} ${middle})` };
    write("y title", chart.y.title, upright);
  }

  // A vertical line with its word. A place beyond the axis gets an arrow at its end.
  mark({ x, text }, at, { type, font }) {
    const { box } = this;
    const isSeen = this.x.sees(x);
    const here = this.scene.put(`mark ${at}`, "g");
    const across = isSeen ? this.x.at(x) : box.x + box.width;
    here.style.transform = `translate(${across}px, 0px)`;
    if (isSeen) this.scene.put(`mark ${at} line`, "path", { class: "att-mark", d: `M0,${box.y}v${box.height}` }, here);
    const said = isSeen ? text : `${text} →`;
    const half = widthOf(said, type, font) / 2;
    const over = Math.max(0, across + half - box.x - box.width) - Math.max(0, half - across);
    const place = { x: -over, y: box.y - 0.45 * type, "text-anchor": "middle" };
    this.scene.put(`mark ${at} text`, "text", place, here, said);
  }

  // Words at a line: ending or beginning above a point of it, or beside its end. A background keeps other lines from
  // showing through.
  said({ said, colour }, at, colours) {
    if (!said) return;
    const { font, large } = colours;
    const fill = ofSeries(colour, colours);
    if (said.beside) {
      const place = { x: this.x.at(said.x) + AFTER, y: this.y.at(said.y) + 0.35 * TYPE * large };
      const look = { class: "att-line-name", "text-anchor": "start", fill };
      this.scene.put(`beside ${at}`, "text", { ...look, ...place }, this.svg, said.text);
      return;
    }
    const long = widthOf(said.text, TYPE * large, font, 700);
    const least = this.box.x + long + 4;
    const here = this.scene.put(`said ${at}`, "g");
    const x = said.after ? this.x.at(said.x) + AFTER + long : Math.max(this.x.at(said.x) - 4, least);
    const y = Math.max(this.y.at(said.y) - OVER * large, this.box.y + TYPE * large);
    here.style.transform = `translate(${x}px, ${y}px)`;
    const plate = {
      class: "att-plate",
      x: -long - 2,
      y: -0.9 * TYPE * large,
      width: long + 4,
      height: 1.15 * TYPE * large,
    };
    this.scene.put(`said ${at} plate`, "rect", plate, here);
    const look = { class: "att-line-name", "text-anchor": "end", fill };
    this.scene.put(`said ${at} text`, "text", look, here, said.text);
  }

  point({ clientX, pointerType }) {
    if (!this.x || pointerType === "touch") return;
    const across = clientX - this.svg.getBoundingClientRect().x;
    const away = placesOf(this.series).map((one) => Math.abs(this.x.at(one) - across));
    this.read(away.indexOf(Math.min(...away)));
  }

  // Move along the x axis by key; the values at the new place are announced and shown.
  key(event) {
    const at = walked(event.key, this.at, placesOf(this.series));
    if (at === null) return;
    event.preventDefault();
    event.stopPropagation();
    const told = this.read(at);
    if (told) announce(told);
  }

  // Show the values at a place along x, and put them into words; -1 hides them.
  read(at) {
    this.at = at;
    this.tip.hidden = at < 0 || !this.x;
    if (this.tip.hidden) return "";
    const { chart } = this.sent;
    const x = placesOf(this.series)[at];
    const [place, lines] = [named(chart.x, x), there(this.series, x)];
    this.tip.textContent = [place, ...lines].join("\n");
    const across = Math.min(this.x.at(x), this.box.x + this.box.width);
    const isLate = across > this.box.x + this.box.width / 2;
    Object.assign(this.tip.style, {
      left: isLate ? "" : `${across + 8}px`,
      right: isLate ? `${this.plot.clientWidth - across + 8}px` : "",
      top: `${this.box.y}px`,
    });
    return `${chart.x.title} ${place}: ${lines.join("; ")}`;
  }

  fill() {
    this.table.replaceChildren(tableOf(this.sent, this.series, this.words));
  }
}
