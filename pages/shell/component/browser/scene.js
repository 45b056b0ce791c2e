// Shapes of a picture by name. A shape that is drawn again keeps its element, so that styles can let it travel.

import { put } from "./plane.js";

// Round to a thousandth of a pixel, because any change of a value starts a transition.
const rounded = (value) => Math.round(1000 * value) / 1000;

export class Scene {
  constructor(root) {
    this.root = root;
    this.known = new Map();
  }

  // draw: puts all shapes of the picture; shapes that it does not put are removed.
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

  // The element of a shape, if there is one.
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

  // Keep elements in the order of drawing; an element that is moved for that loses its transition.
  order(element, parent) {
    const before = this.last.get(parent);
    const next = before ? before.nextSibling : parent.firstChild;
    if (next !== element) parent.insertBefore(element, next);
    this.last.set(parent, element);
  }
}
