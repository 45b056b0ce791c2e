// What a stop of a lecture shows and covers: its figure is kept in sight and marked, and its answer stays covered.

import { seekAll } from "./live.js";
import { outline } from "./outline.js";
import { unfold } from "./seek.js";

// Milliseconds until the bar says that the page has no such figure.
const AWAITED = 5000;
// Observers of the page: sizes and new figures, until the reader takes over; figures to cover; the end of the cover.
let watch = null;
let comes = null;
let covers = null;
let uncovers = null;
let misses = 0;

const escaped = (text) => CSS.escape(text);

// The element that a stop shows: its figure, inside the container of the stop if it names one; without a figure, the container.
function target({ figure, at }) {
  const place = at ? document.querySelector(`.st-key-${escaped(at)}, .st-key-plot-${escaped(at)}`) : null;
  if (!figure) return place;
  const card = `.att-card[data-figure="${escaped(figure)}"]`;
  return (place ?? document).querySelector(card);
}

// Keep the figure of the stop in sight until somebody scrolls, touches or presses a key: figures arrive after the lecture's bar,
// and elements above them still grow.
export function keepInSight(lecture) {
  watch?.disconnect();
  comes?.disconnect();
  seekAll(() => Boolean(lecture.figure) && !target(lecture));
  if (!lecture.figure && !lecture.at) return;
  const look = () => {
    const shows = target(lecture);
    mark(shows);
    if (shows) {
      comes.disconnect();
      unfold(shows);
      scroll(shows);
    }
    clearTimeout(misses);
    document.querySelector(".st-key-lecture-bar")?.removeAttribute("data-misses");
    if (!shows) misses = setTimeout(missed, AWAITED);
  };
  // A page that still computes may show the figure later.
  const missed = () => {
    const app = document.querySelector("[data-testid=stApp]");
    if (app?.dataset.testScriptState !== "notRunning") misses = setTimeout(missed, AWAITED);
    else document.querySelector(".st-key-lecture-bar")?.setAttribute("data-misses", lecture.missing);
  };
  const main = document.querySelector("[data-testid=stMainBlockContainer]");
  watch = new ResizeObserver(look);
  watch.observe(main);
  // A figure with a reserved place arrives without a change of size, which the ResizeObserver would miss.
  comes = new MutationObserver(() => target(lecture) && look());
  comes.observe(main, { childList: true, subtree: true });
  const bar = document.querySelector(".st-key-lecture-bar");
  if (bar) watch.observe(bar);
}

// Mark the figure of the stop. On a projector it gets a row of its own, since three charts side by side are too small to read.
function mark(shows) {
  document
    .querySelectorAll("[data-lecture-shows]")
    .forEach((old) => old === shows || old.removeAttribute("data-lecture-shows"));
  shows?.setAttribute("data-lecture-shows", "");
}

// Scroll the figure to the middle of the area between the two bars, or to its top edge if it is higher than that area.
function scroll(shows) {
  const page = document.querySelector("[data-testid=stMain]");
  const edge = (key, side, otherwise) => document.querySelector(key)?.getBoundingClientRect()[side] || otherwise;
  const knobs = document.querySelector(".st-key-bar")?.parentElement;
  const sticks = knobs && getComputedStyle(knobs).position === "sticky";
  const top = 8 + edge("[data-testid=stHeader]", "bottom", 0) + (sticks ? knobs.offsetHeight : 0);
  const bottom = edge(".st-key-lecture-bar", "top", innerHeight) - 8;
  const box = shows.getBoundingClientRect();
  const free = Math.max(0, bottom - top - box.height);
  page.scrollBy({ top: box.top - top - free / 2, behavior: "instant" });
}

// Update the outline once Streamlit has removed the question, because the answer adds headings.
export function uncover() {
  uncovers?.disconnect();
  uncovers = new MutationObserver(look);
  uncovers.observe(document.querySelector("[data-testid=stMainBlockContainer]"), { childList: true, subtree: true });
  look();
  function look() {
    if (document.querySelector(".st-key-lecture-asks")) return;
    uncovers.disconnect();
    outline();
  }
}

// Cover the figures of the answer, also those that arrive later or are made again. null: cover nothing.
export function cover(lecture) {
  const { covers: figures, figure, at } = lecture ?? {};
  covers?.disconnect();
  const cards = figures?.map((id) => `.att-card[data-figure="${escaped(id)}"] .att-plot`).join();
  const put = () => {
    const places = new Set(cards ? document.querySelectorAll(cards) : []);
    if (figures && !figure) places.add(target({ figure: null, at }));
    document
      .querySelectorAll("[data-lecture-covers]")
      .forEach((old) => places.has(old) || old.removeAttribute("data-lecture-covers"));
    for (const place of places)
      if (place && !place.hasAttribute("data-lecture-covers")) place.setAttribute("data-lecture-covers", "");
  };
  put();
  if (!figures) return;
  covers = new MutationObserver(put);
  covers.observe(document.querySelector("[data-testid=stMainBlockContainer]"), { childList: true, subtree: true });
}

// Stop keeping the figure in sight, and forget the figure of the last stop.
export function leaveStage() {
  cover(null);
  comes?.disconnect();
  mark(null);
  seekAll(() => false);
}

for (const act of ["wheel", "touchstart", "pointerdown", "keydown"]) {
  document.addEventListener(act, () => watch?.disconnect(), { capture: true, passive: true });
}
