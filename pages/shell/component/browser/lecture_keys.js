// The keys of a lecture, as clickers send them. They come first unless somebody types. One stop is left at a time: keys
// that arrive while the next stop is on its way are counted, and their sum follows.

export const KEYS = {
  PageDown: "next",
  ArrowRight: "next",
  PageUp: "previous",
  ArrowLeft: "previous",
  " ": "reveal",
  t: "turn",
};
// Keys that only a clicker sends, wherever the focus is.
const ALWAYS = ["PageDown", "PageUp"];
const TYPED = "input:not([type=range], [type=radio], [type=checkbox]), textarea, select, [contenteditable=true]";
// Elements with keys of their own, and elements that Space and Enter press. They keep these keys if they got the focus
// by key; an element that was clicked keeps the focus as well, and would take the keys from the lecture.
const OWN = "[role=application], [role=slider], [role=radio], [role=option], [role=listbox], [role=tab], input";
const PRESSED = "button, summary, a, [role=button]";
const STEPS = { next: 1, previous: -1 };
// Milliseconds in which a requested stop arrives, if at all, and in which its page is drawn.
const [AWAITED, DRAWN] = [10_000, 4000];

// Whether the focused element got the focus by a pointer.
let isClicked = false;
let isPointing = false;
addEventListener("pointerdown", () => (isPointing = true), { capture: true, passive: true });
addEventListener("focusin", () => (isClicked = isPointing), { capture: true });

/** @type {{ isOn: () => boolean, go: (stop: any) => void, end: () => void, dark: (turns: any) => void }} */
const lecture = { isOn: () => false, go: () => {}, end: () => {}, dark: () => {} };
// The stop that was left while the next one is on its way, and the keys pressed meanwhile.
const way = { from: null, steps: 0, reveals: false, timer: 0 };

// isOn: whether a lecture runs; go: opens a stop; end: goes beyond the last one; dark: darkens the screen, told with
// each key whether to.
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

// Keys without a button: b and the full stop darken the screen; digits and Enter open a stop.
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

// Act on a key; whether the lecture has used it.
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

// A stop has arrived. Keys pressed meanwhile follow when its page is drawn.
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

// isWanted: whether the press is still wanted while the page is drawn.
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
