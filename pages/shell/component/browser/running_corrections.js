// The motions of a tile, played once when it arrives: what was kept shrinks, then the new part joins it.

// Milliseconds for the shrinking; the new part comes after it.
const SHRINKS = 700;
const still = matchMedia("(prefers-reduced-motion: reduce)");

// A change of the tile's size is no motion.
export class Corrections {
  begin(tile, size) {
    const [place, sides] = [tile.join(), size.join()];
    this.isNew = this.place !== undefined && this.place !== place && this.sides === sides;
    this.place = place;
    this.sides = sides;
    this.motions = [];
  }

  // from, to: the attributes that change; later: whether after the shrinking.
  add(shape, from, to, later = false) {
    this.motions.push([shape, from, to, later]);
  }

  play() {
    if (!this.isNew || still.matches) return;
    for (const [shape, from, to, later] of this.motions)
      shape.animate([from, to], {
        duration: SHRINKS,
        delay: later ? SHRINKS : 0,
        fill: "backwards",
        easing: "ease-in-out",
      });
  }
}
