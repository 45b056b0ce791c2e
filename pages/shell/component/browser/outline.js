// The levels of the headings of a page, whose tags say how large they are: one below the heading that they stand under.

const PAUSE = 300;
let due = 0;

// A line that opens shows headings that nobody saw when they came.
addEventListener("toggle", outline, { capture: true, passive: true });

// When what has changed has come to rest: the browser looks at all headings of the page for it.
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
