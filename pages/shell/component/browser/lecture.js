// A lecture in several windows of one browser, and the keys that a clicker sends.

const channel = new BroadcastChannel("attention-lecture");
export const KEYS = { PageDown: "next", ArrowRight: "next", PageUp: "previous", ArrowLeft: "previous", " ": "reveal" };
// Where these keys have a meaning of their own.
const BUSY = "input, textarea, select, [role=application], [role=slider], [role=radio], [role=combobox], [contenteditable=true]";

let known = null;
let shown = null;
let watch = null;
let report = () => {};

channel.onmessage = ({ data }) => {
  if (!known || data.name !== known.name || data.stop === known.stop) return;
  known = data;
  report(data.stop);
};

document.addEventListener("keydown", (event) => {
  const name = KEYS[event.key];
  if (!name || event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.(BUSY)) return;
  if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
  if (event.key === " " && event.target.closest?.("button, summary, a")) return;
  const button = document.querySelector(`.st-key-lecture-${name} button`);
  if (!button) return;
  event.preventDefault();
  if (!button.disabled) button.click();
});

export function follow({ name, stop, figure }, onStop) {
  report = onStop;
  if (shown !== `${name} ${stop}`) {
    shown = `${name} ${stop}`;
    find(figure);
  }
  if (known?.name === name && known.stop === stop) return;
  known = { name, stop };
  channel.postMessage(known);
}

// The figures of a new page come after the bar that names one of them, and what is above them grows after that: the
// figure is kept in sight until somebody takes over.
function find(figure) {
  watch?.disconnect();
  if (!figure) return;
  const look = () =>
    document.querySelector(`.att-card[data-figure="${CSS.escape(figure)}"]`)?.scrollIntoView({ block: "center" });
  watch = new ResizeObserver(look);
  watch.observe(document.querySelector("[data-testid=stMainBlockContainer]"));
}

for (const act of ["wheel", "touchstart", "pointerdown", "keydown"]) {
  document.addEventListener(act, () => watch?.disconnect(), { capture: true, passive: true });
}
