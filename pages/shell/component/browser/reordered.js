// A sentence, and below it its words in another order: each is moved to its place by dragging or by key, and its output
// row travels with it. If a line of words has no room, the words stand below each other.

import { Dragged } from "./dragged.js";
import { decoded } from "./pixels.js";
import { pressed } from "./pressed.js";
import { GRIP, across, down, rowsOf } from "./reordered_places.js";
import { bars, grip, lineNames, namesWide, outputCells, shareTaken } from "./reordered_parts.js";
import { Scene } from "./scene.js";
import { clip, placed } from "./sentence_line.js";
import { filled } from "./text.js";

// Pixels: the widest cell of an output; the distance of the text about a change below its sign, and the type of that
// text.
const [CELL, BY, PART] = [13, 18, 13];

// Pixels of the line of a changed output. part: of the largest change.
const thickness = (part) => 1 + 4 * part;

export class Reordered extends Dragged {
  constructor(sets) {
    super(sets, {});
    this.root.classList.add("att-reordered");
    this.keyedInside();
    this.scene = new Scene(this.svg);
    // The pointer, and the place that the held word was taken from.
    this.pointer = this.taken = null;
  }

  called({ labels: { kind, keys } }) {
    return { kind, keys };
  }

  known({ reordered }) {
    return reordered.order;
  }

  picture(due) {
    this.shownIn = due;
    this.compose();
  }

  // Words that were moved ahead of the answer stand at their new places, with their former outputs.
  place() {
    super.place();
    if (this.shownIn && String(this.at) !== this.composed) this.compose();
  }

  compose() {
    const { width, colours } = this.shownIn;
    const { tokens, features } = this.sent.reordered;
    this.composed = String(this.at);
    const lines = [tokens, this.at.map((token) => tokens[token])].map((words) => placed(words, width, colours));
    this.layout = lines.every(({ isWide }) => isWide)
      ? across(lines, features, width, { ...colours, names: namesWide(this.sent.labels, colours) })
      : down(tokens.length, features, width, colours);
    const { size, height } = this.layout;
    Object.entries({ width, height, "font-size": size }).forEach((pair) => this.svg.setAttribute(...pair));
    this.scene.draw(() => {
      const { labels, reordered } = this.sent;
      lineNames(
        this.scene,
        this.svg,
        labels,
        { ...this.layout, isMoved: this.isMoved(), isChanged: reordered.isMoved.includes(true) },
        colours.large,
      );
      tokens.forEach((_, token) => this.path(token));
      tokens.forEach((token, at) => this.word("written", token, at, at, colours));
      tokens.forEach((token, at) => this.word("moved", token, at, this.at.indexOf(at), colours));
    });
    this.lift();
  }

  // Whether a word is not at its written place: otherwise nothing is compared.
  isMoved() {
    return this.sent.reordered.order.some((word, place) => word !== place);
  }

  // The held word lies on the others, which are put before it: an element that is moved itself loses the pointer.
  lift() {
    const held = this.pointer ? this.scene.get(`moved ${this.held.which}`) : null;
    if (!held || held === this.svg.lastElementChild) return;
    this.at.forEach(
      (token) => token !== this.held.which && this.svg.insertBefore(this.scene.get(`moved ${token}`), held),
    );
  }

  path(token) {
    const { isAcross, written, moved, high, strip, tall, shares } = this.layout;
    const { large } = this.shownIn.colours;
    const [from, to] = [written[token], moved[this.at.indexOf(token)]];
    let d;
    if (isAcross) {
      const [start, end] = [from.y + high + tall + shares + 8 * large, to.y - 4 * large];
      const middle = (start + end) / 2;
      d = `M${from.x},${start} C${from.x},${middle} ${to.x},${middle} ${to.x},${end}`;
    } else {
      const [start, end] = [from.x + from.wide / 2 + strip + 6 * large, to.x - to.wide / 2 - 4 * large];
      const [a, b, middle] = [from.y + high / 2, to.y + high / 2, (start + end) / 2];
      d = `M${start},${a} C${middle},${a} ${middle},${b} ${end},${b}`;
    }
    const kinds = ["att-carries"];
    if (this.at[token] !== token) kinds.push("att-elsewhere");
    const changed = this.sent.reordered.isMoved[token];
    if (changed) kinds.push("att-changed");
    // The line of an output is the thicker, the more the output has changed.
    const style = changed ? `stroke-width: ${thickness(this.sent.reordered.changed[token])}` : null;
    this.scene.put(`path ${token}`, "path", { class: kinds.join(" "), d, style }, this.svg);
  }

