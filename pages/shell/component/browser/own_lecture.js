// A lecture of one's own, and the stops that were saved for one, stay in this browser: a reload and another window have them.

const place = (name) => `attention-own-${name}`;
let told = false;

// kept: what the server holds by name, null where it holds nothing and asks, "" where there is to be nothing any more;
// asks: whether a link waits for the lecture, so that it must be said, too, that there is none.
export function ownLecture({ kept, asks }, report) {
  const found = {};
  for (const [name, text] of Object.entries(kept)) {
    if (text) store(name, text);
    else if (text === "") localStorage.removeItem(place(name));
    else found[name] = stored(name);
  }
  if (!asks && (told || !Object.values(found).some(Boolean))) return;
  told = true;
  report(found);
}

// The file of the lecture that this browser has opened, "" for none.
export function ownText() {
  return stored("lecture");
}

function store(name, text) {
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
