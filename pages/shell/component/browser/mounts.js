// The mounts of a page: each is a headed row of cards. Words and tokens come once, for all of them.

import { Arcs } from "./arcs.js";
import { Card } from "./card.js";
import { Chart } from "./chart.js";
import { forget, theme } from "./colour.js";
import { loaded } from "./draw_queue.js";
import { lap } from "./lap.js";
import { endLecture, follow } from "./lecture.js";
import { moved } from "./moved.js";
import { outline } from "./outline.js";
import { ownLecture } from "./own_lecture.js";
import { Places } from "./places.js";
import { Player } from "./player.js";
import { watchConnection, whenConnectedAgain } from "./reopen.js";
import { sayOnce } from "./say_once.js";
import { seek, show } from "./seek.js";
import { share, speak } from "./share.js";
import { Sharing } from "./sharing.js";
import { leave, watch, whenOutOfSight } from "./sight.js";
import { Strip } from "./strip.js";
import { Vectors } from "./vectors.js";
import { votes } from "./votes.js";
import { Wall, choose } from "./wall.js";
import { watchTables } from "./wide_tables.js";

const mounts = new Map();
let words = null;
let labels = {};
let missed = false;

for (const name of ["plot.css", "share.css", "moved.css", "arcs.css", "strip.css", "first_screen.css", "lecture.css", "today.css", "wall.css"]) {
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
  if (data.moved) return moved(parentElement, data.moved);
  if (data.opened) return choose(data.opened);
  if (data.share) return share(parentElement, data.share, words);
  if (data.sight) {
    whenOutOfSight((keys) => setStateValue("far", keys));
    return () => {};
  }
  if (data.words || data.labels) {
    words = data.words ?? words;
    if (data.words) whenConnectedAgain(() => setTriggerValue("again", Date.now()));
    speak(words);
    if (words) document.documentElement.lang = words.language;
    labels = data.labels ?? labels;
    mounts.forEach((mount) => mount.update(words));
    return () => {};
  }
  if (!mounts.has(parentElement)) {
    mounts.set(parentElement, made(parentElement, data));
    watch(parentElement);
  }
  const mount = mounts.get(parentElement);
  mount.ask = (query) => setTriggerValue(data.strip || data.player || data.wall ? "choice" : "query", query);
  mount.report = (cell) => {
    if (data.chapter || data.clicks) setTriggerValue("cell", cell);
    if (data.opens) show(data.opens);
  };
  mount.data = data;
  mount.update(words);
  return () => {
    leave(parentElement);
    mount.remove();
    mounts.delete(parentElement);
  };
}

function made(parent, data) {
  if (data.wall) return new Wall(parent);
  if (data.player) return new Player(parent);
  return data.strip ? new Strip(parent) : new Mount(parent);
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
  mounts.forEach((mount) => mount.update(words));
}

// What could not be drawn without plotly.js is drawn when it has come after all.
function recovered() {
  if (!missed) return;
  missed = false;
  mounts.forEach((mount) => mount.update(words));
}

// A step may be drawn several times: once for each head, or for each mask.
const key = ({ id, tag }) => `${id} ${tag ?? ""}`;

class Mount {
  constructor(parent) {
    this.cards = new Map();
    this.row = document.createElement("section");
    this.row.className = "att-row";
    this.heading = document.createElement("h3");
    this.grid = document.createElement("div");
    this.grid.className = "att-cards";
    this.row.append(this.heading, this.grid);
    parent.append(this.row);
  }

  update() {
    if (!words) return;
    if (this.data.seek) seek(...this.data.seek);
    const { page, text } = theme(this.row);
    document.documentElement.style.setProperty("--att-page", page);
    document.documentElement.style.setProperty("--att-text", text);
    this.heading.textContent = words.chapters[this.data.chapter] ?? "";
    this.heading.hidden = !this.data.chapter;
    const present = new Set(this.data.cards.map(key));
    for (const [id, card] of this.cards) {
      if (present.has(id)) continue;
      card.remove();
      this.cards.delete(id);
    }
    this.grid.dataset.count = this.data.cards.length;
    this.data.cards.forEach((sent, index) => {
      if (!this.cards.has(key(sent))) this.cards.set(key(sent), this.made(sent));
      const card = this.cards.get(key(sent));
      card.told = this.data.at;
      card.heatmap?.fit(Boolean(card.told));
      if (this.grid.children[index] !== card.root) this.grid.insertBefore(card.root, this.grid.children[index] ?? null);
      card.update({ ...words.table[sent.of], ...sent }, sent.labels ?? labels, words);
    });
    sayOnce();
    outline();
    loaded().then(recovered, () => {
      missed = true;
      this.cards.forEach((card) => card.fail(words.ui.failed));
    });
  }

  made({ chart, vectors, arcs, sharing, places }) {
    if (chart) return new Chart();
    if (arcs) return new Arcs((cell) => this.report(cell));
    if (sharing) return new Sharing((cell) => this.report(cell));
    if (places) return new Places((at) => this.ask(at));
    return vectors ? new Vectors((query) => this.ask(query)) : new Card((cell) => this.report(cell));
  }

  remove() {
    this.cards.forEach((card) => card.remove());
    this.row.remove();
    sayOnce();
  }
}
