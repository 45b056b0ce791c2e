// The keys of a lecture, as a clicker sends them: they go before everything that is not being typed into. One stop is
// left at a time: while the next is on its way, further keys are counted, and what they add up to follows.

export const KEYS = {
  PageDown: "next",
  ArrowRight: "next",
  PageUp: "previous",
  ArrowLeft: "previous",
  " ": "reveal",
  t: "turn",
};
// No clicker sends these to what stands on a page, wherever somebody was last.
const ALWAYS = ["PageDown", "PageUp"];
const TYPED = "input:not([type=range], [type=radio], [type=checkbox]), textarea, select, [contenteditable=true]";
// What has keys of its own, and what Space and Enter press. They are its own where somebody came to it by key; what was
// clicked keeps the focus, and would take the keys of the lecture.
const OWN = "[role=application], [role=slider], [role=radio], [role=option], [role=listbox], [role=tab], input";
const PRESSED = "button, summary, a, [role=button]";
const STEPS = { next: 1, previous: -1 };
// Milliseconds in which a stop that was asked for comes, if it comes at all, and in which its page is drawn.
const [AWAITED, DRAWN] = [10_000, 4000];

// Whether what has the focus was given it by a pointer.
let isClicked = false;
let isPointing = false;
addEventListener("pointerdown", () => (isPointing = true), { capture: true, passive: true });
addEventListener("focusin", () => (isClicked = isPointing), { capture: true });

/** @type {{ isOn: () => boolean, go: (stop: any) => void, end: () => void, dark: (turns: any) => void }} */
const lecture = { isOn: () => false, go: () => {}, end: () => {}, dark: () => {} };
// The stop that was left while its successor is on its way; the keys that were pressed meanwhile.
const way = { from: null, steps: 0, reveals: false, timer: 0 };

// isOn: whether a lecture is; go: to a stop; end: beyond the last one; dark: hears of each key whether it turns the wall black.
export function listens(given) {
  Object.assign(lecture, given);
}

addEventListener(
  "keydown",
  (event) => {
    isPointing = false;
    if (!lecture.isOn() || event.ctrlKey || event.altKey || event.metaKey) return;
    const name = KEYS[event.key];
    if (document.querySelector("dialog[open]") || (isTaken(event) && !ALWAYS.includes(event.key))) return;
    if (withoutButton(event) || (name && act(name))) {
      event.preventDefault();
      event.stopPropagation();
    }
  },
  { capture: true },
);

function isTaken({ target, key }) {
  if (!target.closest) return false;
  if (target.closest(TYPED)) return true;
  if (isClicked) return false;
  return Boolean(target.closest(OWN) || ([" ", "Enter"].includes(key) && target.closest(PRESSED)));
}

// Keys that have no button: a black wall and back, as b and the full stop of a clicker; digits and Enter for a stop.
let digits = "";
function withoutButton({ key }) {
  const turnsBlack = key === "b" || key === ".";
  lecture.dark(turnsBlack);
  const goes = key === "Enter" && digits !== "";
  if (goes) leaves(Number(digits));
  digits = /^\d$/.test(key) ? (digits + key).slice(-2) : "";
  return goes || turnsBlack;
}

const button = (name) => document.querySelector(`.st-key-lecture-${name} button`);

// Whether the lecture has a use for what a key means.
function act(name) {
  if (way.from !== null) {
    if (name in STEPS) way.steps += STEPS[name];
    else if (name === "reveal") way.reveals = !way.reveals;
    return true;
  }
  const found = button(name);
  if (!found) return false;
  if (found.disabled) {
    if (name === "next") lecture.end();
    return true;
  }
  if (name in STEPS) awaits();
  found.click();
  return true;
}

let at = null;

function awaits() {
  Object.assign(way, { from: at, steps: 0, reveals: false });
  clearTimeout(way.timer);
  way.timer = setTimeout(() => (way.from = null), AWAITED);
}

function leaves(stop) {
  awaits();
  lecture.go(stop);
}

// A stop is there: its bar, and soon its page. What was pressed meanwhile follows when that is drawn.
export function arrived(stop) {
  at = stop;
  if (way.from === null) return;
  clearTimeout(way.timer);
  whenStill(
    () => at === stop,
    () => {
      const { steps, reveals } = way;
      way.from = null;
      const wanted = Math.max(1, stop + steps);
      if (wanted !== stop && !button(wanted > stop ? "next" : "previous")?.disabled) leaves(wanted);
      else if (reveals) act("reveal");
    },
  );
}

// isWanted: whether it still is, while the page is drawn.
export function presses(name, isWanted) {
  whenStill(isWanted, () => button(name)?.click());
}

function whenStill(isWanted, then) {
  const until = performance.now() + DRAWN;
  (function look() {
    if (!isWanted()) return;
    const isStill = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning";
    if (isStill || performance.now() > until) then();
    else setTimeout(look, 50);
  })();
}
