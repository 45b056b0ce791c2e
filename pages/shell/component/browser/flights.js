// Things that move over the page from one place to another, and that are paused, finished or taken back together.

// Thrown to those who await a flight of a film that has ended.
export class Over extends Error {}

export class Flights {
  constructor(isPaused) {
    this.animations = new Set();
    this.things = new Set();
    this.isPaused = isPaused;
    this.isOver = false;
  }

  // Fly a thing through places (boxes of the window), then remove it. make: draws it.
  async fly(thing, boxes, { duration = 700, delay = 0, fades = false } = {}) {
    if (this.isOver) throw new Over();
    const [first] = boxes;
    Object.assign(thing.style, {
      position: "fixed",
      left: 0,
      top: 0,
      margin: 0,
      width: `${first.width}px`,
      height: `${first.height}px`,
      transformOrigin: "0 0",
      zIndex: 80,
      pointerEvents: "none",
    });
    thing.setAttribute("aria-hidden", "true");
    document.body.append(thing);
    this.things.add(thing);
    const frames = boxes.map((box, at) => ({
      transform: `translate(${box.left}px, ${box.top}px) scale(${box.width / (first.width || 1)}, ${box.height / (first.height || 1)})`,
      opacity: fades && at === boxes.length - 1 ? 0.2 : 1,
    }));
    await this.animate(thing, frames, { duration, delay, easing: boxes.length > 2 ? "linear" : "ease-in-out" });
    thing.remove();
    this.things.delete(thing);
  }

  async animate(element, frames, options) {
    if (this.isOver) throw new Over();
    const animation = element.animate(frames, { fill: "both", ...options });
    this.animations.add(animation);
    if (this.isPaused) animation.pause();
    await animation.finished.catch(() => {});
    this.animations.delete(animation);
    // The page itself shows the final state.
    animation.cancel();
    if (this.isOver) throw new Over();
  }

  // Wait for milliseconds in which nothing is paused.
  wait(duration) {
    return this.animate(document.documentElement, [{ opacity: 1 }, { opacity: 1 }], { duration });
  }

  pause(isPaused) {
    this.isPaused = isPaused;
    this.animations.forEach((animation) => (isPaused ? animation.pause() : animation.play()));
  }

  end() {
    this.isOver = true;
    this.animations.forEach((animation) => animation.cancel());
    this.animations.clear();
    this.things.forEach((thing) => thing.remove());
    this.things.clear();
  }
}

// The picture of a tile, or one row of it.
export function picture(canvas, row = null, rows = 1) {
  const copy = document.createElement("canvas");
  const high = row === null ? canvas.height : Math.max(1, Math.round(canvas.height / rows));
  Object.assign(copy, { width: canvas.width, height: high });
  const top = row === null ? 0 : Math.min(Math.floor((row * canvas.height) / rows), canvas.height - high);
  copy.getContext("2d").drawImage(canvas, 0, top, canvas.width, high, 0, 0, canvas.width, high);
  copy.style.imageRendering = "pixelated";
  copy.style.outline = "1px solid var(--att-text)";
  return copy;
}

export function block(colour) {
  const made = document.createElement("div");
  made.style.background = colour;
  return made;
}
