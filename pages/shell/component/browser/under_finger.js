// What is set and has not reached the address yet: the value of a slider, while it is held and until the server has heard
// of it, and what is dragged in a figure.

import { parameters, whenChanged } from "./address.js";

// name to text, and the slider that holds it, if it is one.
const values = new Map();
const listeners = new Set();
// What each setting is before it is touched, and of sliders along words, which setting a word stands for.
let first = {};
let ids = {};

// controls: by name, what it is at first; words: by name, the settings of words that a slider shows.
export function knows(controls, words) {
  [first, ids] = [controls, words];
}

// listener: called with the name of a setting that has another value under the finger.
export function whenMoved(listener) {
  listeners.add(listener);
}

// The settings of the screen: those of the address, and what is set beyond them.
export function settings() {
  const all = parameters();
  for (const [name, { text }] of values) {
    if (text === first[name]) all.delete(name);
    else all.set(name, text);
  }
  return all;
}

export function isHeld() {
  return values.size > 0;
}

const inAddress = (name) => parameters().get(name) ?? first[name] ?? "";
const isSame = (a, b) => a === b || (a !== "" && Number(a) === Number(b));

export function set(name, text, input = null) {
  if (isSame(values.get(name)?.text ?? inAddress(name), text)) return;
  values.set(name, { text, input });
  listeners.forEach((listener) => listener(name));
}

// What is held no longer; without names, all of it.
export function letGo(held = [...values.keys()]) {
  for (const name of held) if (values.delete(name)) listeners.forEach((listener) => listener(name));
}

// The address has it, or its slider is gone: the server has set something else.
export function heard() {
  letGo(
    [...values]
      .filter(([name, { text, input }]) => input && (isSame(inAddress(name), text) || !input.isConnected))
      .map(([name]) => name),
  );
}
whenChanged(heard);

// Streamlit's sliders are inputs below an element that is named after their control. What is read aloud is the number or,
// of a choice, the option; its input counts places.
export function nameOf(input) {
  const place = [...(input.closest("[class*=st-key-]")?.classList ?? [])].find((one) => one.startsWith("st-key-"));
  return place?.slice("st-key-".length).replace(/--\d+$/, "");
}

function look(input) {
  if (!isTouched(input)) return;
  const name = nameOf(input);
  if (!(name in first)) return;
  const said = input.getAttribute("aria-valuetext") ?? input.value;
  // A number may be written with a true minus.
  const text = said.replace("−", "-");
  set(name, ids[name]?.[said] ?? (Number(text) === Number(input.value) ? String(Number(text)) : text), input);
}

// Streamlit moves sliders as well, to what was set elsewhere: that is no news, and may be late.
let pressed = null;
const isTouched = (input) => input === document.activeElement || Boolean(pressed?.contains(input));
addEventListener(
  "pointerdown",
  ({ target }) => {
    pressed = target.closest?.("[class*=st-key-]") ?? null;
  },
  { capture: true },
);
for (const end of ["pointerup", "pointercancel"])
  addEventListener(
    end,
    () => {
      const wasDragged = isDragged();
      pressed = null;
      // What was held back is due now.
      if (wasDragged) listeners.forEach((listener) => listener(null));
    },
    { capture: true },
  );

// Whether a pointer holds a slider that has moved.
export const isDragged = () => pressed !== null && isHeld();

const changes = new MutationObserver((records) => {
  for (const { target } of records) if (target.matches("input[type=range]")) look(target);
});
changes.observe(document.documentElement, { subtree: true, attributeFilter: ["aria-valuetext", "value"] });
addEventListener("input", ({ target }) => target.matches?.("input[type=range]") && look(target), { capture: true });
