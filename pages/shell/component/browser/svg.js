// A picture of the page as an SVG file of its own.

// The properties that CSS sets on SVG elements; a file without CSS has to hold them itself.
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

// A chart of Plotly as it is now, zoom included.
export async function plotted(canvas) {
  const { width, height } = canvas._fullLayout;
  const text = await window.Plotly.toImage(canvas, { format: "svg", width, height, imageDataOnly: true });
  const { documentElement } = new DOMParser().parseFromString(legible(text), "image/svg+xml");
  if (documentElement.localName !== "svg") throw new Error(documentElement.textContent);
  return documentElement;
}

// A copy of an SVG of the page with its styles written out, without handles.
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

// Remove characters that XML does not allow; a token may hold some.
export function legible(text) {
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");
}
