// Names that several arcs share, with parts of several colours.

import { put } from "./plane.js";

// Arcs in groups that have one name, in the order of the first of each. shared: what they have it for, "" for nothing.
/**
 * @param {Record<string, any>[]} ones
 * @param {(one: Record<string, any>) => string} shared
 */
export function together(ones, shared) {
  /** @type {Record<string, any>[][]} */
  const groups = [];
  for (const one of ones) {
    const why = shared(one);
    const group = why ? groups.find(([first]) => shared(first) === why) : null;
    if (group) group.push(one);
    else groups.push([one]);
  }
  return groups;
}

// The parts of a name one after the other, each in its colour, null for that of the text.
/**
 * @param {SVGElement} element
 * @param {{ text: string, fill: string | null }[] | null | undefined} parts
 */
export function tinted(element, parts) {
  if (!parts) return;
  element.replaceChildren();
  for (const { text, fill } of parts) {
    const part = put(element, "tspan", {});
    part.textContent = text;
    part.style.fill = fill ?? "";
  }
}
