// A lecturer's own lecture in this browser. The opened file and the saved stops are kept for reloads and other windows;
// a lecture from a link or a room stays as long as the tab.

import { lectureOf, leads, ownIsOpened, textFrom } from "./room.js";

const place = (name) => `attention-own-${name}`;
const ARRIVED = "attention-lecture-of-link";
// The most characters of a lecture in a link; longer links cannot be pasted into messages.
const LONGEST = 16_000;
let told = false;
// The lecture as its link carries it behind "#", which no server sees; "" if it is too long.
let packed = { text: "", link: "" };
let inLink = /^#lecture=([\w-]+)$/.exec(location.hash)?.[1];

textFrom(ownText);

// kept: the texts that the server holds, by name; null: it holds none and asks for it, "": forget it. asks: whether a
// link waits for the lecture, so that the answer must come even if there is none; room: that of the link.
export async function ownLecture({ kept, asks, room, arrived }, report) {
  const found = {};
  if (arrived) await pack(arrived);
  for (const [name, text] of Object.entries(kept)) {
    if (text) await store(name, text);
    else if (text === "") localStorage.removeItem(place(name));
    else found[name] = stored(name);
  }
  if (!asks && (told || !Object.values(found).some(Boolean))) return;
  told = true;
  const came = asks ? await arriving(room) : "";
  if (came) sessionStorage.setItem(ARRIVED, came);
  report(came ? { ...found, lecture: came, arrived: "yes" } : found);
}

// The lecture of the link, or that of its room, or the one that this tab had; "" for this browser's own.
async function arriving(room) {
  const came = inLink && (await unpacked(inLink).catch(() => ""));
  inLink = null;
  if (came) return came;
  if (room && !leads(room)) {
    const held = await lectureOf(room);
    if (held) return held;
  }
  return sessionStorage.getItem(ARRIVED) ?? "";
}

// The file of the lecture that is shown as the lecturer's own; "" if there is none.
export function ownText() {
  return packed.text || stored("lecture");
}

// The part behind "#" that carries the lecture in a link; "" if it would be too long.
export function ownLink() {
  return packed.link;
}

async function store(name, text) {
  if (name === "lecture") {
    sessionStorage.removeItem(ARRIVED);
    await pack(text);
  }
  try {
    localStorage.setItem(place(name), text);
  } catch (full) {
    console.warn(full);
  }
}

function stored(name) {
  try {
    return localStorage.getItem(place(name)) ?? "";
  } catch {
    return "";
  }
}

async function pack(text) {
  if (text === packed.text) return;
  packed = { text, link: "" };
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const link = `#lecture=${letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
  packed = { text, link: link.length > LONGEST ? "" : link };
  ownIsOpened();
}

async function unpacked(letters) {
  const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}

// The bytes that come out of a stream, at most as many as a lecture can have, whatever was packed.
async function through(stream, bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  for (let all = 0, read = await reader.read(); !read.done; read = await reader.read()) {
    all += read.value.length;
    if (all > 200_000) throw new RangeError("a lecture has 200,000 bytes at most");
    parts.push(read.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
