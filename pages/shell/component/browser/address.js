// The address of the screen, and the only place that writes it: at once for settings of figures, and later for what the
// server reports.

const listeners = new Set();
// Settings that figures have set: by name, the text and the number of the change.
const given = new Map();
let count = 0;
let known = location.search;
let names = [];
// The last report of the server: the visit, the number of the report, the last change of a figure that it knows of, the
// settings of a page.
let told = { session: null, at: -1, heard: 0, texts: {}, query: "", path: null };
// The page, and the stop of a lecture, for which the address was last written.
const written = { stop: null, path: null };
/** @type {(given: any) => void} */
let tell = () => {};

export function parameters() {
  return new URLSearchParams(location.search);
}

// Call listener after every change of the address, whoever made it.
export function whenChanged(listener) {
  listeners.add(listener);
}

// Take the names of all settings. A report that arrived earlier is written again, since it omits settings that are at
// their default, and these have to leave the address.
export function settingsAre(all) {
  names = all;
  if (told.session !== null) follow();
}

// Set values from a figure, text by name; an empty text removes the setting from the address. isEntry: make an entry of
// the browser's history, so that Back returns to the address before.
export function give(values, isEntry = false) {
  note(values);
  write(values, isEntry ? "pushState" : "replaceState");
}

function note(values) {
  count += 1;
  for (const [name, text] of Object.entries(values)) given.set(name, [text, count]);
  tell(Object.fromEntries(given));
}

// Take a report of the server. onGiven: called with what figures set, unless another part of the page listens already.
export function settled(says, onGiven) {
  // After a restart the server does not know the settings, and the visit is another one. Load the page again from its
  // address.
  if (told.session !== null && told.session !== says.session) return location.reload();
  if (onGiven) tell = onGiven;
  if (says.at >= told.at) told = says;
  if (isBack && page() === told.path) takeAddress();
  follow();
}

const page = () => location.pathname.slice(location.pathname.lastIndexOf("/") + 1);

// Write the server's report, once Streamlit has gone to the page of the report.
function follow() {
  const { heard, texts, query, path } = told;
  if (page() !== path) return;
  // A figure may have set a value that the report does not include yet.
  const isOld = (name) => given.get(name)?.[1] > heard;
  const fresh = [...new Set([...names, ...Object.keys(texts)])].filter((name) => !isOld(name));
  const values = Object.fromEntries(fresh.map((name) => [name, texts[name] ?? ""]));
  const stop = stopOf({ ...Object.fromEntries(parameters()), ...values });
  // A new stop makes an entry, so that Back leads to the stop before. A new page has made one already.
  const isNew = written.stop && stop && stop !== written.stop && path === written.path;
  Object.assign(written, { stop, path });
  write(values, isNew ? "pushState" : "replaceState", query);
}

// Which stop of which lecture settings are at; null without a lecture.
/** @param {Record<string, string>} texts */
function stopOf({ lecture, stop }) {
  return lecture && lecture !== "none" ? `${lecture} ${stop || 1}` : null;
}

// Write values. query: the same values as Streamlit would write them; equal ones are written in its form, so that
// Streamlit does not write them again.
function write(values, how = "replaceState", query = "") {
  const url = new URL(location.href);
  for (const [name, text] of Object.entries(values)) {
    if (text === "") url.searchParams.delete(name);
    else url.searchParams.set(name, text);
  }
  const [now, same] = [url.searchParams, new URLSearchParams(query)].map((one) => (one.sort(), one.toString()));
  if (query && now === same) url.search = query;
  // The state of the history entry belongs to Streamlit.
  if (url.href !== location.href) history[how](history.state, "", url);
  look();
}

function look() {
  if (location.search === known) return;
  known = location.search;
  listeners.forEach((listener) => listener());
}

// After Back or Forward the server takes over the address, once Streamlit has gone to its page.
let isBack = false;

addEventListener("popstate", () => {
  isBack = true;
  if (page() === told.path) takeAddress();
  look();
});

function takeAddress() {
  const now = parameters();
  isBack = false;
  Object.assign(written, { path: page(), stop: stopOf(Object.fromEntries(now)) });
  note(Object.fromEntries(names.map((name) => [name, now.get(name) ?? ""])));
}

// Streamlit opens a page with the address that it knows. The Navigation API reports this; without it, compare in each
// frame.
function watch() {
  if (page() === told.path && page() !== written.path) follow();
  requestAnimationFrame(watch);
}
if (window.navigation)
  window.navigation.addEventListener(
    "currententrychange",
    ({ navigationType }) => navigationType === "push" && follow(),
  );
else watch();
