// A lecture in several windows of one browser: all of them are at the same stop, and show its answer together.

import { clock, stopClock } from "./clock.js";
import { arrived, listens, presses } from "./lecture_keys.js";
import { cover, keepInSight, leaveStage, uncover } from "./lecture_stage.js";

const channel = new BroadcastChannel("attention-lecture");
// Key of the stop whose answer is revealed: a page that is loaded again, as after a restart of the server, reveals it again.
const REVEALED = "attention-revealed";

let known = null;
let shown = null;
let asked = null;
let wasBlack = false;
// Milliseconds between two values of a control in a lecture that plays by itself; also how long the bar's buttons stay.
const PACE = 3000;
/** @type {(stop: any) => void} */
let report = () => {};

channel.onmessage = ({ data }) => {
  if (!known || data.name !== known.name) return;
  if ("black" in data) {
    wasBlack = data.black;
    document.documentElement.toggleAttribute("data-lecture-black", wasBlack);
    return;
  }
  // A new window asks the others for their stop.
  if (data.joins) channel.postMessage(known);
  else if (data.stop !== known.stop) {
    known = data;
    report(data.stop);
  } else if (data.asks !== known.asks) {
    known = data;
    agree();
  }
};

// Reveal the answer here as in the other windows. A window that is still on its way to the stop does so when it arrives.
function agree() {
  if (shown !== `${known.name} ${known.stop}` || asked === known.asks) return;
  document.querySelector(".st-key-lecture-reveal button:not(:disabled)")?.click();
}

// Go to a stop of the lecture.
export const goTo = (stop) => report(stop);

listens({
  isOn: () => "lecture" in document.documentElement.dataset,
  go: goTo,
  // After the last stop, the key opens the results of the room.
  end: () => document.querySelector(".att-results-open:not([hidden])")?.click(),
  dark: (turns) => black(turns && !document.documentElement.hasAttribute("data-lecture-black")),
});

// Darken or light all windows, since none of them knows whether it is the one on the projector.
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
  // The bar reserves the room of the answer, so that the figure stays where it is when the answer comes.
  if (isNew) keepInSight(lecture);
  asked = lecture.asks;
  keepRevealed(isFirst);
  if (isNew) {
    if (lecture.plays) play(shown);
    // Focus the page, so that arrow keys scroll it. At the start of a lecture the focus leaves the control that started it.
    const page = document.querySelector("[data-testid=stMain]");
    page?.setAttribute("tabindex", "-1");
    if (known?.name !== name || document.activeElement === document.body) page?.focus({ preventScroll: true });
    // Close the popover that started the lecture, because it would cover the first stop.
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
  leaveStage();
}

// Play a stop: turn its control through all values, or, without a control, play the sentences about the steps.
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

// Show the buttons of the bar on a projector while the pointer moves.
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
