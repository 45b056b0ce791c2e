// Shapes of a picture by name: one that is drawn again is the same element, so that styles let it travel to its new place.

import { put } from "./plane.js";

// What differs by less than a thousandth of a pixel is the same: as another value it would travel.
const rounded = (value) => Math.round(1000 * value) / 1000;

export class Scene {
  constructor(root) {
    this.root = root;
    this.known = new Map();
  }

  // draw: puts all shapes of the picture; those that it leaves out are gone.
  draw(draw) {
    this.left = new Set(this.known.keys());
    this.last = new Map();
    const made = draw(this);
    for (const name of this.left) {
      this.known.get(name).remove();
      this.known.delete(name);
    }
    return made;
  }

  // The element of a shape, where it is there.
  get(name) {
    return this.known.get(name);
  }

  put(name, tag, attributes = {}, parent = this.root, text = null) {
    this.left.delete(name);
    if (!this.known.has(name)) this.known.set(name, put(parent, tag, { "data-name": name }));
    const element = this.known.get(name);
    this.order(element, parent);
    for (const [attribute, value] of Object.entries(attributes)) {
      const said = String(typeof value === "number" ? rounded(value) : value);
      if (value === null) element.removeAttribute(attribute);
      else if (element.getAttribute(attribute) !== said) element.setAttribute(attribute, said);
    }
    if (text !== null && element.textContent !== text) element.textContent = text;
    return element;
  }

  // In the order in which they are put: what is moved for that does not travel.
  order(element, parent) {
    const before = this.last.get(parent);
    const next = before ? before.nextSibling : parent.firstChild;
    if (next !== element) parent.insertBefore(element, next);
    this.last.set(parent, element);
  }
}
