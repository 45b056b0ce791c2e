// An axis of a light chart: where its numbers stand, and which of them are written.

import { named } from "./chart_reading.js";

// The share of its length that an axis without a range leaves at its ends; about how many numbers it has.
const [ROOM, TICKS] = [0.04, 6];

export class ChartAxis {
  // seen: all numbers along the axis; from, to: the pixels of its ends.
  constructor(axis, seen, [from, to]) {
    this.axis = axis;
    const known = seen.filter((one) => Number.isFinite(one) && (one > 0 || !axis.log)).map((one) => this.of(one));
    const [low, high] = axis.range?.map((one) => this.of(one)) ?? [Math.min(...known), Math.max(...known)];
    const room = axis.range ? 0 : ROOM * (high - low);
    // A single number stands in the middle.
    const ends = high > low ? [low - room, high + room] : [low - 0.5, low + 0.5];
    this.low = ends[0];
    this.high = ends[1];
    this.from = from;
    this.to = to;
  }

  of(value) {
    return this.axis.log ? Math.log10(value) : value;
  }

  at(value) {
    return this.from + ((this.of(value) - this.low) / (this.high - this.low)) * (this.to - this.from);
  }

  sees(value) {
    const place = this.of(value);
    return place >= this.low && place <= this.high;
  }

  // The ticks: pairs of a number and its text.
  ticks() {
    const { ticks, log } = this.axis;
    return (ticks ?? (log ? this.powers() : this.round()))
      .filter((one) => this.sees(one))
      .map((one) => [one, ticks ? named(this.axis, one) : one.toLocaleString("en").replace("-", "−")]);
  }

  powers() {
    const first = Math.ceil(this.low);
    const each = Math.ceil((this.high - first) / (TICKS + 1)) || 1;
    return Array.from({ length: Math.floor((this.high - first) / each) + 1 }, (_, at) => 10 ** (first + at * each));
  }

  round() {
    const least = (this.high - this.low) / TICKS;
    const power = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= least);
    const first = Math.ceil(this.low / step);
    return Array.from({ length: Math.floor(this.high / step) - first + 1 }, (_, at) => (first + at) * step);
  }
}
