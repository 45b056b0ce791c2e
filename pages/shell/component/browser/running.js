// All scores, as the usual way keeps them, and beside them the one tile that is in memory (running_tile.js), each with how
// much it keeps (running_heads.js) and the output that it leads to, which are laid over each other once that is asked for
// (running_laid.js); below, what the tile does to the numbers of one row (running_sum.js). A click or a drag over the scores puts the tile there and follows the row; arrow keys do the same.

import { Dragged } from "./dragged.js";
import { decoded, paint } from "./pixels.js";
import { put } from "./plane.js";
import { aside } from "./running_aside.js";
import { Corrections, ofSum } from "./running_sum.js";
import { HATCH, hatch, tileAlone } from "./running_tile.js";
import { headsOf } from "./running_heads.js";
import { columnsOf, keptBeside, widthOfKept } from "./running_kept.js";
import { laidOver } from "./running_laid.js";
import { Scene } from "./scene.js";
import { clip } from "./sentence_line.js";
import { grown, isOnWall, tall } from "./tall.js";
import { widthOf } from "./text.js";

// Pixels: the highest line, on a desk and on a phone, and the lowest; type, of names the most, and below which there is room
// for little more than the scores; from which on for numbers beside them.
const [LINE, LOW_LINE, LEAST, TYPE, NAME, NARROW, ROOMY] = [30, 17, 9, 14, 84, 760, 1000];

const within = (value, most) => Math.min(Math.max(value, 0), most);

export class Running extends Dragged {
  constructor(sets) {
    super(sets, { role: "img" });
    this.root.classList.add("att-running");
    hatch(put(this.svg, "defs"));
    this.scene = new Scene(put(this.svg, "g"));
    // Over all that stands in a row: what a hand meets.
    this.rows = put(this.svg, "rect", { class: "att-rows-taken", x: 0 });
    this.corrections = new Corrections();
    this.canvases = [];
    this.holds(this.rows, this.plot);
    // A click is a place, too.
    this.rows.addEventListener("pointerdown", (event) => {
      this.taken = this.matrixAt(event);
      this.follow(event);
    });
  }

  known({ running: { tile, followed } }) {
    return [tile[0], tile[2], followed.row];
  }

  question() {
    const { rows, columns, size } = this.sent.running;
    const [row, column, followed] = this.at;
    const isLast = row + size[0] >= rows.length && column + size[1] >= columns.length;
    // The last tile by its last score, which is in the last one of every size: what is done stays done.
    const named = isLast ? { row: rows.length - 1, column: columns.length - 1 } : { row, column };
    return { ...named, number: followed + 1 };
  }

  // The tile of a row whose keys are among those of a column.
  move(row, column) {
    const { rows, columns, size } = this.sent.running;
    const start = (at, side, count) => within(Math.floor(at / side) * side, count - 1);
    const followed = within(row, rows.length - 1);
    this.at = [start(followed, size[0], rows.length), start(column, size[1], columns.length), followed];
  }

  // Which of the two matrices, by the place of its first column, a pointer is in.
  matrixAt({ clientX }) {
    const x = clientX - this.rows.getBoundingClientRect().left;
    return this.places.starts.find((start) => x >= start && x < start + this.places.wide);
  }

  follow({ clientX, clientY }) {
    const { left, top } = this.rows.getBoundingClientRect();
    const { line, cell } = this.places;
    const isBeside = this.taken === undefined;
    this.move(
      Math.floor((clientY - top) / line),
      isBeside ? this.at[1] : Math.floor((clientX - left - this.taken) / cell),
    );
  }

  moves() {
    const [, column, row] = this.at;
    const across = this.sent.running.size[1];
    return {
      ArrowUp: () => this.move(row - 1, column),
      ArrowDown: () => this.move(row + 1, column),
      ArrowLeft: () => this.move(row, column - across),
      ArrowRight: () => this.move(row, column + across),
    };
  }

