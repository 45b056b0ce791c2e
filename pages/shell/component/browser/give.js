// What a click or a drag in a figure sets: figures' own settings are written into the address, those that have a widget
// are given to Streamlit, and shown meanwhile.

import { write } from "./address.js";
import { set } from "./under_finger.js";

let own = new Set();

// figures: the names of the settings that have no widget.
export function owns(figures) {
  own = new Set(figures);
}

// settings: text by name; tell: gives Streamlit what its widgets are to hold; isHeld: more is to come at once.
export function give(settings, tell, isHeld = false) {
  const all = Object.entries(settings);
  const theirs = all.filter(([name]) => !own.has(name));
  for (const [name, text] of theirs) set(name, text);
  write(Object.fromEntries(all.filter(([name]) => own.has(name))));
  if (theirs.length && !isHeld) tell(Object.fromEntries(theirs));
}

// Settings in which `{name}` stands for a value of what was done.
export function filledIn(settings, values) {
  const fill = (text) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  return Object.fromEntries(Object.entries(settings).map(([name, text]) => [name, fill(text)]));
}
