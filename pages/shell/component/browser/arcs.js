// Arcs over a sentence, from each word to the word that asks: as wide as the weight, those of the shown head strong.

import { atTheRight, laid, placesAt } from "./arc_names.js";
import { betweenLines, bow, loop } from "./arc_paths.js";
import { feetInside, loopsInside } from "./nested_arcs.js";
import { Sentence } from "./sentence.js";
import { tinted } from "./shared_names.js";
import { filled, shown, widthOf } from "./text.js";

// The width of an arc of weight 1, over a line of words and over narrow columns.
const WIDEST = [18, 11];
const DRAWN = 0.005;
// The least weight of an arc of another head, or of any head between lines. Up to so many heads, the others' arcs are
// as wide as the shown head's, and are also drawn between lines.
const [QUIET, FEW] = [0.1, 4];
// Pixels of the figure's menu in the upper right corner and, over columns, of the button that opens the sentence in the
// upper left one.
const [MENU, EDIT] = [
  [44, 26],
  [72, 38],
];
// Type of the text about grey arcs, over a line of words and over narrow columns.
const SMALL = [14, 13];
// Pixels of a ghost of weight 1; type of a name, and the most names above each other.
const [GHOST, NAME, ROWS] = [4, 15, 8];

export class Arcs extends Sentence {
  over(parent, line, large, colours) {
    // The boxes that names stay clear of.
    const menu = { x: line.width - MENU[0] * large, y: 0, wide: MENU[0] * large, high: MENU[1] * large };
    const edit = { x: 0, y: 0, wide: EDIT[0] * large, high: EDIT[1] * large };
    const isThere = Boolean(this.sent.labels.own) && !line.isWide;
    const blocked = [...line.words.map((one) => boxOf(one, line.size)), menu, ...(isThere ? [edit] : [])];
    this.around = { arcs: [], blocked, width: line.width };
    this.arcs(parent, line, large, colours);
    this.ghosts(parent, line, large);
  }

  // The weights of the kept screen's heads, as thin grey arcs with its name.
  ghosts(parent, line, large) {
    const { ghost = [], focus } = this.sent.arcs;
    const drawn = ghost.flatMap(({ weights }, of) =>
      weights.flatMap((weight, to) => (weight < QUIET ? [] : [{ of, to, weight }])),
    );
    const farthest = Math.max(1, ...drawn.map(({ to }) => Math.abs(line.words[to].middle - line.words[focus].middle)));
    // Ghosts lie over the present arcs, on an edge in the page's colour. Their name stands once, at the widest one that
    // has room for it.
    const middles = drawn.map((one) => {
      const wide = Math.max(GHOST * one.weight, 1.5) * large;
      const made = (kind, layer, more) =>
        this.arc(parent, { ...one, wide: wide + more, kind, layer }, line, { farthest, large });
      made("att-arc-edge", "ghost edge", 3 * large);
      return { ...made("att-arc-ghost", "ghost", 0).middle, costs: -one.weight };
    });
    const [wide, high] = [12 * large, 14 * large];
    const places = middles.map(({ x, y, costs }) => ({ x: x - wide / 2, y: y - high / 2, costs }));
    const [box] = laid([{ wide, high, places }], { ...this.around, arcs: [] });
    if (!box) return;
    const place = { x: box.x + wide / 2, y: box.y + 12 * large, "text-anchor": "middle", "font-size": 14 * large };
    this.scene.put("ghost name", "text", { class: "att-arc-name att-ghost-name", ...place }, parent, "A");
  }

