// Asks the server for the views of a page: those in sight first, one question under way, the newest next.

import { parameters, settingsAre, whenChanged } from "./address.js";
import { Ahead } from "./ahead.js";
import { asked } from "./asked.js";
import { theme } from "./colour.js";
import { conceal, open } from "./opening.js";
import { explains } from "./knob_help.js";
import { isDragged, isHeld, knows, letGo, settings, whenMoved } from "./under_finger.js";

// Milliseconds after which figures that wait for an answer are marked.
const PATIENCE = 1000;
// Milliseconds until a question that failed is asked again by itself.
const AGAIN = 2000;

const views = new Set();
// Whether something is looked for that no view near the screen has shown.
let isMissing = () => false;
const ahead = new Ahead();
// page, language, build, and which settings are no change of the numbers: what the server said of this page.
let context = null;
let underWay = null;
let marking = 0;
let repeat = 0;
// How often a task of the page has computed something.
let results = 0;
// The numbers' settings as they rest, and as they were before their last change; how many changes there were.
const history = { now: "", before: null, count: 0, isMoving: false };
// All settings as they were last seen, and whether they came by a slider or by what is dragged in a figure.
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
  // A link that names a cell leads to its arithmetic, however far down that stands.
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

// The settings that numbers depend on, in one order.
function numbers(given) {
  const kept = [...given].filter(([name]) => !context.reader.includes(name) && !context.looks.includes(name));
  return new URLSearchParams(kept.sort(([a], [b]) => (a < b ? -1 : 1))).toString();
}

// What the screen is now; the same text is the same screen.
function question() {
  const screen = new URLSearchParams([...settings()].filter(([name]) => !context.reader.includes(name)));
  screen.sort();
  if (history.before !== null) screen.set("before", history.before);
  for (const name of ["page", "language", "build"]) screen.set(name, context[name]);
  return screen;
}

// What a change does is held against what was there before it: before the slider was taken, while it is held.
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
  // Under a finger that still moves, what nobody sees would be asked for in vain.
  const these = [known, seen, isDragged() ? [] : wanted].find((some) => some.length);
  // What came ahead may be near only now, and wait for a task.
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
    // Asked for after a view has changed, the browser would judge the styles once more for it.
    theme(these[0].root);
    for (const view of these) {
      view.show(found.views[view.name], key, change);
      // What it waits for may have come while the answer was on its way; one that came ahead was on its way from the first.
      if (view.isPending && (before !== results || these === known)) view.shown = null;
      view.mark(view.isPending);
    }
  }
  // What is painted in the next frame is seen before more is asked for. Asked with the frame itself, there were a tenth more
  // answers a second, and a value took half as long again until it was painted.
  requestAnimationFrame(() => setTimeout(ask));
}

// Where one looks: to look elsewhere is no change.
const looked = (screen) => ["page", "preset", "sentence", "head", "device"].map((name) => screen.get(name)).join();

// What a figure of the page is drawn with: its settings, in its language; and the controls that it can take with it.
export function drawnWith() {
  const screen = question();
  for (const name of ["page", "language", "build", "before"]) screen.delete(name);
  screen.set("lang", context.language);
  return { settings: screen, beside: context.beside };
}

// What another page shows of this screen: the question as one text, and what asks it.
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

// The figures stay, are marked, and are asked for again: with the next change, when the browser is online again, and, as
// long as it may help, by themselves.
function failed({ name, status }) {
  if (name === "AbortError") return soon();
  mark();
  clearTimeout(repeat);
  if (!status || status >= 500) repeat = setTimeout(soon, AGAIN);
}

// Figures that are near and are not those of the settings.
function mark() {
  const key = question().toString();
  for (const view of views) view.mark(view.isNear && (view.shown !== key || view.isPending));
}

// Have all views asked for, those behind lines that are closed among them, as long as something is missing.
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
