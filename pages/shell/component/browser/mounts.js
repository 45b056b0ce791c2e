// The mounts of a page: each is a headed row of cards. Words and tokens come once, for all of them.

import { forget } from "./colour.js";
import { lap } from "./lap.js";
import { again, opened } from "./live.js";
import { endLecture, follow } from "./lecture.js";
import { ownLecture } from "./own_lecture.js";
import { Row } from "./row.js";
import { watchConnection, whenConnectedAgain } from "./reopen.js";
import { show } from "./seek.js";
import { share, speak } from "./share.js";
import { leave, watch, whenOutOfSight } from "./sight.js";
import { Strip } from "./strip.js";
import { View } from "./view.js";
import { vocabulary } from "./vocabulary.js";
import { votes } from "./votes.js";
import { watchTables } from "./wide_tables.js";

const mounts = new Map();

for (const name of ["plot.css", "share.css", "moved.css", "arcs.css", "strip.css", "first_screen.css", "lecture.css", "today.css", "wall.css", "view.css"]) {
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = new URL(name, import.meta.url).href;
  document.head.append(style);
}

watchConnection();
watchTables();

export function render({ parentElement, data, setTriggerValue, setStateValue }) {
  if ("lap" in data) return lap(data.lap, setTriggerValue);
  if (data.palette) {
    paint(data.palette);
    return own("palette", parentElement, () => paint(null));
  }
  if (data.lecture) {
    follow(data.lecture, (stop) => setTriggerValue("stop", stop));
    return own("lecture", parentElement, endLecture);
  }
  if (data.own) {
    ownLecture(data.own, (found) => setTriggerValue("found", found));
    return () => {};
  }
  if (data.votes) return votes(parentElement, data.votes);
  if (data.share) return share(parentElement, data.share, vocabulary.words);
  if (data.computed) {
    again();
    return () => {};
  }
  if (data.view) return view(parentElement, data.view);
  if (data.sight) {
    whenOutOfSight((keys) => setStateValue("far", keys));
    return () => {};
  }
  if (data.words || data.labels) {
    vocabulary.words = data.words ?? vocabulary.words;
    if (data.words) whenConnectedAgain(() => setTriggerValue("again", Date.now()));
    speak(vocabulary.words);
    if (vocabulary.words) document.documentElement.lang = vocabulary.words.language;
    vocabulary.labels = data.labels ?? vocabulary.labels;
    if (data.context) opened(data.context);
    redraw();
    return () => {};
  }
  if (!mounts.has(parentElement)) {
    mounts.set(parentElement, made(parentElement, data));
    watch(parentElement);
  }
  const mount = mounts.get(parentElement);
  mount.ask = (choice) => setTriggerValue("choice", choice);
  mount.report = (cell) => {
    if (data.chapter || data.clicks) setTriggerValue("cell", cell);
    if (data.opens) show(data.opens);
  };
  mount.data = data;
  mount.update(vocabulary.words);
  return () => {
    leave(parentElement);
    mount.remove();
    mounts.delete(parentElement);
  };
}

const views = new Map();

function view(parent, name) {
  if (!views.has(parent)) views.set(parent, new View(parent, name));
  return () => {
    views.get(parent)?.remove();
    views.delete(parent);
  };
}

function redraw() {
  mounts.forEach((mount) => mount.update(vocabulary.words));
  views.forEach((one) => one.redraw());
}

function made(parent, data) {
  return data.strip ? new Strip(parent) : new Row(parent);
}

// A change of the page mounts the next of a kind before it ends the one before: what they set goes with the last of them.
const owners = new Map();

function own(kind, parent, end) {
  if (!owners.has(kind)) owners.set(kind, new Set());
  const there = owners.get(kind).add(parent);
  return () => {
    there.delete(parent);
    if (![...there].some((other) => other.isConnected)) end();
  };
}

// Which colours the page has instead of the theme's own: figures that are there take them on.
function paint(palette) {
  if (palette) document.documentElement.dataset.palette = palette;
  else delete document.documentElement.dataset.palette;
  forget();
  redraw();
}
