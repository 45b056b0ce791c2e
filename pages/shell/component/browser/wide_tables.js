// A table that is wider than its place can be scrolled with the keys: it can have the focus, and no other table can.

const sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => judge(target)));
const known = new WeakSet();
let isDue = false;

function judge(table) {
  if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
  else table.removeAttribute("tabindex");
}

// Tables come with the rows of a page: they are looked for when the page rests.
export function watchTables() {
  new MutationObserver(() => {
    if (isDue) return;
    isDue = true;
    requestIdleCallback(() => {
      isDue = false;
      for (const table of document.querySelectorAll(".stMarkdown table")) {
        if (known.has(table)) continue;
        known.add(table);
        sizes.observe(table);
      }
    });
  }).observe(document.body, { childList: true, subtree: true });
}
