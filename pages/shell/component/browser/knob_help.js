// What a control of the bar does: told where one points at its name, taps it, or comes to the control by key. A sign beside
// each name would be one more place for the tabulator.

let explained = {};
let shown = null;
let anchor = null;
// Whether a button of a pointer is down: who drags looks at what the control does.
let held = false;
const tip = document.createElement("div");
tip.className = "att-knob-help";
tip.id = "att-knob-help";
tip.setAttribute("role", "tooltip");

// of: by the name of a control, what it does.
export function explains(of) {
  explained = of;
  if (shown && textOf(shown) !== tip.textContent) hide();
}

// The control of the bar in which an element stands, as the element that is named after it.
const knobOf = (element) => element.closest?.(".st-key-bar [class*=st-key-]");

function textOf(knob) {
  const place = [...knob.classList].find((one) => one.startsWith("st-key-"));
  return explained[place.slice("st-key-".length).replace(/^fixed-|--\d+$/g, "")];
}

// The name of a control; of what opens or acts, the button.
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
  // Below the bar: above it stands the picture.
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
  // What a button does is seen.
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
// Who moves it by key looks at what it does; Escape takes it away.
addEventListener("input", hide);
addEventListener("keydown", ({ key }) => key === "Tab" || key === "Shift" || hide(), { capture: true });
// A control that is come to by key is brought into sight: its help goes along.
addEventListener("scroll", () => shown && place(), { capture: true, passive: true });
