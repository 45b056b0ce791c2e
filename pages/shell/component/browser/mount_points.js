// HTML elements that the server leaves in the page for our scripts: places for views and small pictures, and messages.

// The live list of all such elements.
const points = /** @type {HTMLCollectionOf<HTMLElement>} */ (document.getElementsByClassName("att-mount"));
// For each element that is there, a function that ends what it began.
/** @type {Map<HTMLElement, () => void>} */
const begun = new Map();

// Call begin(element, data) for each such element, now and later; it returns a function that is called when the element
// is gone.
export function watchMountPoints(begin) {
  const look = () => {
    const gone = [...begun.keys()].filter((point) => !point.isConnected);
    for (const point of [...points]) {
      if (begun.has(point)) continue;
      // Streamlit writes an element anew when another one comes or goes above it. Its contents move along.
      const before = gone.findIndex((one) => one.dataset.mount === point.dataset.mount);
      if (before < 0) begun.set(point, begin(point, JSON.parse(point.dataset.mount ?? "{}")));
      else move(gone.splice(before, 1)[0], point);
    }
    for (const point of gone) {
      begun.get(point)?.();
      begun.delete(point);
    }
  };
  new MutationObserver(look).observe(document.documentElement, { childList: true, subtree: true });
  look();
}

function move(from, to) {
  to.append(...from.childNodes);
  begun.set(to, begun.get(from) ?? (() => {}));
  begun.delete(from);
}
