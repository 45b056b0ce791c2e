// What the last change did: a line of meters, before → now, and what is said of it.

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
    // Written again it would be read aloud again.
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