  // The arcs of the shown head come last, above the others.
  arcs(parent, line, large, { font }) {
    const {
      labels: { names },
      arcs: { asks, head, focus, columns },
    } = this.sent;
    const widest = this.widest(line, large);
    const wide = widest * (asks.length > FEW ? 0.5 : 1);
    const drawn = asks.flatMap(({ weights, answer }, of) => {
      const isShown = of === head;
      if (!isShown && !line.isWide && asks.length > FEW) return [];
      return weights.flatMap((weight, to) =>
        weight < (isShown && line.isWide ? DRAWN : QUIET)
          ? []
          : [
              {
                of,
                to,
                weight,
                isShown,
                name: to === answer ? names[of] : "",
                wide: weight * (isShown ? widest : wide),
              },
            ],
      );
    });
    const struck = columns.flatMap(([, share, , isDropped], to) => (isDropped && share >= DRAWN ? [{ to }] : []));
    // The highest arc reaches the sky, even if it is struck out.
    const farthest = Math.max(
      1,
      ...[...drawn, ...struck].map(({ to }) => Math.abs(line.words[to].middle - line.words[focus].middle)),
    );
    this.feet(drawn, line);
    loopsInside(drawn, line, focus);
    drawn.sort((a, b) => a.isShown - b.isShown);
    const named = new Map();
    for (const one of drawn) {
      this.arc(parent, one, line, { farthest, large });
      if (one.name) named.set(one.to, [...(named.get(one.to) ?? []), one]);
    }
    const written = [...named].flatMap(([to, ones]) => this.names(to, ones, line));
    this.write(parent, written, line, { large, font });
    if (drawn.some(({ isShown }) => !isShown)) this.others(parent, line, large, font);
    this.struck(parent, line, { farthest, large });
  }

  // The names of the grey arcs' heads stand once, as far right as no arc and no name is in the way.
  others(parent, line, large, font) {
    const text = this.sent.labels.lines.others;
    if (!text) return;
    const size = SMALL[line.isWide ? 0 : 1] * large;
    const [wide, high] = [widthOf(text, size, font), 1.2 * size];
    const box = atTheRight({ wide, high }, line.words[0].top, this.around);
    if (!box) return;
    const place = { x: box.x, y: box.y + 0.8 * high, "font-size": size };
    this.scene.put("others", "text", { class: "att-arc-name", ...place }, parent, text);
  }

  widest(line, large) {
    return WIDEST[line.isWide ? 0 : 1] * large;
  }

  // Feet stand side by side at the word that asks: arcs from the left on the left, the nearest outermost.
  feet(drawn, line) {
    const { focus } = this.sent.arcs;
    const away = ({ to }) => line.words[to].middle - line.words[focus].middle;
    const strong = drawn.filter(({ to, weight }) => to !== focus && weight >= QUIET);
    const sides = [-1, 1].map((side) =>
      strong
        .filter((one) => Math.sign(away(one)) === side)
        .sort((a, b) => Math.abs(away(b)) - Math.abs(away(a)) || b.weight - a.weight),
    );
    sides.forEach((of, at) => {
      let foot = of.length && sides[1 - at].length ? 0 : -of.reduce((sum, one) => sum + one.wide + 3, 0) / 2;
      for (const one of of) {
        one.foot = (at ? 1 : -1) * (foot + one.wide / 2 + 2);
        foot += one.wide + 3;
      }
    });
    feetInside(drawn, line, focus);
  }

  // A weight of the shown head that dropout takes away is an arc that is struck out.
  struck(parent, line, { farthest, large }) {
    const { columns, head, focus } = this.sent.arcs;
    columns.forEach(([, share, , isDropped], to) => {
      if (!isDropped || share < DRAWN || to === focus) return;
      const struck = { of: head, to, wide: Math.max(share * this.widest(line, large), 1.5), isStruck: true };
      const { x, y } = this.arc(parent, struck, line, { farthest, large }).middle;
      const far = 7 * large;
      this.scene.put(
        `strike ${to}`,
        "path",
        {
          class: "att-strike",
          d: `M${x - far},${y - far} l${2 * far},${2 * far} M${x - far},${y + far} l${2 * far},${-2 * far}`,
        },
        parent,
      );
    });
  }

