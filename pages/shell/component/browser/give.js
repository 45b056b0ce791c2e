// What a click or a drag in a figure sets.

import { give as write } from "./address.js";
import { letGo, set } from "./under_finger.js";

// settings: text by name, empty for none; isHeld: more is to come at once, and the address waits for the last of it; isEntry:
// whether it is an entry of the browser's history.
export function give(settings, isHeld = false, isEntry = false) {
  if (isHeld) {
    for (const [name, text] of Object.entries(settings)) set(name, text);
  } else {
    letGo(Object.keys(settings));
    write(settings, isEntry);
  }
}

// Of what was held, what is not to be set after all: the address has it as it was.
export const takeBack = letGo;

// Settings in which `{name}` stands for a value of what was done.
export function filledIn(settings, values) {
  const fill = (text) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  return Object.fromEntries(Object.entries(settings).map(([name, text]) => [name, fill(text)]));
}
