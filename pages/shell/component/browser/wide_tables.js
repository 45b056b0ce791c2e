// Make tables that are wider than their place focusable, so that keys can scroll them. Other tables stay out of the Tab
// order.

const sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => judge(target)));
const known = new WeakSet();
let isDue = false;

function judge(table) {
  if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
  else table.removeAttribute("tabindex");
}

// Tables arrive with the elements of a page, so look for them when the page rests.
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
