// A page is seen once its first screen is there: what is not styled yet, or has no figures yet, is not shown (opening.css).

import { outline } from "./outline.js";

// Milliseconds from the first words of a page on after which it is shown as it is: a server may be slow, a page may train.
const PATIENCE = 2500;

let since = 0;
let isWatching = false;
let shown;
// When the page is shown; plotly.js does not keep it waiting.
export const whenShown = new Promise((resolve) => {
  shown = resolve;
});

// Another page is coming: of the one that goes, nothing is seen among what comes.
export function conceal() {
  document.documentElement.dataset.opening = "page";
}

// isComplete: whether the views in sight have been answered.
export function open(isComplete) {
  since = performance.now();
  if (isWatching) return;
  // The page of a figure alone was never hidden.
  if (!("opening" in document.documentElement.dataset)) return shown();
  isWatching = true;
  let seen = 0;
  (function look() {
    // Twice: what has just come may bring something else into sight.
    seen = isComplete() && isStill() ? seen + 1 : 0;
    if (seen < 2 && performance.now() - since < PATIENCE) return requestAnimationFrame(look);
    isWatching = false;
    delete document.documentElement.dataset.opening;
    shown();
    // Of what was not seen, headings among it, nothing was said.
    outline();
  })();
}

function isStill() {
  const app = document.querySelector("[data-testid=stApp]");
  if (app?.dataset.testScriptState !== "notRunning" || document.fonts.status !== "loaded") return false;
  if (document.querySelector("[data-testid=stSkeleton]")) return false;
  return [...document.querySelectorAll(".att-card[data-near]:not([data-late])")].every(
    (card) => card.dataset.drawn === card.dataset.stamp,
  );
}
