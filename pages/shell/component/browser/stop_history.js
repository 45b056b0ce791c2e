// One entry of the browser's history for each stop of a lecture, so that Back leads to the stop before, and to all of it
// (docs/decisions/links.md).

const [push, replace] = [history.pushState, history.replaceState].map((change) => change.bind(history));
const KEPT = ["lang", "present", "room"];

// The stop of the entry that the browser is at; null while no lecture is on.
let entry = null;
// The address of the page that is seen.
let here = location.href;
// The stop that Back or Forward has asked for, until it is there.
let awaited = null;
let go = () => {};

function asked() {
  const parameters = new URLSearchParams(location.search);
  const lecture = parameters.get("lecture");
  return lecture && lecture !== "none" ? { lecture, stop: Number(parameters.get("stop") ?? 1) } : null;
}

// The whole screen of a stop: without a page and controls, a link is to what the lecture shows.
function link({ lecture, stop }) {
  const address = new URL("../../", import.meta.url);
  const given = new URLSearchParams(location.search);
  const kept = KEPT.filter((name) => given.has(name)).map((name) => [name, given.get(name)]);
  address.search = new URLSearchParams([["lecture", lecture], ["stop", stop], ...kept]);
  return address.href;
}

const written = (change) => (state, title, address) => {
  (entry || asked() ? replace : change)(entry ?? state, title, address);
  here = location.href;
};
[history.pushState, history.replaceState] = [written(push), written(replace)];

// A stop is there. onStop: asks for another one.
export function keepEntry(lecture, stop, onStop) {
  go = onStop;
  if (awaited !== null && stop !== awaited) return;
  const isNew = awaited === null && entry?.lecture === lecture && entry.stop !== stop;
  const address = location.href;
  // What was written on the way here has changed the entry of the stop before.
  if (isNew) replace(entry, "", link(entry));
  [entry, here, awaited] = [{ lecture, stop }, address, null];
  (isNew ? push : replace)(entry, "", address);
}

export function leaveEntries() {
  if (entry) replace({}, "", location.href);
  [entry, awaited] = [null, null];
}

// Streamlit's page would take from the address what it can find there. It listens later, and in this event of the window
// the order is all that counts: base.js.
addEventListener("popstate", (event) => {
  // What figures set is told by the same event (address.js).
  if (!event.isTrusted) return;
  const at = history.state?.lecture ? history.state : asked();
  if (!at) return;
  event.stopImmediatePropagation();
  if (at.lecture !== entry?.lecture) return location.reload();
  [entry, awaited] = [at, at.stop];
  // The page is still what it was.
  replace(entry, "", here);
  go(at.stop);
});
