// Show the page once its first screen is complete. Until then, elements without styles or figures are hidden
// (opening.css).

import { outline } from "./outline.js";

// Milliseconds after the first words of a page until it is shown as it is, because a server may be slow, or a page may
// train.
const PATIENCE = 2500;

let since = 0;
let isWatching = false;
let shown;
// Resolves when the page is shown. plotly.js does not delay it.
export const whenShown = new Promise((resolve) => {
  shown = resolve;
});

// Hide the page while the next one arrives, so that parts of both are never seen together.
export function conceal() {
  document.documentElement.dataset.opening = "page";
}

// isComplete: whether the views in sight have been answered.
export function open(isComplete) {
  since = performance.now();
  if (isWatching) return;
  // The page of a single figure was never hidden.
  if (!("opening" in document.documentElement.dataset)) return shown();
  isWatching = true;
  let seen = 0;
  (function look() {
    // Ask twice, because new elements may bring others into sight.
    seen = isComplete() && isStill() ? seen + 1 : 0;
    if (seen < 2 && performance.now() - since < PATIENCE) return requestAnimationFrame(look);
    isWatching = false;
    delete document.documentElement.dataset.opening;
    shown();
    // The outline left out headings that were hidden.
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
