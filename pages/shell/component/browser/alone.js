// @ts-check
// A figure in a page of its own, which any other page may frame (server/figure.py). The page brings its words and its
// first answer.

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

// Ask for the data of a view that takes longer than an answer may, which makes the server compute it; one request at a
// time.
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

// Remove the server's picture when the charts are drawn, or when plotly.js has failed to load.
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

// Follow the colour scheme of the visitor's system.
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  forget();
  view.redraw();
});

// The link to the whole screen has the present settings.
const full = document.querySelector("#att-full a");
whenChanged(() => {
  const query = parameters();
  ["controls", "theme"].forEach((name) => query.delete(name));
  full.href = full.getAttribute("href").split("?")[0] + (query.size ? `?${query}` : "");
});
