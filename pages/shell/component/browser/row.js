// A row of figures, with a heading or without.

import { Answers } from "./answers.js";
import { Asking } from "./asking.js";
import { Balance } from "./balance.js";
import { Card } from "./card.js";
import { Chart } from "./chart.js";
import { Course } from "./course.js";
import { Crossing } from "./crossing.js";
import { Dropping } from "./dropping.js";
import { Filmstrip } from "./filmstrip.js";
import { Flow } from "./flow.js";
import { Growing } from "./growing.js";
import { Hanging } from "./hanging.js";
import { HeadArcs } from "./head_arcs.js";
import { Kinds } from "./kinds.js";
import { Laid } from "./laid.js";
import { Lane } from "./lane.js";
import { LightChart } from "./light_chart.js";
import { outline } from "./outline.js";
import { Pairs } from "./pairs.js";
import { Places } from "./places.js";
import { Reordered } from "./reordered.js";
import { Remedies } from "./remedies.js";
import { RemedyLengths } from "./remedies_lengths.js";
import { RemedyScores } from "./remedies_scores.js";
import { Repair } from "./repair.js";
import { Running } from "./running.js";
import { sayOnce } from "./say_once.js";
import { SentenceArcs } from "./sentence_arcs.js";
import { ProductsFigure } from "./products.js";
import { Seen } from "./seen.js";
import { Sharing } from "./sharing.js";
import { LayerStrips } from "./layer_strips.js";
import { Sheet } from "./sheet.js";
import { SwitchedRows } from "./switched_rows.js";
import { Switches } from "./switches.js";
import { TrainedArcs } from "./trained_arcs.js";
import { Turning } from "./turning.js";
import { Vectors } from "./vectors.js";
import { vocabulary } from "./vocabulary.js";

// A step may be drawn several times: once for each head, or for each mask. Arcs that hang below another figure's words
// are drawn anew when they get words of their own.
const key = ({ id, tag, arcs }) => `${id} ${tag ?? ""} ${arcs?.hangs ?? ""}`;

// Each kind of arcs is known by a field that the others lack.
function of(arcs) {
  if (arcs.kept) return Dropping;
  if (arcs.flows) return Flow;
  if (arcs.written) return Growing;
  if (arcs.hangs) return Hanging;
  if (arcs.lane) return Lane;
  if (arcs.fills) return Seen;
  if (arcs.off) return HeadArcs;
  return arcs.next === undefined ? SentenceArcs : TrainedArcs;
}

export class Row {
  constructor(parent) {
    this.cards = new Map();
    // The data of the figures and, for a figure with a dragged part, the settings of its place.
    this.data = null;
    this.sets = null;
    // Called with a clicked cell; a row of operands ignores clicks.
    /** @type {(cell: any) => void} */
    this.report = () => {};
    // Called with the cell under the pointer, null for none.
    /** @type {(cell: any) => void} */
    this.hover = () => {};
    this.row = document.createElement("section");
    this.row.className = "att-row";
    this.heading = document.createElement("h3");
    this.grid = document.createElement("div");
    this.grid.className = "att-cards";
    this.row.append(this.heading, this.grid);
    parent.append(this.row);
  }

  update() {
    const { words } = vocabulary;
    if (!words) return;
    this.heading.textContent = this.data.heading ?? words.chapters[this.data.chapter] ?? "";
    this.heading.hidden = !this.data.chapter;
    const present = new Set(this.data.cards.map(key));
    for (const [id, card] of this.cards) {
      if (present.has(id)) continue;
      card.remove();
      this.cards.delete(id);
    }
    this.grid.dataset.count = this.data.cards.length;
    this.data.cards.forEach((sent, index) => {
      if (!this.cards.has(key(sent))) this.cards.set(key(sent), this.made(sent));
      const card = this.cards.get(key(sent));
      card.told = this.data.at;
      card.heatmap?.fit(Boolean(card.told));
      if (this.grid.children[index] !== card.root) this.grid.insertBefore(card.root, this.grid.children[index] ?? null);
      card.update({ ...words.table[sent.of], ...sent }, sent.labels ?? this.data.labels ?? {}, words);
    });
    sayOnce();
    outline();
  }

  made({
    chart,
    vectors,
    arcs,
    asking,
    answers,
    products,
    pairs,
    laid,
    sharing,
    repair,
    filmstrip,
    kinds,
    balance,
    remedies,
    lengths,
    scored,
    running,
    sheet,
    strips,
    places,
    turning,
    reordered,
    crossing,
    course,
  }) {
    if (chart) return chart.light ? new LightChart() : new Chart();
    if (arcs)
      return new (of(arcs))(
        (cell) => this.report(cell),
        (cell) => this.hover(cell),
      );
    if (asking)
      return new (asking.off ? Switches : asking.switches ? SwitchedRows : Asking)((cell) => this.report(cell));
    if (answers) return new Answers();
    if (products) return new ProductsFigure();
    if (sharing) return new Sharing((cell) => this.report(cell));
    if (repair) return new Repair();
    if (running) return new Running(this.sets);
    if (filmstrip) return new Filmstrip();
    if (kinds) return new Kinds();
    if (balance) return new Balance();
    if (remedies) return new Remedies();
    if (lengths) return new RemedyLengths();
    if (scored) return new RemedyScores();
    if (sheet) return new Sheet();
    if (pairs) return new Pairs();
    if (laid) return new Laid();
    if (strips) return new LayerStrips();
    if (turning) return new Turning();
    if (crossing) return new Crossing((cell) => this.report(cell), this.sets);
    if (reordered) return new Reordered(this.sets);
    if (course) return new Course();
    if (places) return new Places(this.sets);
    return vectors ? new Vectors(this.sets) : new Card((cell) => this.report(cell));
  }

  remove() {
    this.cards.forEach((card) => card.remove());
    this.row.remove();
    sayOnce();
  }
}
