// On a phone the menu lies over the page: once something is chosen in it, it closes, and covers nothing that is opened.

const PHONE = window.matchMedia("(max-width: 48rem)");
const CHOICES = "[data-testid=stSidebarNavLink], .st-key-lecture [role=radio]";

document.addEventListener("click", ({ target }) => {
  if (!PHONE.matches || !target.closest?.(CHOICES)) return;
  // After what the choice itself does.
  setTimeout(() => document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click());
});
