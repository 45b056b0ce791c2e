// The effect of the last change: meters with the value before and now, and a sentence.

import { coded, put } from "./figure.js";

export class Measured {
  constructor() {
    this.root = document.createElement("section");
    this.root.className = "att-moved";
    this.list = document.createElement("dl");
    this.text = document.createElement("p");
    this.text.setAttribute("role", "status");
    this.root.append(this.list, this.text);
  }

  update({ meters, said }) {
    this.list.replaceChildren(...meters.map((meter) => measured(...meter)));
    // Write a sentence only when it is new, because writing makes a screen reader say it again.
    if (this.text.dataset.said !== said.join(" "))
      this.text.replaceChildren(...coded((this.text.dataset.said = said.join(" "))));
  }

  remove() {
    this.root.remove();
  }
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
