// Ask the server for the views of a page: those in sight first, one request at a time, and next always the newest
// settings.

import { parameters, settingsAre, whenChanged } from "./address.js";
import { Ahead } from "./ahead.js";
import { asked } from "./asked.js";
import { theme } from "./colour.js";
import { conceal, open } from "./opening.js";
import { explains } from "./knob_help.js";
import { isDragged, isHeld, knows, letGo, settings, whenMoved } from "./under_finger.js";

// Milliseconds until figures that wait for an answer are marked.
const PATIENCE = 1000;
// Milliseconds until a failed request is repeated.
const AGAIN = 2000;

const views = new Set();
// Whether a caller looks for something that no view near the screen has shown yet.
let isMissing = () => false;
const ahead = new Ahead();
// What the server said of this page: its name, language, build, and the settings that change no number.
let context = null;
let underWay = null;
let marking = 0;
let repeat = 0;
// How many results tasks of the page have reported.
let results = 0;
// The settings that change numbers, as they rest and as they were before their last change, and the number of changes.
const history = { now: "", before: null, count: 0, isMoving: false };
// All settings as last seen, and whether a slider or a drag in a figure changed them.
const last = { settings: "", isHeld: false };

export function opened(given) {
  if (context && context.page !== given.page) {
    conceal();
    letGo();
    underWay?.abort();
    Object.assign(history, { before: null, isMoving: false });
  }
  const isFirst = context?.page !== given.page;
  context = given;
  // A link that names a cell opens its arithmetic, however far down the page.
  if (isFirst && parameters().has("cell")) seekAll(() => !document.querySelector(".att-panel"));
  settingsAre(Object.keys(given.controls));
  knows(given.controls, given.words);
  explains(given.explained);
  history.now = numbers(parameters());
  soon();
  open(
    () =>
      (views.size > 0 || !given.figures) && [...views].every((view) => view.shown !== null || view.isInSight === false),
  );
}

export function place(view) {
  views.add(view);
  soon();
}

export function leave(view) {
  views.delete(view);
}

// The settings that change numbers, sorted.
function numbers(given) {
  const kept = [...given].filter(([name]) => !context.reader.includes(name) && !context.looks.includes(name));
  return new URLSearchParams(kept.sort(([a], [b]) => (a < b ? -1 : 1))).toString();
}

// The screen as a request; equal screens give the same text.
function question() {
  const screen = new URLSearchParams([...settings()].filter(([name]) => !context.reader.includes(name)));
  screen.sort();
  if (history.before !== null) screen.set("before", history.before);
  for (const name of ["page", "language", "build"]) screen.set(name, context[name]);
  return screen;
}

// Note changes. Their effect is compared with the screen before the slider was taken, as long as it is held.
function note() {
  const now = numbers(settings());
  const rests = !isHeld();
  if (now !== history.now && !history.isMoving)
    Object.assign(history, { before: history.now, count: history.count + 1, isMoving: true });
  const all = settings();
  all.sort();
  if (last.settings !== all.toString()) Object.assign(last, { settings: all.toString(), isHeld: !rests });
  if (!rests) return;
  Object.assign(history, { now, isMoving: false });
}

let isDue = false;

export function soon() {
  if (isDue || !context) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    note();
    ask();
  });
}

async function ask() {
  if (underWay || !context) return;
  const screen = question();
  const key = screen.toString();
  const isAhead = (view) => ahead.has(key, view.name);
  const due = [...views].filter((view) => view.shown !== key);
  const near = due.filter((view) => view.isNear || isAhead(view));
  const wanted = near.length || !isMissing() ? near : due;
  const [known, seen] = [wanted.filter(isAhead), wanted.filter((view) => view.isInSight)];
  // While a finger moves, views out of sight are not asked for, because their answers would be old at once.
  const these = [known, seen, isDragged() ? [] : wanted].find((some) => some.length);
  // A view whose answer came ahead may have come near only now, and may wait for a task.
  if (!these) return mark();
  const names = [...new Set(these.map((view) => view.name))];
  const change = { count: history.count, view: looked(screen), before: history.before, isHeld: last.isHeld };
  const [from, before] = [context, results];
  marking ||= setTimeout(() => mark(), PATIENCE);
  underWay = new AbortController();
  const found =
    (these === known && (await ahead.take(names))) ||
    (await fetched(screen, names, underWay.signal).catch((error) => ({ error })));
  underWay = null;
  clearTimeout(marking);
  marking = 0;
  if (found.error) return failed(found.error);
  if (from === context || from.page === context.page) {
    // Read the colours before the first view changes; later the browser would have to compute the styles again.
    theme(these[0].root);
    for (const view of these) {
      view.show(found.views[view.name], key, change);
      // The result that the view waits for may have arrived during the request. An answer that came ahead may be older
      // than any result.
      if (view.isPending && (before !== results || these === known)) view.shown = null;
      view.mark(view.isPending);
    }
  }
  // Ask again after the frame has been painted. Asking together with the frame gave a tenth more answers a second, but
  // values took half as long again until they were painted.
  requestAnimationFrame(() => setTimeout(ask));
}

// The settings of where one looks. A change of these alone is no change to compare with.
const looked = (screen) => ["page", "preset", "sentence", "head", "device"].map((name) => screen.get(name)).join();

// What a figure of the page is drawn with: its settings, its language, and the controls that can be embedded with it.
export function drawnWith() {
  const screen = question();
  for (const name of ["page", "language", "build", "before"]) screen.delete(name);
  screen.set("lang", context.language);
  return { settings: screen, beside: context.beside };
}

// A view of another page for the settings of this screen: the request as text, and a function that sends it.
export function elsewhere(page, name) {
  const screen = question();
  screen.delete("before");
  screen.set("page", page);
  return { key: screen.toString(), answer: () => fetched(screen, [name]) };
}

async function fetched(screen, names, signal = undefined) {
  const body = new URLSearchParams(screen);
  names.forEach((name) => body.append("view", name));
  return (await asked("live", body, signal)).json();
}

// After a failure the figures stay and are marked. The request is repeated with the next change, when the browser is
// online again and, if that may help, after a while.
function failed({ name, status }) {
  if (name === "AbortError") return soon();
  mark();
  clearTimeout(repeat);
  if (!status || status >= 500) repeat = setTimeout(soon, AGAIN);
}

// Mark figures near the screen that do not show the present settings.
function mark() {
  const key = question().toString();
  for (const view of views) view.mark(view.isNear && (view.shown !== key || view.isPending));
}

// Ask for all views, also those in closed drawers, as long as missing() is true.
export function seekAll(missing) {
  isMissing = missing;
  soon();
}

// A task of the page has computed what views were waiting for.
export function again() {
  results += 1;
  for (const view of views) if (view.isPending) view.shown = null;
  soon();
}

whenChanged(soon);
whenMoved(soon);
for (const event of ["online", "pageshow"]) addEventListener(event, soon);
document.addEventListener("visibilitychange", () => document.hidden || soon());
