// Move a weight by hand: its bar is dragged, or moved by key. A click chooses the bar, or answers the question which
// bar would have to change. On a touch screen a bar is chosen before it is dragged, so that the page can be scrolled.

import { filledIn, give, takeBack } from "./give.js";

// Hundredths: the range of a drag, and the step of a key; pixels from which on a press is a drag.
const [LOWEST, HIGHEST, STEP] = [1, 99, 5];
const SLACK = 3;

let isDragged = false;
// The picture whose question was answered. Until the verdict comes, a second click would answer it again.
let answered = null;

export const isHeld = ({ held }, of, to) => held[0] === of && held[1] === to;

// The settings of a weight, given as a share.
const settings = ({ drags }, of, to, share) => {
  const weight = Math.min(HIGHEST, Math.max(LOWEST, Math.round(100 * share)));
  return filledIn(drags, { head: of, key: to, weight });
};

// The area of a bar that takes the pointer; take: called by a click.
export function taking(field, { sent, of, to, take }) {
  const held = isHeld(sent, of, to);
  const canDrag = Object.keys(sent.drags).length > 0;
  for (const [name, value] of Object.entries({ role: "option", tabindex: -1, "aria-selected": held, "data-bar": of }))
    field.setAttribute(name, String(value));
  field.classList.toggle("att-can-drag", canDrag);
  field.classList.toggle("att-held", held);
  field.toggleAttribute("data-dragged", canDrag && held);
  field.onclick = () => {
    if (isDragged || answered === sent) return;
    if (!canDrag) answered = sent;
    take();
  };
  field.onpointerdown = (event) => {
    isDragged = false;
    if (!canDrag || event.button || (event.pointerType === "touch" && !held)) return;
    event.preventDefault();
    follow(field, event, (share) => settings(sent, of, to, share));
  };
  return field;
}

// The picture captures the pointer during a drag, because its bars may change their order. A click belongs to its bar.
function follow(field, { pointerId, clientY: from }, sets) {
  const svg = field.ownerSVGElement;
  const { bottom, height } = field.getBoundingClientRect();
  const over = new AbortController();
  const share = ({ clientY }) => (bottom - clientY) / height;
  const on = (type, done) => svg.addEventListener(type, done, { signal: over.signal });
  on("pointermove", (event) => {
    if (!isDragged && Math.abs(event.clientY - from) >= SLACK) {
      isDragged = true;
      svg.setPointerCapture(pointerId);
    }
    if (isDragged) give(sets(share(event)), true);
  });
  on("pointerup", (event) => {
    over.abort();
    if (isDragged) give(sets(share(event)));
  });
  on("pointercancel", (event) => {
    over.abort();
    takeBack(Object.keys(sets(share(event))));
  });
}

// Move a bar by key; returns whether the key has a use.
export function keyed({ key }, sent, of, to) {
  const by = { "+": STEP, "=": STEP, "-": -STEP }[key];
  if (!by || !Object.keys(sent.drags).length) return false;
  give(settings(sent, of, to, sent.asks[of].weights[to] + by / 100));
  return true;
}
