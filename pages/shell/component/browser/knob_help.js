// The help of a control of the bar, shown when somebody points at its name, taps the name, or reaches the control by
// key. A help icon beside each name would add stops of the Tab key.

let explained = {};
let shown = null;
let anchor = null;
// Whether a pointer button is down: nobody needs help while dragging.
let held = false;
const tip = document.createElement("div");
tip.className = "att-knob-help";
tip.id = "att-knob-help";
tip.setAttribute("role", "tooltip");

// of: the help of each control, by name.
export function explains(of) {
  explained = of;
  if (shown && textOf(shown) !== tip.textContent) hide();
}

// The container of a control of the bar, found from an element inside it; its class has the control's name.
const knobOf = (element) => element.closest?.(".st-key-bar [class*=st-key-]");

function textOf(knob) {
  const place = [...knob.classList].find((one) => one.startsWith("st-key-"));
  return explained[place.slice("st-key-".length).replace(/^fixed-|--\d+$/g, "")];
}

// The name of a control or, for a button, the button itself.
const nameAt = (target) => target.closest?.(".st-key-bar :is([data-testid=stWidgetLabel], button:not([role=radio]))");

function show(element) {
  const knob = knobOf(element);
  const text = knob && textOf(knob);
  if (!text) return;
  hide();
  shown = knob;
  anchor = nameAt(element) ?? knob;
  tip.textContent = text;
  document.body.append(tip);
  place();
}

function place() {
  const { left, top } = anchor.getBoundingClientRect();
  const below = document.querySelector(".st-key-bar").getBoundingClientRect().bottom + 8;
  const fits = below + tip.offsetHeight < innerHeight;
  tip.style.left = `${Math.max(8, Math.min(left, innerWidth - tip.offsetWidth - 8))}px`;
  // Prefer the room below the bar, because the picture is above it.
  tip.style.top = `${fits ? below : top - tip.offsetHeight - 8}px`;
}

function hide() {
  shown = null;
  tip.remove();
}

addEventListener("pointerover", ({ target, pointerType }) => {
  if (held || pointerType !== "mouse" || tip.contains(target)) return;
  const name = nameAt(target);
  if (name) show(name);
  else if (shown && !shown.contains(document.activeElement)) hide();
});
addEventListener("click", ({ target }) => {
  const name = nameAt(target);
  // A pressed button needs no help, because its effect is visible.
  if (name?.matches("button")) hide();
  else if (name) show(name);
});
addEventListener("focusin", ({ target }) => {
  if (held || !knobOf(target) || !target.matches(":focus-visible")) return hide();
  show(target);
  if (shown && target instanceof Element) target.setAttribute("aria-describedby", tip.id);
});
addEventListener("focusout", hide);
addEventListener(
  "pointerdown",
  () => {
    held = true;
    hide();
  },
  { capture: true },
);
for (const ends of ["pointerup", "pointercancel"]) addEventListener(ends, () => (held = false), { capture: true });
// Hide the help when the control is moved by key, and on Escape.
addEventListener("input", hide);
addEventListener("keydown", ({ key }) => key === "Tab" || key === "Shift" || hide(), { capture: true });
// A control that gets the focus is scrolled into sight, and its help moves along.
addEventListener("scroll", () => shown && place(), { capture: true, passive: true });