  // A word with its output; in the other order also its change.
  word(line, text, token, at, colours) {
    const { isAcross, hasGrips, high, strip: narrow, tall, shares } = this.layout;
    const { reordered, labels } = this.sent;
    const { x, y, wide, room } = this.layout[line][at];
    const { large } = colours;
    const isDragged = line === "moved";
    const name = `${line} ${token}`;
    const isNew = !this.scene.get(name);
    const isChanged = isDragged && reordered.isMoved[token];
    const isElsewhere = isDragged && this.at[token] !== token;
    const kind = `att-${line}-word${isElsewhere ? " att-elsewhere" : ""}${isChanged ? " att-changed" : ""}${token === reordered.looked ? " att-looked-at" : ""}`;
    const group = this.scene.put(name, "g", { class: kind }, this.svg);
    const pulled = isDragged ? this.pulled(token) : null;
    group.toggleAttribute("data-held", Boolean(pulled));
    group.style.transform = `translate(${pulled?.x ?? x}px, ${pulled?.y ?? y}px)`;
    const dots = isDragged && hasGrips ? GRIP * large : 0;
    const box = isAcross ? wide + 14 + dots : wide;
    this.scene.put(`box ${name}`, "rect", { x: -box / 2, y: 2, width: box, height: high - 4, rx: 7 }, group);
    this.scene.put(
      `text ${name}`,
      "text",
      { x: dots / 2, y: 0.66 * high, "text-anchor": "middle", class: "att-token" },
      group,
      clip(text),
    );
    if (dots)
      grip(this.scene, group, name, { x: -box / 2 + 7 * large, y: high / 2, step: 4.5 * large, r: 1.3 * large });
    const rows = rowsOf(reordered.features);
    const count = Math.ceil(reordered.features / rows);
    const cell = isAcross ? Math.min(CELL * large, (room - 8) / count) : narrow / count;
    const start = isAcross
      ? { x: (-cell * count) / 2, y: high + 4 }
      : { x: wide / 2 + 4 * large, y: (high - tall - shares) / 2 };
    const shades = decoded(reordered[line]).subarray(token * reordered.features, (token + 1) * reordered.features);
    const cells = { ...start, width: cell * count, height: tall, rows };
    outputCells(this.scene, group, name, { shades, ...cells, colours });
    const most = Math.max(...reordered.takes.written, ...reordered.takes.moved) || 1;
    const part = (of) => reordered.takes[of][token] / most;
    const below = { x: start.x, y: start.y + tall + 3 * large, width: cells.width, isAcross, large };
    const said = labels.shares[line][token];
    shareTaken(this.scene, group, name, { part: part(line), was: part(isDragged ? "written" : line), said, ...below });
    if (!isDragged) {
      this.looks(group, text, token);
      return;
    }
    if (this.isMoved()) this.compared(group, token, { isChanged, start, narrow });
    this.scene.put(`told ${token}`, "title", {}, group, `${text}: ${labels.differences[token]}`);
    const told = filled(labels.place, { place: at + 1, of: reordered.tokens.length });
    Object.entries({
      role: "slider",
      tabindex: 0,
      "aria-label": text,
      "aria-valuemin": 1,
      "aria-valuemax": reordered.tokens.length,
      "aria-valuenow": at + 1,
      "aria-valuetext": `${told}, ${labels.apart} ${labels.differences[token]}`,
    }).forEach((pair) => group.setAttribute(...pair));
    if (isNew) this.holds(group, group, token);
  }

