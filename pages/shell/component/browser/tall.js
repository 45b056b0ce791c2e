// How much higher figures are on the wall of a hall than on a desk: type grows there with the window, and needs the room.

const [LOW, MOST] = [720, 1.5];

export function tall() {
  const isOnWall = document.documentElement.dataset.palette === "projector";
  return isOnWall ? Math.min(Math.max(window.innerHeight / LOW, 1), MOST) : 1;
}
