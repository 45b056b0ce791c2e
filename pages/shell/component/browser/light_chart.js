// A chart that moves under the finger, as an SVG of ours: lines with bands, dots with error bars and bars, drawn at once. Its axes stand
// still, and what the slider moves travels.

import { ChartAxis } from "./chart_axis.js";
import { inLines } from "./chart_layout.js";
import { named, placesOf, tableOf, there, walked } from "./chart_reading.js";
import { numbers } from "./chart_traces.js";
import { ofSeries } from "./colour.js";
import { MARKS, answersIn } from "./guess.js";
import { give } from "./give.js";
import { Scene } from "./scene.js";
import { SvgFigure } from "./svg_figure.js";
import { tall } from "./tall.js";
import { announce, widthOf } from "./text.js";

const PHONE = matchMedia("(max-width: 40rem)");
// Pixels: the whole height, and that on a phone, where two of them and their slider are in sight; type of words, of numbers at an axis; a dot; from an answer to its place.
const [HEIGHT, LOW, TYPE, SMALL, DOT, AWAY] = [225, 180, 14, 12, 4.5, 34];
// Pixels from the end of a line to the words beside it.
const AFTER = 8;
// Degrees of a name that is slanted.
const SLANT = 50;
// The share of its place that a group of bars takes.
const WIDE = 0.8;

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
    const judged = (chart) => answersIn(chart ?? {}).some(({ verdict }) => verdict);
    // An answer that was just given: what is said of it stands in the note.
    const isNew = this.sent && !judged(this.sent.chart) && judged(sent.chart);
    super.update(sent, labels, words);
    if (isNew) announce(sent.note);
    this.read(-1);
  }

  called(_, words) {
    return { kind: words.ui.chart, keys: words.ui.chart_keys };
  }

  picture({ width, colours }) {
    const { chart } = this.sent;
    const { large, font } = colours;
    const [type, small] = [TYPE * large, SMALL * large];
    const height = Math.round((PHONE.matches ? LOW : HEIGHT) * tall());
    // Words beside the ends of lines have room of their own.
    const beside = this.series.map(({ said }) => (said?.beside ? AFTER + widthOf(said.text, type, font, 700) : 0));
    const [left, right, top] = [4.2 * type, Math.max(1.2 * type, ...beside), 1.7 * type];
    const level = inLines(chart.x.title, width - left - right, (words) => widthOf(words, type, font));
    // Names that have no room beside each other are slanted.
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
    /** @type {any} */
    const focused = document.activeElement;
    this.scene.draw(() => {
      this.axes(level, { small, type, below });
      // What leaves the axes is cut off there.
      const inside = this.scene.put("inside", "svg", { ...box, viewBox: Object.values(box).join(" ") });
      const bars = this.series.filter(({ style }) => style === "bars");
      // Thin lines lie behind the others.
      const isThin = (at) => ["thin", "faint"].includes(this.series[at].style);
      const order = [...this.series.keys()].sort((one, other) => Number(isThin(other)) - Number(isThin(one)));
      order.forEach((at) => {
        const one = this.series[at];
        const colour = ofSeries(one.colour, colours);
        if (one.style === "bars") this.bars(one, at, colour, inside, [bars.indexOf(one), bars.length]);
        else if (one.style === "dots") this.dots(one, at, colour, large);
        else this.line(one, at, colour, inside, large);
      });
      chart.marks?.forEach((mark, at) => this.mark(mark, at, { type, font }));
      this.series.forEach((one, at) => this.said(one, at, colours));
      const answers = answersIn(chart);
      // What can be chosen in a picture is part of it for who hears it, too.
      this.svg.setAttribute("role", answers.length ? "group" : "img");
      this.answers(answers, { type, font, large });
    });
    // An answer that moved among the others has lost the keys.
    if (focused !== document.activeElement && this.svg.contains(focused)) focused.focus();
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

  // One shape for all of a series: side by side with the others where places have names, else touching each other.
  bars({ x, y }, at, fill, inside, [place, count]) {
    const bottom = this.box.y + this.box.height;
    // Where the axis has a zero within it, bars go up and down from there.
    const ground = this.y.sees(0) ? this.y.at(0) : bottom;
    const half = x.length > 1 ? (x[1] - x[0]) / 2 : 0.5;
    const isGrouped = Boolean(this.sent.chart.x.names);
    const wide = (2 * half * WIDE) / count;
    const from = (one) => this.x.at(isGrouped ? one + (place - count / 2) * wide : one - half).toFixed(1);
    const to = (one) => this.x.at(isGrouped ? one + (place + 1 - count / 2) * wide : one + half).toFixed(1);
    const steps = Array.from(x, (one, index) => {
      const down = isGrouped ? `V${ground}` : "";
      return `H${from(one)}V${this.y.at(y[index]).toFixed(1)}H${to(one)}${down}`;
    });
    const d = `M${from(x[0])},${ground}${steps.join("")}V${ground}Z`;
    const look = { class: isGrouped ? "att-bars" : "att-bars att-overlaid", fill };
    this.scene.put(`bars ${at}`, "path", { ...look, d }, inside);
  }

  line({ x, y, style, low, high }, at, stroke, inside, large) {
    const along = (each) =>
      Array.from(x, (one, index) => `${this.x.at(one).toFixed(1)},${this.y.at(each[index]).toFixed(1)}`);
    const points = along(y);
    if (low) {
      const around = `M${[...along(low), ...along(high).reverse()].join("L")}Z`;
      this.scene.put(`band ${at}`, "path", { class: "att-band", fill: stroke, d: around }, inside);
    }
    // A number that is none is a gap.
    const d = points
      .join(" ")
      .split(/(?:\S*NaN\S* ?)+/)
      .map((piece) => piece.trim())
      .filter(Boolean)
      .map((piece) => `M${piece.replaceAll(" ", "L")}`)
      .join("");
    const isThin = style === "theory";
    const wide = { theory: 1.5, thin: 1, faint: 1 }[style] ?? 2.5;
    const look = { class: style === "faint" ? "att-line att-faint" : "att-line", stroke, "stroke-width": wide * large };
    this.scene.put(`line ${at}`, "path", { ...look, "stroke-dasharray": isThin ? "6 4" : null, d }, inside);
  }

  dots({ x, y, low, high }, at, colour, large) {
    const seen = [...x.keys()].filter((index) => this.x.sees(x[index]) && this.y.sees(y[index]));
    const size = DOT * large;
    seen.forEach((index) => {
      const [across, up] = [this.x.at(x[index]), this.y.at(y[index])];
      if (low) {
        const ends = [low, high].map((each) => Math.min(Math.max(this.y.at(each[index]), this.box.y), this.y.from));
        const d = `M${across - size},${ends[0]}h${2 * size}M${across},${ends[0]}V${ends[1]}M${across - size},${ends[1]}h${2 * size}`;
        this.scene.put(`error ${at} ${index}`, "path", { class: "att-error", stroke: colour, d });
      }
      const place = { class: "att-dot", cx: across, cy: up, r: size, fill: colour };
      this.scene.put(`dot ${at} ${index}`, "circle", place);
    });
  }

  // A line upwards with its word; of what the axis does not reach, an arrow at its end.
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

  // Words on a line, which end above a point of it, or stand beside it.
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
    const [x, y] = [Math.max(this.x.at(said.x) - 4, least), Math.max(this.y.at(said.y) - 7, this.box.y + TYPE * large)];
    here.style.transform = `translate(${x}px, ${y}px)`;
    const look = { class: "att-line-name", "text-anchor": "end", fill };
    this.scene.put(`said ${at} text`, "text", look, here, said.text);
  }

  // From the highest on, each below the one before it; before the highest stands what is asked.
  answers(all, { type, font, large }) {
    let middle = this.box.y - type;
    const { asks } = this.sent.chart;
    [...all]
      .sort((one, other) => other.y - one.y)
      .forEach((one, at) => {
        middle = Math.max(middle + 2.1 * type, this.y.at(one.y) - 0.6 * AWAY * large);
        const left = this.answer(one, middle, { type, font, large });
        if (at || !asks) return;
        const place = { x: left - 0.5 * type, y: middle + 0.35 * type, class: "att-asks", "text-anchor": "end" };
        this.scene.put("asks", "text", place, this.svg, asks.brief);
      });
  }

  // An answer that can be guessed: a button with a pointer to its place. Returns where it begins.
  answer({ x, y, text, verdict, sets }, middle, { type, font, large }) {
    const said = MARKS[verdict] + text;
    const [across, up] = [this.x.at(x), this.y.at(y)];
    const wide = widthOf(said, type, font, verdict === "right" ? 700 : 400) + type;
    const right = across - AWAY * large;
    const whole = this.sent.chart.asks?.whole;
    const group = this.scene.put(`answer ${text}`, "g", {
      class: "att-answer",
      "data-verdict": verdict,
      role: "button",
      tabindex: 0,
      "aria-label": whole ? `${whole} ${said}` : said,
    });
    group.onclick = () => give(sets);
    group.onkeydown = (event) => {
      if (!["Enter", " "].includes(event.key)) return;
      event.preventDefault();
      give(sets);
    };
    const put = (name, tag, attributes, words = null) =>
      this.scene.put(`answer ${text} ${name}`, tag, attributes, group, words);
    put("pointer", "path", { d: `M${right},${middle}L${across},${up}` });
    put("place", "circle", { cx: across, cy: up, r: 4 * large });
    put("box", "rect", { x: right - wide, y: middle - 0.9 * type, width: wide, height: 1.8 * type, rx: 3 });
    put("words", "text", { x: right - wide / 2, y: middle + 0.35 * type, "text-anchor": "middle" }, said);
    return right - wide;
  }

  point({ clientX, pointerType }) {
    if (!this.x || pointerType === "touch") return;
    const across = clientX - this.svg.getBoundingClientRect().x;
    const away = placesOf(this.series).map((one) => Math.abs(this.x.at(one) - across));
    this.read(away.indexOf(Math.min(...away)));
  }

  // From one place on the x axis to the next; what stands there is said and shown.
  key(event) {
    const at = walked(event.key, this.at, placesOf(this.series));
    if (at === null) return;
    event.preventDefault();
    event.stopPropagation();
    const told = this.read(at);
    if (told) announce(told);
  }

  // Shows what stands at a place along x, and has it in words; -1 for none.
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
