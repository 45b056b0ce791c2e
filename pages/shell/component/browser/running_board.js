// Both matrices with the names of their rows and columns, and the outputs beside them: all scores, and the tile alone.

import { decoded, paint } from "./pixels.js";
import { HATCH, tileAlone } from "./running_tile.js";
import { clip } from "./sentence_line.js";

export class Board {
  constructor(scene) {
    this.scene = scene;
    this.canvases = {};
  }

  // board: the places of both, as running_places.js lays them out.
  draw(draws, board, corrections) {
    const isNamed = (at) => board.places.every(({ x }) => x >= board.places[at].x);
    board.places.forEach((place, at) => this.band(draws, board, place, at, isNamed(at) ? board.name : 0));
    board.places.forEach(({ x, top, isAlone }, at) => {
      const size = { ...board, x, top };
      // Outputs whose matrix is not there.
      if (isAlone) return this.outputs(draws, at, size, draws.sent.labels.usual);
      // On a phone names have room in the row that is told alone.
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

  // Behind the row that is followed.
  band({ sent }, { line, wide, gap, output }, { x, top }, at, before) {
    const box = { x: x - before, y: top + sent.running.followed.row * line, height: line };
    this.scene.put(`band ${at}`, "rect", {
      class: "att-followed",
      ...box,
      width: before + wide + gap + output,
    });
  }

  // The same frame as around the row that is told, over the scores: that row is this one.
  row({ sent }, at, { x, top, line, wide }) {
    const box = { x, y: top + sent.running.followed.row * line, width: wide, height: line };
    this.scene.put(`row of ${at}`, "rect", { class: "att-row-frame", ...box });
  }

  names({ sent, type }, { x, top, line, name }, of) {
    const { rows, tile, followed } = sent.running;
    rows.forEach((token, at) => {
      const isRead = at >= tile[0] && at < tile[1];
      // Of lines that are too low for their type, none but that of the row that is followed.
      const isWritten = line >= 0.9 * type || at === followed.row;
      const place = { x: x - name, y: top + (at + 0.5) * line + 0.35 * type, class: isRead ? "att-read" : null };
      if (isWritten) this.write(`names ${of} ${at}`, clip(token), place);
    });
  }

  columns({ type, measure, sent }, of, { x, top, cell, wide }) {
    const { columns, tile } = sent.running;
    const place = { y: top - 0.5 * type, "text-anchor": "middle" };
    const [first, last] = of ? [tile[2], tile[3]] : [0, columns.length];
    // Where there is no room for the names of all columns, the first and the last that are in memory.
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

  // The scores as pixels; of the second matrix those of the tile alone.
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

  // A row of cells for each row that has an output, and whether one that is finished is what the usual way makes.
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
    // What is asked is not shown yet.
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
