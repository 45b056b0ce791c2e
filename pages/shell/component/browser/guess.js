// A question at its picture: its answers as buttons or, if they have places in a chart, as points of it. After a choice
// the right answer stands beside it.

import { make, write } from "./elements.js";
import { give } from "./give.js";

export const MARKS = { right: "✓ ", wrong: "✗ ", told: "", "": "" };
// Pixels: type, the pointer from the words to their place, the room around them.
const [TYPE, AWAY, ROOM] = [14, 34, 4];
const heard = new WeakSet();

export class Guess {
  constructor() {
    this.root = make("div", "att-guess");
    this.root.setAttribute("role", "group");
    this.asked = make("p", "att-guess-asked", this.root);
    this.answers = make("div", "att-buttons", this.root);
    this.told = make("div", "att-prose att-guess-told", this.root);
    this.told.setAttribute("aria-live", "polite");
  }

  update({ question, html, answers, told }) {
    this.root.dataset.question = question;
    write(this.asked, html);
    this.root.setAttribute("aria-label", this.asked.textContent);
    while (this.answers.children.length > answers.length) this.answers.lastChild.remove();
    answers.forEach((one, at) => {
      const button = this.answers.children[at] ?? make("button", "att-button", this.answers);
      button.type = "button";
      write(button, MARKS[one.verdict] + one.html);
      button.dataset.verdict = one.verdict;
      button.setAttribute("aria-pressed", one.pressed);
      button.onclick = () => give(one.sets);
    });
    write(this.told, told.html);
  }

  remove() {
    this.root.remove();
  }
}

// The answers that stand in a chart. A figure alone has no question above it, and a lecture asks by itself.
export function answersIn({ ghosts = [] }) {
  return ["alone", "lecture"].some((one) => one in document.documentElement.dataset) ? [] : ghosts;
}

// The answers of a chart as annotations of Plotly: words with a pointer to their place.
export function inPicture(chart, { large, text, page, series }) {
  const { x, y } = chart;
  return answersIn(chart).map((one, at) => {
    const colour = one.verdict === "right" ? series[2] : text;
    return {
      x: x.log ? Math.log10(one.x) : one.x,
      y: y.log ? Math.log10(one.y) : one.y,
      text: MARKS[one.verdict] + (one.verdict === "right" ? `<b>${plain(one.text)}</b>` : plain(one.text)),
      font: { size: TYPE * large, color: colour },
      captureevents: true,
      showarrow: true,
      arrowhead: 6,
      arrowsize: 0.8,
      arrowcolor: colour,
      ax: -AWAY * large,
      ay: (at % 2 ? 1 : -1) * 0.6 * AWAY * large,
      bgcolor: page,
      bordercolor: colour,
      borderwidth: one.verdict ? 2 : 1,
      borderpad: ROOM,
    };
  });
}

// Set what a click on an answer sets. ghosts: the answers that are drawn now.
export function clicked(canvas, ghosts) {
  if (heard.has(canvas) || !canvas.on) return;
  heard.add(canvas);
  canvas.on("plotly_clickannotation", ({ index }) => {
    const one = ghosts()?.[index];
    if (one) give(one.sets);
  });
}

// Escape text, since Plotly reads a subset of HTML.
function plain(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
