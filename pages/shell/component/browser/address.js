// The address of the screen: read here, and written here for what is set in figures. Streamlit writes into it what its
// widgets hold.
//
// After a change of ours Streamlit is told as after Back and Forward, by the event of the browser: it then takes the
// values of its widgets from the address, and keeps what else stands there.

const listeners = new Set();
let known = location.search;

export function parameters() {
  return new URLSearchParams(location.search);
}

// values: text by name; an empty text takes the setting out of the address.
export function write(values) {
  const url = new URL(location);
  for (const [name, text] of Object.entries(values)) {
    if (text === "") url.searchParams.delete(name);
    else url.searchParams.set(name, text);
  }
  // The state is Streamlit's.
  history.replaceState(history.state, "", url);
  look();
  dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
}

// listener: called after every change of the address, whoever made it.
export function whenChanged(listener) {
  listeners.add(listener);
}

function look() {
  if (location.search === known) return;
  known = location.search;
  listeners.forEach((listener) => listener());
}

// A browser without the Navigation API tells nobody that the address was replaced: there, it is looked at in each frame.
if (window.navigation) window.navigation.addEventListener("currententrychange", look);
else (function watch() {
  look();
  requestAnimationFrame(watch);
})();
