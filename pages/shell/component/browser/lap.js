// A training asks for its next lap when this one has been painted, and never in the way of somebody who does something.

// Milliseconds after what somebody did, in which their own request is answered and the next one may come: a lap that is
// under way would be waited for.
const OWN = 1000;
let done = -OWN;

for (const act of ["pointerdown", "pointerup", "click", "keydown", "keyup", "input"]) {
  document.addEventListener(act, () => (done = performance.now()), { capture: true, passive: true });
}

// A hidden tab draws nothing, and asks for nothing. Returns what calls it off.
export function lap(number, setTriggerValue) {
  const app = document.querySelector("[data-testid=stApp]");
  let asked = requestAnimationFrame(function ask() {
    if (app.dataset.testScriptState === "notRunning" && performance.now() - done > OWN) setTriggerValue("lap", number);
    else asked = requestAnimationFrame(ask);
  });
  return () => cancelAnimationFrame(asked);
}