  // The sign whether an output has changed, and the size of the change.
  compared(group, token, { isChanged, start, narrow }) {
    const { isAcross, high, tall, shares } = this.layout;
    const { labels, reordered } = this.sent;
    const { large } = this.shownIn.colours;
    const number = isAcross
      ? { x: 0, y: start.y + tall + shares + 21 * large, "text-anchor": "middle" }
      : { x: start.x + narrow + 5 * large, y: high / 2 + 5 * large, "text-anchor": "start" };
    const sign = isChanged ? labels.other : labels.same;
    // The sign is as large as the change.
    const type = isChanged ? 15 + 11 * reordered.changed[token] : 22;
    const look = { class: "att-apart", "font-size": type * large, ...number };
    this.scene.put(`apart ${token}`, "text", look, group, sign);
    if (isChanged) {
      const { x, y } = number;
      const by = isAcross ? { x, y: y + BY * large } : { x: x + 18 * large, y: high / 2 + 4 * large };
      const look = { class: "att-apart-by", "font-size": PART * large, "text-anchor": number["text-anchor"], ...by };
      this.scene.put(`by ${token}`, "text", look, group, labels.parts[token]);
    }
  }

  // A click on a word of the first line chooses it.
  looks(group, text, token) {
    const sets = this.sent.reordered.sets[token];
    if (!Object.keys(sets).length) return;
    const isLooked = token === this.sent.reordered.looked;
    Object.entries({ role: "button", tabindex: 0, "aria-label": text, "aria-pressed": isLooked }).forEach((pair) =>
      group.setAttribute(...pair),
    );
    pressed(group, sets);
  }

  follow({ clientX, clientY }) {
    this.pointer = { clientX, clientY };
    const { left, top } = this.svg.getBoundingClientRect();
    const { isAcross, moved, high } = this.layout;
    this.taken ??= moved[this.from.indexOf(this.held.which)];
    const away = ({ x, y }) => (isAcross ? Math.abs(clientX - left - x) : Math.abs(clientY - top - y - high / 2));
    this.put(
      this.held.which,
      this.from,
      moved.reduce((best, one, at) => (away(one) < away(moved[best]) ? at : best), 0),
    );
    this.compose();
  }

  // The place of the held word under the pointer, between places; null for the others.
  pulled(token) {
    if (this.held?.which !== token || !this.pointer) return null;
    const { isAcross, moved } = this.layout;
    const from = this.taken;
    const [first, last] = [moved[0], moved.at(-1)];
    const inside = (at, low, high) => Math.min(Math.max(at, low), high);
    return isAcross
      ? { x: inside(from.x + this.pointer.clientX - this.held.x, first.x, last.x), y: from.y }
      : { x: from.x, y: inside(from.y + this.pointer.clientY - this.held.y, first.y, last.y) };
  }

  // A word that is let go moves to its place.
  end() {
    super.end();
    this.pointer = this.taken = null;
    this.compose();
  }

  // Put a word at a place; the others keep their order.
  put(token, from, to) {
    const others = from.filter((one) => one !== token);
    this.at = [...others.slice(0, to), token, ...others.slice(to)];
    this.place();
  }

  question() {
    return { order: this.at.map((token) => token + 1).join(",") };
  }

  moves(token) {
    const last = this.sent.reordered.tokens.length - 1;
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -last, End: last };
    return Object.fromEntries(
      Object.entries(by).map(([key, far]) => [
        key,
        () => {
          this.put(token, this.at, Math.min(Math.max(this.at.indexOf(token) + far, 0), last));
          this.scene.get(`moved ${token}`).focus({ preventScroll: true });
        },
      ]),
    );
  }

  headAndLines() {
    const {
      labels,
      reordered: { tokens },
    } = this.sent;
    return [
      [labels.written, bars(labels), labels.moved, bars(labels), labels.apart],
      tokens.map((token, at) => [
        token,
        labels.shares.written[at],
        String(this.at.indexOf(at) + 1),
        labels.shares.moved[at],
        labels.differences[at],
      ]),
    ];
  }
}
