// The address of the screen. It is written here alone: what figures set, at once, and what the server says is set.

const listeners = new Set();
// What figures have set: by name, the text and how often figures had set anything by then.
const given = new Map();
let count = 0;
let known = location.search;
let names = [];
// What the server said last: in which visit, how often something had been set, what is set on which page.
let told = { session: null, at: -1, heard: 0, texts: {}, query: "", path: null };
// The stop of a lecture, and the page, that the address was written for.
const written = { stop: null, path: null };
/** @type {(given: any) => void} */
let tell = () => {};

export function parameters() {
  return new URLSearchParams(location.search);
}

// listener: called after every change of the address, whoever made it.
export function whenChanged(listener) {
  listeners.add(listener);
}

// all: the names of all settings. What the server said may have come before them: a setting at its default, which it does
// not name, leaves the address now.
export function settingsAre(all) {
  names = all;
  if (told.session !== null) follow();
}

// What figures set. values: text by name; an empty text takes the setting out of the address. isEntry: whether Back leads
// to what was there before.
export function give(values, isEntry = false) {
  note(values);
  write(values, isEntry ? "pushState" : "replaceState");
}

function note(values) {
  count += 1;
  for (const [name, text] of Object.entries(values)) given.set(name, [text, count]);
  tell(Object.fromEntries(given));
}

// What the server says is set. onGiven: hears of what figures set; none where another one of these listens.
export function settled(says, onGiven) {
  // Another visit: the server was restarted, and does not know what is set. The address does.
  if (told.session !== null && told.session !== says.session) return location.reload();
  if (onGiven) tell = onGiven;
  if (says.at >= told.at) told = says;
  if (isBack && page() === told.path) takeAddress();
  follow();
}

const page = () => location.pathname.slice(location.pathname.lastIndexOf("/") + 1);

// Write what the server said, once Streamlit has gone to the page that it said it of.
function follow() {
  const { heard, texts, query, path } = told;
  if (page() !== path) return;
  // A figure may have set something since.
  const isOld = (name) => given.get(name)?.[1] > heard;
  const fresh = [...new Set([...names, ...Object.keys(texts)])].filter((name) => !isOld(name));
  const values = Object.fromEntries(fresh.map((name) => [name, texts[name] ?? ""]));
  const stop = stopOf({ ...Object.fromEntries(parameters()), ...values });
  // Back leads to the stop before. Where the page changes with the stop, Streamlit has made an entry already.
  const isNew = written.stop && stop && stop !== written.stop && path === written.path;
  Object.assign(written, { stop, path });
  write(values, isNew ? "pushState" : "replaceState", query);
}

// Which stop of which lecture settings are at; null without a lecture.
/** @param {Record<string, string>} texts */
function stopOf({ lecture, stop }) {
  return lecture && lecture !== "none" ? `${lecture} ${stop || 1}` : null;
}

// query: the values as Streamlit would write them, which are written so: what it finds there, it does not write again.
function write(values, how = "replaceState", query = "") {
  const url = new URL(location.href);
  for (const [name, text] of Object.entries(values)) {
    if (text === "") url.searchParams.delete(name);
    else url.searchParams.set(name, text);
  }
  const [now, same] = [url.searchParams, new URLSearchParams(query)].map((one) => (one.sort(), one.toString()));
  if (query && now === same) url.search = query;
  // The state is Streamlit's.
  if (url.href !== location.href) history[how](history.state, "", url);
  look();
}

function look() {
  if (location.search === known) return;
  known = location.search;
  listeners.forEach((listener) => listener());
}

// Back and Forward: the server takes all of what the address has, once Streamlit has gone to the page.
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

// Streamlit goes to another page with the address that it knows. A browser without the Navigation API tells nobody: there,
// it is looked at in each frame.
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
