// What is set and has not reached the address yet: the value of a slider while it is held, and what a click in a figure
// asks Streamlit to set.

import { parameters, whenChanged } from "./address.js";

const values = new Map();
const listeners = new Set();
let names = new Set();

// controls: the names of all settings.
export function knows(controls) {
  names = new Set(controls);
}

// listener: called with the name of a setting that has another value under the finger.
export function whenMoved(listener) {
  listeners.add(listener);
}

// The settings of the screen: those of the address, and what is set beyond them.
export function settings() {
  const all = parameters();
  for (const [name, text] of values) all.set(name, text);
  return all;
}

export function isHeld() {
  return values.size > 0;
}

export function set(name, text) {
  if (values.get(name) === text || (!values.has(name) && parameters().get(name) === text)) return;
  values.set(name, text);
  listeners.forEach((listener) => listener(name));
}

// What is held no longer; without names, all of it.
export function letGo(held = [...values.keys()]) {
  for (const name of held) if (values.delete(name)) listeners.forEach((listener) => listener(name));
}

const before = new Map();

// The address has caught up with what was held where it has another value of it.
whenChanged(() => {
  const now = parameters();
  for (const name of values.keys()) if (now.get(name) !== before.get(name)) values.delete(name);
  before.clear();
  now.forEach((text, name) => before.set(name, text));
});
parameters().forEach((text, name) => before.set(name, text));

// Streamlit's sliders are inputs below an element that is named after their control. What is read aloud is the number or,
// of a choice, the option; its input counts places.
function look(input) {
  if (!isTouched(input)) return;
  const place = [...(input.closest("[class*=st-key-]")?.classList ?? [])].find((one) => one.startsWith("st-key-"));
  const name = place?.slice("st-key-".length);
  if (!names.has(name)) return;
  const text = input.getAttribute("aria-valuetext") ?? input.value;
  set(name, Number(text) === Number(input.value) ? String(Number(text)) : text);
}

// Streamlit moves sliders as well, to what was set elsewhere: that is no news, and may be late.
let pressed = null;
const isTouched = (input) => input === document.activeElement || Boolean(pressed?.contains(input));
addEventListener("pointerdown", ({ target }) => { pressed = target.closest?.("[class*=st-key-]"); }, { capture: true });
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => { pressed = null; }, { capture: true });

const changes = new MutationObserver((records) => {
  for (const { target } of records) if (target.matches("input[type=range]")) look(target);
});
changes.observe(document.documentElement, { subtree: true, attributeFilter: ["aria-valuetext", "value"] });
addEventListener("input", ({ target }) => target.matches?.("input[type=range]") && look(target), { capture: true });
