// A lecture of somebody's own in this browser: the file that was opened and the stops that were saved are kept here, so
// that a reload and another window have them; one that came by a link or from a room is there as long as the tab.

import { lectureOf, leads, ownIsOpened, textFrom } from "./room.js";

const place = (name) => `attention-own-${name}`;
const ARRIVED = "attention-lecture-of-link";
// Characters of a lecture in a link: more is pasted into no message.
const LONGEST = 16_000;
let told = false;
// The lecture as the link of it carries it behind "#", which no server sees; "" where it is too long.
let packed = { text: "", link: "" };
let inLink = /^#lecture=([\w-]+)$/.exec(location.hash)?.[1];

textFrom(ownText);

// kept: what the server holds by name, null where it holds nothing and asks, "" where there is to be nothing any more;
// asks: whether a link waits for the lecture, so that it must be said, too, that there is none; room: that of the link.
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

// The lecture of the link, else of its room, else the one that this tab had; "" where it is this browser's own.
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

// The file of the lecture that is shown as one's own, "" for none.
export function ownText() {
  return packed.text || stored("lecture");
}

// What a link has behind "#" to bring the lecture along; "" where that would be too long.
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

// What a stream makes of bytes; no more than a lecture can have, whatever was packed.
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
