// Settings that have not reached the address yet: the value of a slider while it is held and until the server has heard
// of it, and values of a drag in a figure.

import { parameters, whenChanged } from "./address.js";

// The text of each setting by name, and the slider that holds it, if any.
const values = new Map();
const listeners = new Set();
// The default of each setting; for sliders along words, the setting that each word stands for.
let first = {};
let ids = {};

// controls: the default of each setting, by name; words: the settings of the words along a slider, by name.
export function knows(controls, words) {
  [first, ids] = [controls, words];
}

// Call listener with the name of a setting whose value under the finger has changed.
export function whenMoved(listener) {
  listeners.add(listener);
}

// The settings of the screen: those of the address, with the held values in their place.
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

// Forget held settings; without names, all of them.
export function letGo(held = [...values.keys()]) {
  for (const name of held) if (values.delete(name)) listeners.forEach((listener) => listener(name));
}

// Forget a slider's value once the address has it, or when the slider is gone because the server has set something
// else.
export function heard() {
  letGo(
    [...values]
      .filter(([name, { text, input }]) => input && (isSame(inAddress(name), text) || !input.isConnected))
      .map(([name]) => name),
  );
}
whenChanged(heard);

// The control of a slider: Streamlit puts the input below an element that is named after it. The aria text has the
// number or the option; the input itself counts places.
export function nameOf(input) {
  const place = [...(input.closest("[class*=st-key-]")?.classList ?? [])].find((one) => one.startsWith("st-key-"));
  return place?.slice("st-key-".length).replace(/--\d+$/, "");
}

// A number as the server spells it in the address: 1.0 if the default has a point. Otherwise the address, once written,
// would ask for the same figures again.
const spelt = (name, number) =>
  Number.isInteger(number) && first[name].includes(".") ? `${number}.0` : String(number);

function look(input) {
  if (!isTouched(input)) return;
  const name = nameOf(input);
  if (!(name in first)) return;
  const said = input.getAttribute("aria-valuetext") ?? input.value;
  // The text may have a true minus sign.
  const text = said.replace("−", "-");
  set(name, ids[name]?.[said] ?? (Number(text) === Number(input.value) ? spelt(name, Number(text)) : text), input);
}

// Ignore moves by Streamlit, which moves sliders after the server, perhaps late. Only a focused or pressed slider
// counts.
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
      // Views that were not asked for during the drag are due now.
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
