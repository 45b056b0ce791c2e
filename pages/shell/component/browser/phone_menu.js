// Close the menu on a phone once something is chosen, since it lies over the page.

const PHONE = window.matchMedia("(max-width: 48rem)");
const CHOICES = "[data-testid=stSidebarNavLink], .st-key-lecture [role=radio]";

document.addEventListener("click", ({ target }) => {
  if (!PHONE.matches || !target.closest?.(CHOICES)) return;
  // After the choice itself has taken effect.
  setTimeout(() => document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click());
});
