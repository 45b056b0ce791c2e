// @ts-check
// A figure that stands alone in a page of its own, which may stand in a frame of any other (server/figure.py). Its words
// and the first answer came with the page.

import { parameters, whenChanged } from "./address.js";
import { asked } from "./asked.js";
import { Controls } from "./alone_controls.js";
import { forget } from "./colour.js";
import { tell } from "./height.js";
import { again, drawnWith, opened } from "./live.js";
import { View } from "./view.js";
import { vocabulary } from "./vocabulary.js";

/** @type {{ view: string, words: any, context: any, controls: any[] }} */
const given = JSON.parse(document.getElementById("att-given")?.textContent ?? "");
vocabulary.words = given.words;
const view = new View(document.getElementById("att-figure"), given.view);
view.whenPending = compute;
new Controls(document.getElementById("att-controls"), given.controls);
opened(given.context);
tell(document.body);

// What takes longer than an answer may is computed for whoever asks for its data; one question at a time.
let isComputing = false;
async function compute() {
  if (isComputing) return;
  isComputing = true;
  const told = document.getElementById("att-computing");
  try {
    await asked(`figure/${given.view}.json`, drawnWith().settings);
    again();
  } catch (error) {
    if (told) told.textContent = error.message;
  }
  isComputing = false;
}

// The picture that came with the page goes when its charts are drawn, or plotly.js did not come for them.
const first = document.getElementById("att-first");
if (first) {
  const charts = () => [...document.querySelectorAll(".att-card[data-late]")];
  const watch = new MutationObserver(() => {
    if (!charts().every(({ dataset }) => dataset.drawn === dataset.stamp || "missed" in dataset)) return;
    watch.disconnect();
    first.remove();
  });
  watch.observe(document.body, { subtree: true, attributeFilter: ["data-drawn", "data-missed"] });
}

// The colours follow those of the visitor's system.
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  forget();
  view.redraw();
});

// The way to the whole screen leads to the settings as they are now.
const full = document.querySelector("#att-full a");
whenChanged(() => {
  const query = parameters();
  ["controls", "theme"].forEach((name) => query.delete(name));
  full.href = full.getAttribute("href").split("?")[0] + (query.size ? `?${query}` : "");
});
