// An SVG that is filled from top to bottom with lines of text, a picture and a legend.

import { put } from "./plane.js";
import { copied, legible } from "./svg.js";

const EDGE = 14;
const CHIP = 14;
const SCALE_BAR = 100;
// Fonts that a viewer may have instead of the page's. They may be wider, and a line must fit in each of them.
const OTHERS = ["sans-serif", "Arial, sans-serif"];
const SLACK = 0.97;
// Fonts for Chinese characters, which no font of the page has.
const CHINESE = '"Noto Sans CJK SC", "Source Han Sans SC", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei"';
// The pieces of a text: a character of a script without spaces, a run of other characters, or spaces.
const PIECES =
  /[\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]+|\s+/gu;

const ruler = document.createElement("canvas").getContext("2d");

export class Page {
  constructor(colours, width, language) {
    this.colours = colours;
    this.inner = width;
    this.width = width + 2 * EDGE;
    this.height = EDGE;
    this.family = `${colours.font}, ${CHINESE}, sans-serif`;
    const holder = document.createElement("div");
    this.svg = put(holder, "svg", { "font-family": this.family, fill: colours.text });
    // The shape of a Chinese character depends on the language.
    this.svg.setAttributeNS("http://www.w3.org/XML/1998/namespace", "xml:lang", language);
    this.paper = put(this.svg, "rect", { fill: colours.page });
    this.patterns = put(this.svg, "defs");
  }

  write(text, { size, weight }) {
    for (const line of lines(text, (part) => this.measured(part, size, weight) <= this.inner)) {
      this.height += 1.35 * size;
      put(this.svg, "text", {
        x: EDGE,
        y: this.height - 0.3 * size,
        "font-size": size,
        "font-weight": weight,
      }).textContent = line;
    }
    this.height += 4;
  }

  measured(text, size, weight) {
    const widths = [this.family, ...OTHERS].map((family) => {
      ruler.font = `${weight} ${size}px ${family}`;
      return ruler.measureText(text).width;
    });
    return Math.max(...widths) / SLACK;
  }

  // Place a picture, above the hatch that shows through its empty cells.
  place(picture, hatch) {
    if (!hatch.hidden) {
      const [left, top, width, height] = ["left", "top", "width", "height"].map((side) =>
        parseFloat(hatch.style[side]),
      );
      put(this.svg, "rect", {
        class: "hatch",
        x: EDGE + left,
        y: this.height + top,
        width,
        height,
        fill: this.hatched(this.colours.grid, 5.5, 1.5),
      });
    }
    picture.setAttribute("x", EDGE);
    picture.setAttribute("y", this.height);
    this.svg.append(picture);
    this.height += Number(picture.getAttribute("height"));
  }

  hatched(colour, every, thick) {
    const id = `hatch${this.patterns.children.length}`;
    const pattern = put(this.patterns, "pattern", {
      id,
      width: every,
      height: every,
      patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(-45)",
    });
    put(pattern, "rect", { x: every - thick, width: thick, height: every, fill: colour });
    return `url(#${id})`;
  }

  // Write the legend of the card, piece by piece.
  explain(legend) {
    const pieces = [...legend.childNodes].flatMap((node) => this.pieces(node));
    if (!pieces.length) return;
    const end = EDGE + this.inner;
    let x = EDGE;
    this.height += 18;
    for (const { width, draw, last } of pieces) {
      if (x > EDGE && x + width > end) {
        x = EDGE;
        this.height += 18;
      }
      draw(x, this.height - 14);
      x += width + (last ? 14 : 5);
    }
    this.height += 6;
  }

  pieces(node) {
    if (node.nodeType === Node.TEXT_NODE) return [this.words(node.textContent)];
    if (node.localName === "svg") return [{ width: CHIP, draw: (x, y) => this.inside(copied(node), x, y) }];
    if (node.matches(".att-scale"))
      return [this.scale(getComputedStyle(node).backgroundImage.match(/rgba?\([^)]*\)|#[0-9a-f]+/gi))];
    if (node.matches(".att-hatched")) return [this.chip(this.hatched(this.colours.text, 4, 1))];
    if (node.matches(".att-chip")) return [this.chip(getComputedStyle(node).backgroundColor)];
    return [...node.childNodes].flatMap((child) => this.pieces(child));
  }

  words(text) {
    const draw = (x, y) => {
      put(this.svg, "text", { x, y: y + 11.5, "font-size": 12 }).textContent = text;
    };
    return { width: this.measured(text, 12, 400), draw, last: true };
  }

  chip(fill) {
    return {
      width: CHIP,
      draw: (x, y) => put(this.svg, "rect", { x, y, width: CHIP, height: CHIP, fill, stroke: this.colours.grid }),
    };
  }

  scale(colours) {
    const id = `range${this.patterns.children.length}`;
    const range = put(this.patterns, "linearGradient", { id });
    colours.forEach((colour, at) => put(range, "stop", { offset: at / (colours.length - 1), "stop-color": colour }));
    const draw = (x, y) =>
      put(this.svg, "rect", {
        x,
        y: y + 2,
        width: SCALE_BAR,
        height: 10,
        fill: `url(#${id})`,
        stroke: this.colours.grid,
      });
    return { width: SCALE_BAR, draw };
  }

  inside(svg, x, y) {
    svg.setAttribute("x", x);
    svg.setAttribute("y", y);
    this.svg.append(svg);
  }

  done(title, description) {
    const [width, height] = [this.width, this.height + EDGE].map(Math.round);
    for (const element of [this.svg, this.paper])
      Object.entries({ width, height }).forEach((pair) => element.setAttribute(...pair));
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    for (const [name, text] of [
      ["desc", description],
      ["title", title],
    ]) {
      const told = put(this.svg, name);
      told.textContent = text;
      this.svg.prepend(told);
    }
    return { width, height, text: legible(new XMLSerializer().serializeToString(this.svg)) };
  }
}

// Break a text into lines that fit; a piece longer than a line is cut at the end of the line.
function lines(text, fits) {
  const found = [""];
  for (const piece of text.match(PIECES) ?? []) {
    const parts = fits(piece) ? [piece] : [...piece];
    for (const part of parts) {
      if (fits(found.at(-1) + part)) found[found.length - 1] += part;
      else found.push(part.trimStart());
    }
  }
  return found.map((line) => line.trim()).filter(Boolean);
}