  picture({ width, colours }) {
    const { running, labels } = this.sent;
    const large = grown(colours.large);
    const type = TYPE * large;
    const isNarrow = width < NARROW * large;
    const measure = (text, size = type, weight = 400) => widthOf(text, size, colours.font, weight);
    const count = running.rows.length;
    // On a wall lines grow less than type, which leaves room for the player above them.
    const line = Math.max(Math.min(isNarrow ? LOW_LINE : LINE, (isOnWall() ? 185 : 330) / count) * tall(), LEAST);
    const name = Math.min(Math.max(...running.rows.map((token) => measure(clip(token)))) + 8, NAME * large);
    const output = isNarrow ? 28 : Math.min(22 * running.features, 110) * large;
    const gap = isNarrow ? 4 : 14 * large;
    const said = isNarrow ? type : Math.max(measure(labels.agrees, type, 700), measure(labels.differs)) + 8;
    const between = isNarrow ? 10 : 40 * large;
    const kept = isOnWall() || width < ROOMY * large ? [] : columnsOf(labels, type, measure);
    const beside = kept.length ? widthOfKept(kept) : 0;
    const room = (width - name - between - 2 * (gap + output) - said - beside) / 2;
    const cell = Math.min(room / running.columns.length, (isOnWall() ? 2 : 1.5) * line);
    const wide = cell * running.columns.length;
    const right = name + wide + gap + output + between;
    // Where there is no room for the names of all columns, the first and the last that are in memory.
    const isBrief = Math.max(...running.columns.map((token) => measure(clip(token), type, 700))) > cell - 4;
    const draws = { scene: this.scene, sent: this.sent, type, colours, isNarrow, isBrief, measure };
    this.places = { starts: [name, right], wide, line, cell };
    this.svg.setAttribute("aria-label", labels.described);
    this.corrections.begin(running.tile, running.size);
    const isLaid = Boolean(running.laid);
    const comes = isLaid && this.isLaid === false;
    this.isLaid = isLaid;
    let [top, height] = [0, 0];
    this.scene.draw(() => {
      const heads = isNarrow ? [0, right] : [name, right];
      const rooms = [right - heads[0] - between / 2, width - right];
      top = headsOf(draws, heads, rooms) + 1.7 * type;
      const size = { wide, high: count * line, cell, line, top };
      this.band(top + running.followed.row * line, line, width);
      this.names(top, line, type);
      this.places.starts.forEach((x, at) => {
        this.columns(draws, at, { ...size, x });
        if (at) tileAlone(draws, { ...size, x }, this.painted(at, draws), this.corrections);
        else this.whole(draws, { ...size, x });
        if (at && kept.length) keptBeside(draws, kept, { ...size, x: x + wide });
        this.outputs(draws, at, { ...size, x: x + wide + gap + (at ? beside : 0), width: output });
      });
      if (isLaid) {
        const place = { x: name + wide + gap, y: top, width: output, height: count * line };
        laidOver(
          draws,
          (this.canvases[4] ??= document.createElement("canvas")),
          place,
          right + wide + gap + beside,
          comes,
        );
      }
      const [x, y] = [heads[isNarrow ? 0 : 1], top + count * line + 1.8 * type];
      const end = ofSum(draws, { x, y, width: width - x }, this.corrections);
      const once = isNarrow ? { x, y: end + 1.4 * type, width } : { x: name, y, width: rooms[0] };
      height = Math.max(end, aside(draws, once));
    });
    Object.entries({ y: top, width, height: count * line }).forEach((pair) => this.rows.setAttribute(...pair));
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.corrections.play();
    // On a phone the guess is below the picture.
    if (comes) this.root.scrollIntoView({ block: "nearest" });
  }

  write(name, text, attributes) {
    return this.scene.put(name, "text", attributes, undefined, text);
  }

  band(y, line, width) {
    this.scene.put("followed band", "rect", { class: "att-followed", x: 0, y, width, height: line });
  }

  names(y, line, type) {
    const { rows, tile } = this.sent.running;
    rows.forEach((token, at) => {
      const isRead = at >= tile[0] && at < tile[1];
      // Of lines that are too low for their type, none but those of the tile.
      const isWritten = line >= 0.9 * type || isRead;
      const place = { x: 0, y: y + (at + 0.5) * line + 0.35 * type, class: isRead ? "att-read" : null };
      if (isWritten) this.write(`names ${at}`, clip(token), place);
    });
  }

