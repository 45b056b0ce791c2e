// Which mounts are out of sight: the server draws their rows again when they come nearer, not with every change.

import { late } from "./ghosts.js";

// How near is in sight already, in heights of the screen, and milliseconds of rest after which leaving it is told.
const NEAR = "30%";
const REST = 300;

const far = new Set();
let tell = () => {};
let told = "";
let timer = null;

const observer = new IntersectionObserver((entries) => {
  let isNearer = false;
  for (const { target, isIntersecting } of entries) {
    const key = keyOf(target);
    if (!key) continue;
    isNearer ||= isIntersecting && far.has(key);
    if (isIntersecting) far.delete(key);
    else far.add(key);
  }
  clearTimeout(timer);
  if (isNearer) report();
  else timer = setTimeout(report, REST);
}, { rootMargin: NEAR, scrollMargin: NEAR });

// say: tells the server the keys of the mounts that are out of sight.
export function whenOutOfSight(say) {
  tell = say;
}

export function watch(parent) {
  observer.observe(parent);
}

export function leave(parent) {
  observer.unobserve(parent);
  far.delete(keyOf(parent));
}

function report() {
  const keys = [...far].sort();
  if (keys.join() === told) return;
  told = keys.join();
  // What the server sends now has changed before.
  late();
  tell(keys);
}

// The key that the server calls a mount by is a class of what Streamlit puts around it.
function keyOf(parent) {
  const classes = parent.closest("[class*=st-key-]")?.classList ?? [];
  return [...classes].find((name) => name.startsWith("st-key-"))?.slice("st-key-".length);
}
