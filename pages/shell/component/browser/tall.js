// How much higher figures are on the wall of a hall than on a desk: type grows there with the window, and needs the room.

const [LOW, MOST] = [720, 1.5];

export const isOnWall = () => document.documentElement.dataset.palette === "projector";

// more: of a figure whose lines stand close.
export function tall(more = 1) {
  return isOnWall() ? more * Math.min(Math.max(window.innerHeight / LOW, 1), MOST) : 1;
}

// How much larger the type of a figure grows that is large on a desk already: on a wall all of it is to be seen at once.
export const grown = (large) => Math.max(1, 0.8 * large);
