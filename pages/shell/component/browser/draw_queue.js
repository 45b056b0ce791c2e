// plotly.js, fetched when the first chart is to be drawn, and its charts one after the other: a browser that draws a
// screenful of large ones at once answers nobody meanwhile.

// Milliseconds after which the browser may do something else; small figures change all in one frame.
const SLICE = 12;

let plotly = null;
let lost = 0;
let turn = Promise.resolve();
let begun = 0;
let waiting = 0;

// As a module, which the browser can compile before it is wanted.
export function loaded() {
  const address = new URL("../plotly/plotly.min.js", import.meta.url);
  // Some browsers never ask again for a module that they could not get.
  if (lost) address.search = `again=${lost}`;
  plotly ??= import(address.href).then(
    () => window.Plotly,
    (error) => {
      // What moves next asks for it again: a network that was away may be back.
      plotly = null;
      lost += 1;
      throw error;
    },
  );
  return plotly;
}

// Draw on an element, when it is its turn, what `make` returns then: traces, layout and options. False where it was no
// longer wanted by that time: a newer one waits further behind.
export async function drawn(element, isWanted, make) {
  const Plotly = await loaded();
  // The first of several is drawn before the browser paints what came with it: once, and not once without the figure.
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
