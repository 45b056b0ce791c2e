// Load plotly.js for the first chart, and draw charts one after the other: a screenful of large charts drawn at once
// would block the browser.

// Milliseconds of drawing after which the browser gets its turn; small figures all change in one frame.
const SLICE = 12;

let plotly = null;
let lost = 0;
let turn = Promise.resolve();
let begun = 0;
let waiting = 0;

// A module, which the browser can compile before it is needed.
export function loaded() {
  const address = new URL("../plotly/plotly.min.js", import.meta.url);
  // A new address for each try, since some browsers never repeat a failed module.
  if (lost) address.search = `again=${lost}`;
  plotly ??= import(address.href).then(
    () => window.Plotly,
    (error) => {
      // Forget the failure, so that the next chart asks again: the network may be back.
      plotly = null;
      lost += 1;
      throw error;
    },
  );
  return plotly;
}

// Draw on an element, in its turn, what `make` returns by then: traces, layout and options. Returns false if the chart
// is not wanted any more, because a newer one waits.
export async function drawn(element, isWanted, make) {
  const Plotly = await loaded();
  // Draw the first of several before the browser paints, so that its page is painted once, and not once without the
  // figure.
  if (!waiting) begun = performance.now();
  waiting += 1;
  try {
    await (turn = turn.then(breath));
    if (!isWanted()) return false;
    await Plotly.react(element, ...make());
    return true;
  } finally {
    waiting -= 1;
  }
}

/** @returns {Promise<void> | null} */
function breath() {
  if (performance.now() - begun < SLICE) return null;
  return new Promise((resume) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      begun = performance.now();
      resume();
    };
    port2.postMessage(null);
  });
}
