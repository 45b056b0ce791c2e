// Set the level of each heading of the page one below the heading above it, since tags only tell how large headings
// look.

const PAUSE = 300;
let due = 0;

// A drawer that opens shows headings that were hidden.
addEventListener("toggle", outline, { capture: true, passive: true });

// Wait until changes have come to rest, because this looks at all headings of the page.
export function outline() {
  clearTimeout(due);
  due = setTimeout(() => {
    const above = [];
    for (const heading of document.querySelectorAll("main :is(h1, h2, h3, h4)")) {
      if (!heading.checkVisibility({ visibilityProperty: true })) continue;
      const size = Number(heading.tagName[1]);
      while (above.at(-1) >= size) above.pop();
      heading.setAttribute("aria-level", above.push(size));
    }
  }, PAUSE);
}
