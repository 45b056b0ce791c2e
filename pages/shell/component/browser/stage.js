// The page as a stage: in each step of the film, parts are at work, faint, or still to come.

const ARCS = ".att-arcs svg";
const named = (...names) => names.map((name) => `${ARCS} [data-name^="${name}"]`).join();
const tiles = (...ids) => ids.map((id) => `.att-flow .att-tile[data-step="${id}"]`).join();

// The parts, each with the step in which it comes, and the steps in which it is at work.
const PARTS = [
  { of: named("word "), comes: 0, works: [1, 2, 3, 5, 6, 7] },
  { of: tiles("x", "context"), comes: 1, works: [1, 2] },
  { of: tiles("w_q", "w_k", "w_v"), comes: 2, works: [2] },
  {
    of: tiles(
      "queries",
      "queries_normed",
      "queries_rotated",
      "keys",
      "keys_normed",
      "keys_rotated",
      "past_keys",
      "keys_joined",
    ),
    comes: 2,
    works: [2, 3],
  },
  { of: tiles("values", "past_values", "values_joined"), comes: 2, works: [2, 6] },
  {
    of: ".att-products :is([data-name^=query], [data-name^=key], [data-name^=chip], [data-name='name query'], [data-name='name key'])",
    comes: 2,
    works: [2, 3],
  },
  {
    of: ".att-products :is([data-name^=product], [data-name='name products'], [data-name=total], [data-name=back], [data-name=zero])",
    comes: 3,
    works: [3, 4],
  },
  { of: ".att-products :is([data-name=score], [data-name='name score'], [data-name=reads])", comes: 4, works: [4, 5] },
  { of: named("bar ", "scored ", "score ", "zero"), comes: 3, works: [3, 4, 5] },
  // The words of this line name the divided score.
  { of: named("line score"), comes: 4, works: [4, 5] },
  { of: tiles("scores"), comes: 3, works: [3, 4] },
  { of: tiles("scaled", "softcapped", "bias", "biased", "mask", "masked"), comes: 4, works: [4, 5] },
  { of: named("frame ", "share ", "shared ", "cross ", "sum", "line share"), comes: 5, works: [5, 6] },
  { of: tiles("weights", "kept", "dropped"), comes: 5, works: [5, 6] },
  { of: named("value ", "line value"), comes: 6, works: [6] },
  { of: `${ARCS} :is(.att-arc, .att-arc-tip, .att-arc-struck, .att-arc-name.att-strong)`, comes: 6, works: [6, 7] },
  { of: named("taken", "added", "what"), comes: 6, works: [6, 7] },
  { of: tiles("output"), comes: 6, works: [6, 7] },
  { of: `${ARCS} :is(.att-arc-quiet, .att-arc-name:not(.att-strong))`, comes: 7, works: [7] },
  { of: ".att-asking svg", comes: 7, works: [7] },
  { of: tiles("concat", "w_o", "projected"), comes: 7, works: [7] },
  { of: ".att-arrows", comes: 2, works: [2, 3, 4, 5, 6, 7] },
];

// Set the stage as at the end of a step, or, if `opens`, as at its beginning, when the parts of the step are still to
// come.
export function set(step, opens = false) {
  for (const { of, comes, works } of PARTS) {
    const state = comes > step || (opens && comes === step) ? "none" : works.includes(step) ? "lit" : "dim";
    document.querySelectorAll(of).forEach((element) => {
      element.dataset.film = state;
    });
  }
}

// Show a part that comes in this step, from now on.
export function reveal(selector) {
  document.querySelectorAll(selector).forEach((element) => {
    element.dataset.film = "lit";
  });
}

export function clear() {
  document.querySelectorAll("[data-film]").forEach((element) => delete element.dataset.film);
}

export const all = (selector) => [...document.querySelectorAll(selector)];
export const one = (selector) => document.querySelector(selector);
export const shape = (name) => one(`${ARCS} [data-name="${name}"]`);
const tile = (id) => one(`.att-flow .att-tile[data-step="${id}"]`);
export const cells = (id) => tile(id)?.querySelector(".att-cells");
export const canvas = (id) => tile(id)?.querySelector(".att-cells canvas");
export { ARCS, named, tiles };

export const box = (element) => element.getBoundingClientRect();

// The place of one row of a map.
export function row(id, at, count) {
  const { left, top, width, height } = box(cells(id));
  return { left, top: top + (height * at) / count, width, height: height / count };
}

export const there = (...ids) => ids.filter((id) => canvas(id));
export const last = (...ids) => there(...ids).at(-1);
