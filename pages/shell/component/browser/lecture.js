// A lecture in several windows of one browser: the stop that they are at, what it shows, and what it covers.

import { clock, stopClock } from "./clock.js";
import { arrived, listens, presses } from "./lecture_keys.js";
import { seekAll } from "./live.js";
import { outline } from "./outline.js";
import { unfold } from "./seek.js";

const channel = new BroadcastChannel("attention-lecture");
// The stop whose answer is seen: a page that is loaded again, after the server was restarted, shows it again.
const REVEALED = "attention-revealed";

let known = null;
let shown = null;
let watch = null;
let comes = null;
let covers = null;
let uncovers = null;
let asked = null;
let wasBlack = false;
// Milliseconds between two values of a knob that turns by itself.
const PACE = 3000;
// And until what a stop names is said to be nowhere on its page.
const AWAITED = 5000;
let misses = 0;
/** @type {(stop: any) => void} */
let report = () => {};

channel.onmessage = ({ data }) => {
  if (!known || data.name !== known.name) return;
  if ("black" in data) {
    wasBlack = data.black;
    document.documentElement.toggleAttribute("data-lecture-black", wasBlack);
    return;
  }
  // A window that has just been opened joins those that are there.
  if (data.joins) channel.postMessage(known);
  else if (data.stop !== known.stop) {
    known = data;
    report(data.stop);
  } else if (data.asks !== known.asks) {
    known = data;
    agree();
  }
};

// The answer is seen in all windows or in none; a window that is on its way to the stop sees to it there.
function agree() {
  if (shown !== `${known.name} ${known.stop}` || asked === known.asks) return;
  document.querySelector(".st-key-lecture-reveal button:not(:disabled)")?.click();
}

// To a stop of the lecture that is on.
export const goTo = (stop) => report(stop);

listens({
  isOn: () => "lecture" in document.documentElement.dataset,
  go: goTo,
  // Behind the last stop stand the results of a room.
  end: () => document.querySelector(".att-results-open:not([hidden])")?.click(),
  dark: (turns) => black(turns && !document.documentElement.hasAttribute("data-lecture-black")),
});

// In all windows: which of them is on the wall, nobody says.
function black(isBlack) {
  if (isBlack === wasBlack) return;
  wasBlack = isBlack;
  document.documentElement.toggleAttribute("data-lecture-black", isBlack);
  channel.postMessage({ name: known.name, black: isBlack });
}

export function follow(lecture, onStop) {
  const { name, stop } = lecture;
  report = onStop;
  document.documentElement.dataset.lecture = name;
  document.documentElement.toggleAttribute("data-lecture-plays", lecture.plays);
  clock(lecture.clock);
  const isFirst = shown === null;
  const isNew = shown !== `${name} ${stop}`;
  shown = `${name} ${stop}`;
  // The answer has its room in the bar before it comes: what the stop shows stays where it is.
  if (isNew) keepInSight(lecture);
  asked = lecture.asks;
  keepRevealed(isFirst);
  if (isNew) {
    if (lecture.plays) play(shown);
    // Arrow keys then scroll the page, and not nothing. Where a lecture begins, what started it has no more use for keys.
    const page = document.querySelector("[data-testid=stMain]");
    page?.setAttribute("tabindex", "-1");
    if (known?.name !== name || document.activeElement === document.body) page?.focus({ preventScroll: true });
    // Nor has the popover that it was started in: it would cover the first stop.
    if (known?.name !== name) document.querySelector("[data-testid=stPopoverButton][aria-expanded=true]")?.click();
    arrived(stop);
  }
  cover(lecture);
  if (!asked) uncover();
  if (known?.name === name && known.stop === stop && (known.asks === lecture.asks || isNew)) return agree();
  const joins = known?.name !== name;
  known = { name, stop, asks: lecture.asks };
  channel.postMessage(joins ? { ...known, joins } : known);
}

function keepRevealed(isFirst) {
  const place = shown;
  if (isFirst && asked && sessionStorage.getItem(REVEALED) === place)
    return presses("reveal", () => asked && shown === place);
  if (asked) sessionStorage.removeItem(REVEALED);
  else sessionStorage.setItem(REVEALED, place);
}

export function endLecture() {
  delete document.documentElement.dataset.lecture;
  for (const name of ["plays", "black"]) document.documentElement.removeAttribute(`data-lecture-${name}`);
  stopClock();
  cover(null);
  comes?.disconnect();
  mark(null);
  seekAll(() => false);
}

const escaped = (text) => CSS.escape(text);

// What a stop shows: a figure, in the container if there is one, else the container.
function target({ figure, at }) {
  const place = at ? document.querySelector(`.st-key-${escaped(at)}, .st-key-plot-${escaped(at)}`) : null;
  if (!figure) return place;
  const card = `.att-card[data-figure="${escaped(figure)}"]`;
  return (place ?? document).querySelector(card);
}

// The figures of a new page come after the bar that names one of them, and what is above them grows after that: what
// the stop shows is kept in sight until somebody takes over.
function keepInSight(lecture) {
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
  // A page that still computes may have it in a while.
  const missed = () => {
    const app = document.querySelector("[data-testid=stApp]");
    if (app?.dataset.testScriptState !== "notRunning") misses = setTimeout(missed, AWAITED);
    else document.querySelector(".st-key-lecture-bar")?.setAttribute("data-misses", lecture.missing);
  };
  const main = document.querySelector("[data-testid=stMainBlockContainer]");
  watch = new ResizeObserver(look);
  watch.observe(main);
  // A figure whose room was kept for it comes without any change of size.
  comes = new MutationObserver(() => target(lecture) && look());
  comes.observe(main, { childList: true, subtree: true });
  const bar = document.querySelector(".st-key-lecture-bar");
  if (bar) watch.observe(bar);
}

// What the stop shows has a row of its own on a wall, where three charts side by side are too small to be read.
function mark(shows) {
  document
    .querySelectorAll("[data-lecture-shows]")
    .forEach((old) => old === shows || old.removeAttribute("data-lecture-shows"));
  shows?.setAttribute("data-lecture-shows", "");
}

// Into the middle of what the bars at the top and at the bottom leave free; what is higher than that, from its top.
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

// The answer shows headings that nobody saw when they came, once Streamlit has taken away what hid them.
function uncover() {
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

// What is to be covered may come after the stop, and be made anew.
function cover(lecture) {
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

// The knob of the stop is turned until its values begin again; where there is none, the sentences about the steps are told.
function play(of) {
  let turns = 0;
  const go = () => {
    if (shown !== of || turns > 12) return;
    const [turn, tell] = [".st-key-lecture-turn button", ".att-told [data-does=play]"].map((key) =>
      document.querySelector(key),
    );
    if (turn) {
      turns += 1;
      turn.click();
    } else if (tell) return tell.click();
    setTimeout(go, PACE);
  };
  setTimeout(go, PACE);
}

// The buttons of the bar are seen on a wall while somebody points.
let pointed = 0;
document.addEventListener(
  "pointermove",
  () => {
    document.documentElement.toggleAttribute("data-lecture-pointed", true);
    clearTimeout(pointed);
    pointed = setTimeout(() => document.documentElement.removeAttribute("data-lecture-pointed"), PACE);
  },
  { passive: true },
);

for (const act of ["wheel", "touchstart", "pointerdown", "keydown"]) {
  document.addEventListener(act, () => watch?.disconnect(), { capture: true, passive: true });
}