  // foot, end: distance of its two ends from the middle of the words; lift: its height above a usual arc; room: the
  // largest lift; layer: tells arcs between the same words apart. Returns the arc, and the point halfway along.
  /**
   * @param {SVGElement} parent
   * @param {Record<string, any>} one
   */
  arc(
    parent,
    { of, to, wide, isShown, isStruck, weight, foot = 0, end: beside = 0, lift = 0, room = 0, kind: own, layer },
    line,
    { farthest, large },
  ) {
    const { focus } = this.sent.arcs;
    const [from, word] = [line.words[focus], line.words[to]];
    const [x, target] = [from.middle + foot, word.middle + beside];
    const across = Math.abs(target - from.middle);
    const base = from.top;
    const sky = this.skies[line.isWide ? 0 : 1];
    const up = (across ? (20 + (sky - 36 - room / large) * (across / farthest) ** 0.8) * large : 24 * large) + lift;
    // The tip is at the word that asks, which takes the value.
    const hasTip = isShown && weight >= QUIET && word.line === from.line;
    const [half, tip] = [wide / 2 + 4, 5 * large + wide / 2];
    const { d, middle } =
      to === focus
        ? loop(x, base, up, wide, lift)
        : word.line === from.line
          ? bow(x, target, base, up, hasTip ? tip - 1 : 0)
          : betweenLines(x, target, from, word);
    this.around.arcs.push({ d, wide });
    const kind = own ?? (isStruck ? "att-arc-struck" : isShown ? "att-arc" : "att-arc-quiet");
    const drawn = this.scene.put(
      `${layer ?? (isStruck ? "struck" : "arc")} ${of} ${to}`,
      "path",
      { class: kind, d, "stroke-width": wide, "data-head": of, "data-to": to },
      parent,
    );
    if (hasTip) {
      const head = `M${x - half},${base - tip} L${x + half},${base - tip} L${x},${base} Z`;
      this.scene.put(`tip ${to}`, "path", { class: "att-arc-tip", d: head }, parent);
    }
    return { drawn, middle };
  }

  // The questions that a word answers, the shown head's first.
  names(to, ones, line) {
    const { focus, head } = this.sent.arcs;
    const side = line.words[to].middle < line.words[focus].middle ? -1 : 1;
    const beside = Math.max(...ones.map(({ wide }) => wide)) / 2 + 6;
    ones.sort((a, b) => Number(b.of === head) - Number(a.of === head) || b.weight - a.weight);
    // If several heads ask the same, the shown one.
    const apart = ones.filter((one, at) => ones.findIndex(({ name }) => name === one.name) === at);
    return apart.map((one, at) => ({
      ...{ id: `name ${to} ${at}`, text: one.name, to, side, beside },
      kind: one.of === head ? "att-arc-name att-strong" : "att-arc-name",
      weight: one.of === head ? 700 : 400,
    }));
  }

  upperEdge(box) {
    return box.y;
  }

  // Names stand at the words where arcs end, on the side away from the word that asks.
  /** @param {Record<string, any>[]} names */
  write(parent, names, line, { large, font }) {
    const size = NAME * large;
    const sized = names.map(({ text, to, side, beside, weight }) => {
      const { middle, top } = line.words[to];
      const [wide, high] = [widthOf(text, size, font, weight), 1.15 * size];
      const end = line.words[this.sent.arcs.focus].middle;
      const place = { middle, end, bottom: top - 3 * large, beside, side, wide, high, width: line.width, rows: ROWS };
      return { wide, high, places: placesAt(place) };
    });
    laid(sized, this.around).forEach((box, at) => {
      const { id, text, to, kind, fill, parts } = names[at];
      names[at].box = box;
      if (!box) return;
      this.around.blocked.push(box);
      const place = { x: box.x, y: this.upperEdge(box) + 0.8 * box.high, "font-size": size, "data-to": to };
      const name = this.scene.put(id, "text", { class: kind, ...place }, parent, text);
      name.style.fill = fill ?? null;
      tinted(name, parts);
    });
  }

  headAndLines() {
    const { tokens, columns, asks, head, ghost = [] } = this.sent.arcs;
    const { words } = this;
    const others = asks.map((one, index) => [one, index]).filter(([, index]) => index !== head);
    const names = others.map(([one]) => filled(words.ui.arcs_head, { head: one.head }));
    const lines = tokens.map((token, at) => {
      const [score, share, , isDropped] = columns[at];
      const own = [score, isDropped ? 0 : share].map((number) => (number === null ? words.ui.masked : shown(number)));
      return [token, ...own, ...[...others.map(([one]) => one), ...ghost].map((one) => shown(one.weights[at]))];
    });
    const kept = ghost.map((one) => filled(words.ui.arcs_kept, { head: one.head }));
    return [[words.ui.arcs_from, words.ui.arcs_score, words.ui.arcs_share, ...names, ...kept], lines];
  }
}

// The box of a word, with the edge around it.
const boxOf = ({ left, width, top, bottom }, size) => {
  const beside = Math.min(9, 0.35 * size);
  return { x: left - beside, y: top, wide: width + 2 * beside, high: bottom - top };
};
