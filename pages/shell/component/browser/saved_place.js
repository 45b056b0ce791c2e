// Where somebody stands who saves a screen as a stop: the figure in the middle of the window, and the part of the page.

const SAVE = ".st-key-lecture-save button";

// report: hears of the place before the button is heard of.
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

// Of what is in sight, what is nearest to the middle of the window.
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
