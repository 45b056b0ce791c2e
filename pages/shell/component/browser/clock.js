// The speaker's clock: how long the stop and the lecture have taken. The server sends the seconds; the browser counts
// on.

let shown = null;
let since = 0;
let ticking = null;

export function clock(sent) {
  if (shown?.at !== sent.at) since = performance.now();
  shown = sent;
  ticking ??= setInterval(tick, 1000);
  tick();
}

export function stopClock() {
  clearInterval(ticking);
  ticking = shown = null;
}

// Write through a style, because React owns the content of the element.
function tick() {
  const place = document.querySelector(".st-key-lecture-clock");
  if (!place || !shown) return;
  const passed = (performance.now() - since) / 1000;
  place.dataset.clock = shown.words
    .replace("{stop}", written(shown.stop + passed))
    .replace("{all}", written(shown.all + passed));
}

function written(seconds) {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}
