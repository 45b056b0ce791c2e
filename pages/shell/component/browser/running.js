// The tiles of attention: the effect of a tile on one row (running_story.js), all scores as the usual way keeps them,
// and the one tile in memory (running_tile.js), each with the size of its memory (running_heads.js) and its output;
// both outputs are laid over each other once asked for (running_laid.js). A click or a drag over the scores moves the
// tile there and follows the row; arrow keys do the same.

import { Dragged } from "./dragged.js";
import { put } from "./plane.js";
import { aside } from "./running_aside.js";
import { Corrections } from "./running_corrections.js";
import { head } from "./running_heads.js";
import { laidOver } from "./running_laid.js";
import { Board } from "./running_board.js";
import { boardOf, isOfPhone, sidesOf } from "./running_places.js";
import { storyOf } from "./running_story.js";
import { hatch } from "./running_tile.js";
import { Scene } from "./scene.js";
import { grown } from "./tall.js";
import { widthOf } from "./text.js";

const TYPE = 14;

const within = (value, most) => Math.min(Math.max(value, 0), most);

export class Running extends Dragged {
  constructor(sets) {
    super(sets, { role: "img" });
    this.root.classList.add("att-running");
    hatch(put(this.svg, "defs"));
    this.scene = new Scene(put(this.svg, "g"));
    this.board = new Board(this.scene);
    this.corrections = new Corrections();
    // The areas that take the pointer: the rows of a matrix, and the row of the story.
    const hands = put(this.svg, "g", { class: "att-hands" });
    this.hands = ["usual", "tiles", "row"].map((name) =>
      put(hands, "rect", { class: "att-rows-taken", "data-hand": name }),
    );
    this.holds(hands, this.plot);
    // A click is a place as well.
    hands.addEventListener("pointerdown", (event) => {
      const taken = this.reaches[this.hands.indexOf(event.target)];
      const x = event.clientX - this.svg.getBoundingClientRect().left - taken.x;
      this.taken = { ...taken, isBeside: x < 0 || x >= taken.wide };
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
    // Name the last tile by its last score, which is in the last tile of every size, so that finished tiles stay
    // finished.
    const named = isLast ? { row: rows.length - 1, column: columns.length - 1 } : { row, column };
    return { ...named, number: followed + 1 };
  }

  // Move to the tile of a row whose keys include a column.
  move(row, column) {
    const { rows, columns, size } = this.sent.running;
    const start = (at, side, count) => within(Math.floor(at / side) * side, count - 1);
    const followed = within(row, rows.length - 1);
    this.at = [start(followed, size[0], rows.length), start(column, size[1], columns.length), followed];
  }

  // Keep to the area where the drag began, however far the pointer goes. In the row of the story there is no other row.
  follow({ clientX, clientY }) {
    const { left, top } = this.svg.getBoundingClientRect();
    const { x, y, line, cell, isBeside } = this.taken;
    this.move(
      line ? Math.floor((clientY - top - y) / line) : this.at[2],
      isBeside ? this.at[1] : Math.floor((clientX - left - x) / cell),
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
    const isNarrow = isOfPhone(width, large);
    const measure = (text, size = type, weight = 400) => widthOf(text, size, colours.font, weight);
    const sides = sidesOf(width, large);
    const { isBeside } = sides;
    const draws = { root: this.root, scene: this.scene, sent: this.sent, type, colours, isNarrow, isBeside, measure };
    this.svg.setAttribute("aria-label", labels.described);
    this.corrections.begin(running.tile, running.size);
    const isLaid = Boolean(running.laid);
    const comes = isLaid && this.isLaid === false;
    this.isLaid = isLaid;
    let height = 0;
    this.scene.draw(() => {
      const story = storyOf(draws, sides.story, this.corrections);
      const board = boardOf(draws, { ...sides, top: isBeside ? 0 : story.end + 1.2 * type }, large);
      board.places.forEach((place, at) => place.isAlone || head(draws, board.heads, at, place.head));
      this.board.draw(draws, board, this.corrections);
      if (isLaid) laidOver(draws, board, comes);
      const below = { x: isBeside ? board.x : 0, y: board.end + 1.7 * type, width: sides.width };
      height = Math.max(story.end, aside(draws, below));
      this.reach(board, story.strip);
    });
    Object.entries({ width, height, "font-size": type }).forEach((pair) => this.svg.setAttribute(...pair));
    this.corrections.play();
    // Scroll the picture into sight, since the guess is below it on a phone.
    if (comes) this.root.scrollIntoView({ block: "nearest" });
  }

  // The upper left corner of the cells, how far the pointer reaches beside them, and the size of a cell.
  reach({ places, name, gap, output, line, cell, wide, high }, strip) {
    const rows = places.map(({ x, top }) => ({
      x,
      y: top,
      wide,
      line,
      cell,
      high,
      from: x - name,
      to: x + wide + gap + output,
    }));
    const along = { ...strip, wide: strip.width, line: 0, from: strip.x, to: strip.x + strip.width };
    this.reaches = [...rows, along];
    this.reaches.forEach(({ y, from, to, high }, at) => {
      const box = { x: from, y, width: to - from, height: high };
      Object.entries(box).forEach((pair) => this.hands[at].setAttribute(...pair));
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
