// A part of a picture as a button, pressed by a click or by key.

import { give } from "./give.js";

export function pressed(part, sets) {
  part.onclick = () => give(sets);
  part.onkeydown = (event) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    give(sets);
  };
}
