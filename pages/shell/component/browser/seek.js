// Scroll the arithmetic of a cell into sight, when a link names the cell and when somebody clicks it further down the
// page. A chosen word above it stays where it is.

let sought = "";
let watch = null;
// The view in which somebody acted last.
let from = null;

// Scroll to a container.
export function show(key) {
  document.querySelector(`.st-key-${CSS.escape(key)}`)?.scrollIntoView({ block: "start" });
}

// Open the drawers around an element.
export function unfold(element) {
  for (
    let closed = element.closest("details:not([open])");
    closed;
    closed = closed.parentElement.closest("details:not([open])")
  ) {
    closed.querySelector("summary")?.click();
  }
}

// Scroll to an element when `cell` has changed, and keep it in sight until somebody scrolls or presses, because
// elements above it still grow.
export function seek(element, cell) {
  if (cell === sought) return;
  sought = cell;
  watch?.disconnect();
  // A lecture scrolls to its own figure.
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
