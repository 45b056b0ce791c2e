// The room of a lecture in this browser: who votes, who leads, and at which stop the lecture is.

// Milliseconds between two requests about a room.
const AGAIN = 3000;
const PLACE = "attention-rooms";
// The most rooms that a browser remembers.
const MOST = 10;

const listeners = new Set();
// The lecture bar's state, and the last answer of the server about the room.
let on = null;
/** @type {Record<string, any>} */
let state = {};
/** @type {(stop: number) => void} */
let go = () => {};
let timer = 0;
// The stop to which this window is on its way; whether its reader has left the stop of the lecture.
let sentTo = null;
let isAway = false;
let last = Promise.resolve();
// Returns the file of a lecturer's own lecture.
let ownText = () => "";

// The lecturer's link holds the key behind "#", which no server sees. The key leaves the address bar at once, because
// people copy that address for others.
let keyOfLink = /^#key=([0-9a-f]{32})$/.exec(location.hash)?.[1];
if (keyOfLink) history.replaceState(history.state, "", location.pathname + location.search);

// Call listener when anything about the room has changed.
export function whenRoomChanges(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @returns {Record<string, any>} */
export function room() {
  return { ...state, on, isAway: isAway || Boolean(on?.elsewhere), isMine: Boolean(on && kept(on.room).key) };
}

// shown: room, lecture, stop, revealed, elsewhere (whether the page is another one than that of the stop), language.
export function enter(shown, goTo) {
  const before = on;
  go = goTo;
  on = shown;
  if (keyOfLink) keep(on.room, { key: keyOfLink });
  keyOfLink = null;
  const isSame = before?.room === on.room && before.lecture === on.lecture;
  if (!isSame) [state, sentTo, isAway] = [{}, null, false];
  const hasMoved = isSame && (before.stop !== on.stop || before.revealed !== on.revealed);
  if (isSame && before.stop !== on.stop) {
    isAway = on.stop !== (sentTo ?? state.stop);
    state.notCounted = undefined;
    if (on.stop === sentTo) sentTo = null;
  }
  const follows = on.stop === state.stop && on.revealed === state.revealed;
  if (hasMoved && room().isMine && !follows && !state.refused) lead();
  else if (!isSame || hasMoved) ask("look");
  told();
}

export function leave() {
  on = null;
  clearTimeout(timer);
}

export function choose(choice) {
  return ask("choose", { choice });
}

export function join() {
  isAway = false;
  send(state.stop);
}

// Open a room for the lecturer, again if the server has forgotten it.
export function open(again = false) {
  const { key } = kept(on.room);
  keep(on.room, { key: key ?? drawn(16) });
  const text = on.lecture === "own" ? { text: ownText() } : {};
  return ask("open", { again, revealed: on.revealed, ...text });
}

export async function close() {
  await ask("close");
  keep(on.room, { key: undefined, opened: undefined });
  state = { refused: "closed" };
  told();
}

export function results() {
  return asked("results", { language: on.language });
}

export function textFrom(given) {
  ownText = given;
}

// Send the room another lecture of the lecturer's own.
export function ownIsOpened() {
  if (on?.lecture === "own" && kept(on.room).opened) open();
}

// Whether this browser leads a room.
export function leads(name) {
  return Boolean(kept(name).key);
}

// Whether the room holds the running lecture, so that a link need not carry it.
export function holdsLecture() {
  return Boolean(on && state.stop && !state.refused && state.lecture === on.lecture);
}

// The file of the lecture that a room holds; "" if there is none.
export async function lectureOf(name) {
  const reply = await request(name, { do: "lecture" }).catch(() => null);
  return reply?.ok ? (await reply.json()).text : "";
}

export function lecturersLink() {
  return `${location.href.split("#")[0]}#key=${kept(on.room).key}`;
}

function lead() {
  return ask("lead", { revealed: on.revealed });
}

// Send one request at a time, in order: the answer to an older question must not arrive after that to a choice.
function ask(what, more = {}) {
  clearTimeout(timer);
  const place = on;
  const done = last.then(async () => {
    const answer = await asked(what, more, place).catch(() => null);
    if (!on || on.room !== place.room) return;
    clearTimeout(timer);
    timer = setTimeout(() => ask("look"), AGAIN);
    // Without an answer nothing is known; the next request asks again.
    if (!answer) return;
    hear(what, answer, place);
  });
  last = done;
  return done;
}

async function asked(what, more = {}, place = on) {
  const { room: name, lecture, stop } = place;
  const { key } = kept(name);
  const reply = await request(name, { do: what, voter: voter(name), lecture, stop, ...(key && { key }), ...more });
  return { ok: reply.ok, ...(await reply.json()) };
}

function request(name, body) {
  const address = new URL(`room?name=${encodeURIComponent(name)}`, document.baseURI);
  const headers = { "content-type": "application/json" };
  return fetch(address, { method: "POST", headers, body: JSON.stringify(body), signal: AbortSignal.timeout(10_000) });
}

function hear(what, { ok, refused, ...answer }, place) {
  const { key, opened } = kept(place.room);
  if (!ok) {
    // A choice that was not counted says so until the next one.
    const notCounted = what === "choose" ? { notCounted: refused } : {};
    const isGone = ["closed", "taken", "no_room", "large"].includes(refused);
    state = isGone ? { refused } : { ...state, ...notCounted };
    told();
    if (refused === "closed" && key && opened) open(true);
    // The room holds another lecture than this window, because its lecturer has gone on to this one.
    if (refused === "other_lecture" && what === "lead") open();
    return;
  }
  if (what === "open") keep(place.room, { opened: true });
  const { notCounted } = what === "choose" ? {} : state;
  if (what !== "close") state = { ...answer, notCounted, refused: undefined };
  if (place.stop === on.stop && place.lecture === on.lecture) follow();
  told();
}

// Phones follow the lecture, unless their reader has gone elsewhere.
function follow() {
  if (!state.stop || state.lecture !== on.lecture) return;
  if (state.stop === on.stop) [isAway, sentTo] = [false, null];
  else if (!isAway && !on.elsewhere) send(state.stop);
}

function send(stop) {
  sentTo = stop;
  go(stop);
}

function told() {
  listeners.forEach((listener) => listener());
}

// What a browser keeps of a room: voter, a random number that identifies nobody, so that a reload does not vote twice;
// key, of the lecturer; opened, whether the room was opened with it. This copy serves browsers that keep nothing.
const unkept = {};

function all() {
  try {
    return JSON.parse(localStorage.getItem(PLACE)) ?? {};
  } catch {
    return unkept;
  }
}

function kept(name) {
  const found = all()[name];
  return found && typeof found === "object" ? found : {};
}

function keep(name, values) {
  const { [name]: old, ...others } = all();
  const rooms = { ...Object.fromEntries(Object.entries(others).slice(1 - MOST)), [name]: { ...old, ...values } };
  Object.assign(unkept, rooms);
  try {
    localStorage.setItem(PLACE, JSON.stringify(rooms));
  } catch {
    // A browser that keeps nothing votes as somebody new after a reload.
  }
}

function voter(name) {
  const found = kept(name).voter;
  if (found) return found;
  const voter = drawn(8);
  keep(name, { voter });
  return voter;
}

function drawn(bytes) {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
