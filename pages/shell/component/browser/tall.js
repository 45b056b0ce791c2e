// How much higher figures are on a projector than on a desktop screen, since type grows with the window there.

const [LOW, MOST] = [720, 1.5];

export const isOnWall = () => document.documentElement.dataset.palette === "projector";

// more: for a figure whose lines stand close together.
export function tall(more = 1) {
  return isOnWall() ? more * Math.min(Math.max(window.innerHeight / LOW, 1), MOST) : 1;
}

// How much the type of a figure grows whose type is large already, so that a projector shows all of it at once.
export const grown = (large) => Math.max(1, 0.8 * large);
