// What the last change did: a line of meters, before → now, and what is said of it.

import { coded, put } from "./figure.js";
import { changed, leave } from "./ghosts.js";

const shown = new WeakMap();

export function moved(parent, { meters, said, ...change }) {
  changed(change);
  if (!shown.has(parent)) shown.set(parent, made(parent));
  const { list, text } = shown.get(parent);
  list.replaceChildren(...meters.map((meter) => measured(...meter)));
  // Written again it would be read aloud again.
  if (text.dataset.said !== said.join(" ")) text.replaceChildren(...coded((text.dataset.said = said.join(" "))));
  return () => {
    leave();
    shown.get(parent).root.remove();
    shown.delete(parent);
  };
}

function made(parent) {
  const root = document.createElement("section");
  root.className = "att-moved";
  const list = document.createElement("dl");
  const text = document.createElement("p");
  text.setAttribute("role", "status");
  root.append(list, text);
  parent.append(root);
  return { root, list, text };
}

function measured(name, now, before, isKept) {
  const meter = document.createElement("div");
  meter.toggleAttribute("data-kept", Boolean(isKept));
  const [label, value, old, number] = ["dt", "dd", "span", "strong"].map((tag) => document.createElement(tag));
  put(label, name);
  put(number, now);
  if (before) {
    old.className = "att-was";
    put(old, `${before} → `);
    value.append(old);
  }
  value.append(number);
  meter.append(label, value);
  return meter;
}