  columns({ type, measure, isBrief, isNarrow }, of, { x, top, cell, wide }) {
    const { columns, tile } = this.sent.running;
    const place = { y: top - 0.5 * type, "text-anchor": "middle" };
    const [first, last] = of ? [tile[2], tile[3]] : [0, columns.length];
    if (isBrief) {
      const said = [...new Set([columns[first], columns[last - 1]].map((token) => clip(token)))].join(" – ");
      const half = measure(said, type, 700) / 2;
      // Beside a name that is wider than its outputs.
      const end = x + wide - half - (isNarrow ? 0.7 * type : 0);
      const middle = Math.min(Math.max(x + ((first + last) / 2) * cell, x + half), end);
      if (2 * half <= wide) this.write(`column ${of}`, said, { ...place, x: middle, class: "att-read" });
      return;
    }
    columns.forEach((token, at) => {
      const kind = of && at >= first && at < last ? "att-read" : null;
      this.write(`column ${of} ${at}`, clip(token), { ...place, x: x + (at + 0.5) * cell, class: kind });
    });
  }

  // The scores as pixels; of the second matrix those of the tile alone.
  painted(at, { colours }) {
    const { rows, columns, scores, tile } = this.sent.running;
    const isIn = (index) => {
      const [row, column] = [Math.floor(index / columns.length), index % columns.length];
      return row >= tile[0] && row < tile[1] && column >= tile[2] && column < tile[3];
    };
    const shades = decoded(scores).map((shade, index) => (!at || isIn(index) ? shade : 255));
    const canvas = (this.canvases[at] ??= document.createElement("canvas"));
    paint(canvas, [shades], rows.length, columns.length, "signed", colours);
    return canvas.toDataURL();
  }

  whole(draws, { x, top, wide, high }) {
    const box = { x, y: top, width: wide, height: high };
    this.scene.put("whole hatch", "rect", { class: "att-hatched", fill: `url(#${HATCH})`, ...box });
    this.scene.put("whole", "image", { ...box, preserveAspectRatio: "none", href: this.painted(0, draws) });
    this.scene.put("whole frame", "rect", { class: "att-tile-frame", ...box });
  }

  // A row of cells for each row that has an output, and whether one that is finished is what the usual way makes.
  outputs({ type, colours, isNarrow, measure }, of, { x, top, width, line, high }) {
    const { running, labels } = this.sent;
    const head = of ? (isNarrow ? labels.output : labels.output_so_far) : running.laid ? labels.both : labels.output;
    const middle = x + width / 2;
    this.write(`head ${of}`, head, { x: middle, y: top - 0.5 * type, "text-anchor": "middle" });
    const canvas = (this.canvases[2 + of] ??= document.createElement("canvas"));
    const shades = decoded(of ? running.output : running.usual);
    paint(canvas, [shades], running.rows.length, running.features, "signed", colours);
    const href = canvas.toDataURL();
    this.scene.put(`outputs ${of}`, "image", { x, y: top, width, height: high, preserveAspectRatio: "none", href });
    this.scene.put(`outputs frame ${of}`, "rect", { class: "att-around", x, y: top, width, height: high });
    if (!of) return;
    running.agrees.forEach((agrees, at) => {
      if (agrees === null || (line < 0.9 * type && !isNarrow)) return;
      const said = isNarrow ? (agrees ? "=" : "≠") : agrees ? labels.agrees : labels.differs;
      const place = { x: x + width + (isNarrow ? 3 : 8), y: top + (at + 0.5) * line + 0.35 * type };
      this.write(`agrees ${at}`, said, { ...place, class: "att-agrees" });
    });
  }

  headAndLines() {
    const { labels, running } = this.sent;
    const verdict = { true: labels.agrees, false: labels.differs, null: labels.none };
    return [
      [
        labels.queries,
        labels.maximum,
        labels.factor,
        labels.sum,
        labels.output_so_far,
        labels.usual,
        `${labels.by_tiles} = ${labels.usual}`,
      ],
      running.rows.map((token, at) => {
        const [maximum, sum, output] = labels.written[at];
        return [
          token,
          maximum,
          labels.factors[at],
          sum,
          output,
          labels.usually[at],
          verdict[String(running.agrees[at])],
        ];
      }),
    ];
  }
}
