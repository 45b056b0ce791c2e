// A picture of the page as an SVG that stands on its own.

// What CSS says about the elements of an SVG, which has to say it itself where there is no CSS.
const LOOKS = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "paint-order",
  "opacity",
  "font-family",
  "font-size",
  "font-style",
  "font-weight",
  "text-anchor",
];

// What Plotly has drawn, as it is now, zoom and all.
export async function plotted(canvas) {
  const { width, height } = canvas._fullLayout;
  const text = await window.Plotly.toImage(canvas, { format: "svg", width, height, imageDataOnly: true });
  const { documentElement } = new DOMParser().parseFromString(legible(text), "image/svg+xml");
  if (documentElement.localName !== "svg") throw new Error(documentElement.textContent);
  return documentElement;
}

// An SVG of the page, with what its style sheet says; without what is there to be held by a hand.
export function copied(svg) {
  const copy = svg.cloneNode(true);
  const [from, to] = [svg, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((element, at) => {
    const style = getComputedStyle(element);
    LOOKS.forEach((name) => to[at].setAttribute(name, style.getPropertyValue(name)));
  });
  copy.querySelectorAll(".att-handle").forEach((handle) => handle.remove());
  copy.setAttribute("overflow", "visible");
  return copy;
}

// A token may hold characters that no XML can.
export function legible(text) {
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");
}
