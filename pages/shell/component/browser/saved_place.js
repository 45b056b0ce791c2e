// Report the reader's place when they save a screen as a stop: the figure in the middle of the window, and its part of
// the page.

const SAVE = ".st-key-lecture-save button";

// report: called with the place, before Streamlit learns of the button.
export function tellsPlace(report) {
  const hear = ({ target }) => target.closest?.(SAVE) && report(placeInSight());
  document.addEventListener("click", hear, true);
  return () => document.removeEventListener("click", hear, true);
}

function placeInSight() {
  const card = nearest(".att-card[data-figure]");
  const part = card?.closest("[class*=st-key-plot-]") ?? nearest("[class*=st-key-plot-]");
  const at = [...(part?.classList ?? [])].find((name) => name.startsWith("st-key-plot-")) ?? "";
  return { figure: card?.dataset.figure ?? "", at: at.replace("st-key-plot-", "") };
}

// The element in sight that is nearest to the middle of the window.
function nearest(selector) {
  const middle = innerHeight / 2;
  const away = (element) => {
    const { top, bottom, width } = element.getBoundingClientRect();
    if (!width || bottom < 0 || top > innerHeight) return Infinity;
    return Math.max(top - middle, middle - bottom, 0);
  };
  const found = [...document.querySelectorAll(selector)].map((element) => [away(element), element]);
  const [distance, element] = found.reduce((best, one) => (one[0] < best[0] ? one : best), [Infinity, null]);
  return distance < Infinity ? element : null;
}
