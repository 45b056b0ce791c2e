// One entry of the browser's history for what somebody did, whatever it set.
//
// Streamlit's page makes an entry for each parameter that the server writes. A stop of a lecture sets several of them, and
// Back would lead to screens that are half of one stop and half of another.

let acted = false;

export function oneEntryEach() {
  const push = history.pushState;
  if (push.one) return;
  for (const act of ["keydown", "pointerdown", "click"]) {
    document.addEventListener(act, (event) => { acted = acted || event.isTrusted; }, { capture: true, passive: true });
  }
  // The keys that lead back are no deed on the page.
  addEventListener("popstate", () => { acted = false; }, { capture: true });
  history.pushState = function pushState(...given) {
    const change = acted ? push : history.replaceState;
    acted = false;
    return change.apply(this, given);
  };
  history.pushState.one = true;
}
