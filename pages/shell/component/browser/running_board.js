// Both matrices with the names of rows and columns, and the outputs beside them: all scores, and the tile alone.

import { decoded, paint } from "./pixels.js";
import { HATCH, tileAlone } from "./running_tile.js";
import { clip } from "./sentence_line.js";

export class Board {
  constructor(scene) {
    this.scene = scene;
    this.canvases = {};
  }

  // board: the places of both, as laid out by running_places.js.
  draw(draws, board, corrections) {
    const isNamed = (at) => board.places.every(({ x }) => x >= board.places[at].x);
    board.places.forEach((place, at) => this.band(draws, board, place, at, isNamed(at) ? board.name : 0));
    board.places.forEach(({ x, top, isAlone }, at) => {
      const size = { ...board, x, top };
      // Outputs without their matrix.
      if (isAlone) return this.outputs(draws, at, size, draws.sent.labels.usual);
      // On a phone only the story's row has names.
      if (isNamed(at) && !draws.isNarrow) this.names(draws, size, at);
      if (!draws.isNarrow) this.columns(draws, at, size);
      const href = this.painted(draws, at);
      if (at) tileAlone(draws, size, href, corrections);
      else this.whole(size, href);
      this.outputs(draws, at, size);
      this.row(draws, at, size);
    });
  }

  write(name, text, attributes) {
    return this.scene.put(name, "text", attributes, undefined, text);
  }

  // A band behind the followed row.
  band({ sent }, { line, wide, gap, output }, { x, top }, at, before) {
    const box = { x: x - before, y: top + sent.running.followed.row * line, height: line };
    this.scene.put(`band ${at}`, "rect", {
      class: "att-followed",
      ...box,
      width: before + wide + gap + output,
    });
  }

  // The frame of the story's row, over the same row of the scores.
  row({ sent }, at, { x, top, line, wide }) {
    const box = { x, y: top + sent.running.followed.row * line, width: wide, height: line };
    this.scene.put(`row of ${at}`, "rect", { class: "att-row-frame", ...box });
  }

  names({ sent, type }, { x, top, line, name }, of) {
    const { rows, tile, followed } = sent.running;
    rows.forEach((token, at) => {
      const isRead = at >= tile[0] && at < tile[1];
      // If lines are lower than their type, only the followed row is named.
      const isWritten = line >= 0.9 * type || at === followed.row;
      const place = { x: x - name, y: top + (at + 0.5) * line + 0.35 * type, class: isRead ? "att-read" : null };
      if (isWritten) this.write(`names ${of} ${at}`, clip(token), place);
    });
  }

  columns({ type, measure, sent }, of, { x, top, cell, wide }) {
    const { columns, tile } = sent.running;
    const place = { y: top - 0.5 * type, "text-anchor": "middle" };
    const [first, last] = of ? [tile[2], tile[3]] : [0, columns.length];
    // Without room for all names of columns, name the first and the last column in memory.
    if (Math.max(...columns.map((token) => measure(clip(token), type, 700))) > cell - 4) {
      const said = [...new Set([columns[first], columns[last - 1]].map((token) => clip(token)))].join(" – ");
      const half = measure(said, type, 700) / 2;
      const middle = Math.min(Math.max(x + ((first + last) / 2) * cell, x + half), x + wide - half);
      if (2 * half <= wide) this.write(`column ${of}`, said, { ...place, x: middle, class: "att-read" });
      return;
    }
    columns.forEach((token, at) => {
      const kind = of && at >= first && at < last ? "att-read" : null;
      this.write(`column ${of} ${at}`, clip(token), { ...place, x: x + (at + 0.5) * cell, class: kind });
    });
  }

  pixels(name, shades, rows, columns, colours) {
    const canvas = (this.canvases[name] ??= document.createElement("canvas"));
    paint(canvas, [shades], rows, columns, "signed", colours);
    return canvas.toDataURL();
  }

  // The scores as pixels; in the second matrix only those of the tile.
  painted({ colours, sent }, at) {
    const { rows, columns, scores, tile } = sent.running;
    const isIn = (index) => {
      const [row, column] = [Math.floor(index / columns.length), index % columns.length];
      return row >= tile[0] && row < tile[1] && column >= tile[2] && column < tile[3];
    };
    const shades = decoded(scores).map((shade, index) => (!at || isIn(index) ? shade : 255));
    return this.pixels(`scores ${at}`, shades, rows.length, columns.length, colours);
  }

  whole({ x, top, wide, high }, href) {
    const box = { x, y: top, width: wide, height: high };
    this.scene.put("whole hatch", "rect", { class: "att-hatched", fill: `url(#${HATCH})`, ...box });
    this.scene.put("whole", "image", { ...box, preserveAspectRatio: "none", href });
    this.scene.put("whole frame", "rect", { class: "att-tile-frame", ...box });
  }

  // A row of cells for each row with an output, and whether a finished row equals that of the usual way.
  outputs({ sent, type, colours, isNarrow }, of, { x, top, wide, high, line, gap, output, verdict }, named) {
    const { running, labels } = sent;
    const head = of ? labels.output_so_far : (named ?? labels.output);
    const left = x + wide + gap;
    const middle = { x: left + output / 2, "text-anchor": "middle" };
    const place = isNarrow ? { x: left + output, "text-anchor": "end" } : middle;
    this.write(`head ${of}`, head, { ...place, y: top - 0.5 * type });
    const sentOf = of ? running.output : running.usual;
    const box = { x: left, y: top, width: output, height: high };
    const frame = () => this.scene.put(`outputs frame ${of}`, "rect", { class: "att-around", ...box });
    // The answer to the question is not shown yet.
    if (!sentOf) {
      const asked = { ...middle, y: top + high / 2 + type, "font-size": 3 * type, "font-weight": 700 };
      this.write("outputs asked", "?", asked);
      frame();
      return;
    }
    const href = this.pixels(`outputs ${of}`, decoded(sentOf), running.rows.length, running.features, colours);
    this.scene.put(`outputs ${of}`, "image", { ...box, preserveAspectRatio: "none", href });
    frame();
    if (!of) return;
    running.agrees.forEach((agrees, at) => {
      if (agrees === null || (line < 0.9 * type && !isNarrow)) return;
      const said = isNarrow ? (agrees ? "=" : "≠") : agrees ? labels.agrees : labels.differs;
      const beside = { x: verdict + (isNarrow ? 3 : 8), y: top + (at + 0.5) * line + 0.35 * type };
      this.write(`agrees ${at}`, said, { ...beside, class: "att-agrees" });
    });
  }
}
