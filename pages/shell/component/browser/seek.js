// What is told of a cell is brought into sight: where a link names one, and where one is clicked further down the page. A
// word above it that is chosen stays where it is.

let sought = "";
let watch = null;
// The view in which somebody acted last.
let from = null;

// Scroll to a container.
export function show(key) {
  document.querySelector(`.st-key-${CSS.escape(key)}`)?.scrollIntoView({ block: "start" });
}

// What stands in lines that open is there when they are open.
export function unfold(element) {
  for (
    let closed = element.closest("details:not([open])");
    closed;
    closed = closed.parentElement.closest("details:not([open])")
  ) {
    closed.querySelector("summary")?.click();
  }
}

// Have an element in sight when `cell` is another one. What is above it grows as the page comes: it is kept in sight
// until somebody takes over.
export function seek(element, cell) {
  if (cell === sought) return;
  sought = cell;
  watch?.disconnect();
  // A lecture scrolls to the figure that it speaks of.
  if (!cell || document.documentElement.dataset.lecture) return;
  if (from && !from.contains(element) && from.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING)
    return;
  watch = new ResizeObserver(() => element.scrollIntoView({ block: "nearest" }));
  watch.observe(document.querySelector("[data-testid=stMainBlockContainer], main"));
}

for (const act of ["wheel", "touchstart", "pointerdown", "keydown"]) {
  document.addEventListener(
    act,
    ({ target }) => {
      watch?.disconnect();
      from = target.closest?.(".att-view") ?? from;
    },
    { capture: true, passive: true },
  );
}
