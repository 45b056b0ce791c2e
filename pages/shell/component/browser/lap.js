// A training asks for its next lap after the last one has been painted, but not while a visitor's own request is under
// way.

// Milliseconds after a visitor's action in which no lap starts, so that their request need not wait for it.
const OWN = 1000;
let done = -OWN;

for (const act of ["pointerdown", "pointerup", "click", "keydown", "keyup", "input"]) {
  document.addEventListener(act, () => (done = performance.now()), { capture: true, passive: true });
}

// A hidden tab asks for nothing, as it draws nothing. Returns a function that cancels the lap.
export function lap(number, setTriggerValue) {
  const app = document.querySelector("[data-testid=stApp]");
  let asked = requestAnimationFrame(function ask() {
    if (app.dataset.testScriptState === "notRunning" && performance.now() - done > OWN) setTriggerValue("lap", number);
    else asked = requestAnimationFrame(ask);
  });
  return () => cancelAnimationFrame(asked);
}
