// The motions of a tile, played once when it has come: what was kept shrinks, and then what is new joins it.

// Milliseconds for what was there to shrink, and for what is new to come after it.
const SHRINKS = 700;
const still = matchMedia("(prefers-reduced-motion: reduce)");

// Tiles of another size are no motion: what is known stays.
export class Corrections {
  begin(tile, size) {
    const [place, sides] = [tile.join(), size.join()];
    this.isNew = this.place !== undefined && this.place !== place && this.sides === sides;
    this.place = place;
    this.sides = sides;
    this.motions = [];
  }

  // from, to: what of the shape changes; later: whether it comes when the others have shrunk.
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
