// A figure as a file: its card as an SVG file, or as a PNG made from it in the browser.

import { theme } from "./colour.js";
import { Page } from "./svg_page.js";
import { announce, filled } from "./text.js";

export const FORMATS = ["png", "svg"];
// Pixels of the PNG for each pixel of the screen.
const SCALE = 2;

export async function save(frame, format) {
  const { words } = frame;
  try {
    await drawn(frame.root);
    const page = composed(frame, await frame.asSvg());
    const name = `${fileName(frame.sent)}.${format}`;
    const file = new Blob([page.text], { type: "image/svg+xml" });
    handOver(format === "png" ? await raster(file, page) : file, name);
    announce(filled(words.ui.saved, { name }));
  } catch (error) {
    announce(words.ui.not_saved);
    throw error;
  }
}

// Numbers that have just arrived are drawn in the next moment.
async function drawn(card) {
  while (card.isConnected && card.dataset.drawn !== card.dataset.stamp) await new Promise(requestAnimationFrame);
}

function composed(frame, picture) {
  const page = new Page(theme(frame.plot), Number(picture.getAttribute("width")), frame.words.language);
  page.write(frame.title.textContent, { size: 16, weight: 600 });
  page.place(picture, frame.hatch);
  page.explain(frame.legend);
  page.write(frame.note.textContent, { size: 13, weight: 600 });
  return page.done(frame.title.textContent, frame.note.textContent);
}

async function raster(file, { width, height }) {
  const address = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: SCALE * width, height: SCALE * height });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((made) => (made ? resolve(made) : reject(new Error("no PNG"))), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}

// The id of the step, which is the same in all languages, and the figure's tag among those of its step.
function fileName({ id, tag }) {
  const parts = ["attention", id, tag].filter(Boolean);
  return parts
    .join("-")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, "-");
}

// Save a file on the visitor's computer.
export function handOver(file, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
