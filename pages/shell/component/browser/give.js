// Set controls by a click or a drag in a figure.

import { give as write } from "./address.js";
import { letGo, set } from "./under_finger.js";

// settings: text by name, empty for none; isHeld: more values follow at once, so the address waits for the last one;
// isEntry: make an entry of the browser's history.
export function give(settings, isHeld = false, isEntry = false) {
  if (isHeld) {
    for (const [name, text] of Object.entries(settings)) set(name, text);
  } else {
    letGo(Object.keys(settings));
    write(settings, isEntry);
  }
}

// Discard held settings; the address keeps its own.
export const takeBack = letGo;

// Settings with every `{name}` replaced by the value of that name.
export function filledIn(settings, values) {
  const fill = (text) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  return Object.fromEntries(Object.entries(settings).map(([name, text]) => [name, fill(text)]));
}
