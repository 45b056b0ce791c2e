// The seven steps of the film as motion: a thing that becomes another one moves there. Numbers and places are those of
// the page.

import { roles, rows } from "./film_roles.js";
import { block, picture } from "./flights.js";
import { ARCS, all, box, canvas, cells, last, named, one, reveal, row, shape, there, tiles } from "./stage.js";
import { fixed } from "./text.js";

export const STEPS = [rows, roles, ask, divide, share, take, heads];

// The query moves along the words, and a score grows below each; the products stand at the word that answers.
async function ask({ flights, drawn, sent, at, undivided, score: name, count }) {
  reveal(named("zero", "line score"));
  const id = last("queries", "queries_normed", "queries_rotated");
  const strip = one('.att-products [data-name="query around"]');
  const places = sent.tokens.map((_, index) => {
    const { left, width, top } = box(shape(`hit ${index}`));
    return { left: left + width * 0.15, width: width * 0.7, top: top - 2, height: 12 };
  });
  const each = Math.min(320, 5000 / places.length);
  write(drawn, name, (score) => score * undivided);
  const grown = stretched(undivided);
  const glide =
    strip && id
      ? flights.fly(picture(canvas(id), at.query, count.query), [box(strip), ...places], {
          duration: each * (places.length + 1),
        })
      : null;
  await Promise.all([
    glide,
    ...sent.tokens.map(async (_, index) => {
      await flights.wait(each * (index + 1));
      reveal(["bar", "scored", "score"].map((name) => `${ARCS} [data-name="${name} ${index}"]`).join());
      const bar = shape(`bar ${index}`);
      if (bar)
        await flights.animate(bar, [{ transform: "scaleY(0)" }, { transform: `scaleY(${grown})` }], { duration: 350 });
    }),
  ]);
  const products =
    ".att-products :is([data-name^=product], [data-name='name products'], [data-name=total], [data-name=back], [data-name=zero])";
  reveal(products);
  await Promise.all(
    all(".att-products rect[data-name^=product]").map((bar, index) =>
      flights.animate(
        bar,
        [
          { transform: "scaleX(0)", transformOrigin: `${bar.getAttribute("x")}px 0` },
          { transform: "scaleX(1)", transformOrigin: `${bar.getAttribute("x")}px 0` },
        ],
        { duration: 600, delay: Math.min(index, 12) * 450 },
      ),
    ),
  );
  reveal(tiles("scores"));
  await uncover(flights, "scores");
}

// All bars shrink at once.
async function divide({ flights, drawn, undivided }) {
  const grown = stretched(undivided);
  reveal(".att-products :is([data-name=score], [data-name='name score'], [data-name=reads])");
  restore(drawn);
  const bars = all(`${ARCS} [data-name^="bar "]`);
  const bar = one(".att-products [data-name=score]");
  const from = bar ? `${bar.getAttribute("x")}px 0` : "0 0";
  await Promise.all([
    ...bars.map((each) =>
      flights.animate(each, [{ transform: `scaleY(${grown})` }, { transform: "scaleY(1)" }], { duration: 1200 }),
    ),
    bar &&
      flights.animate(
        bar,
        [
          { transform: `scaleX(${Math.min(undivided, 2)})`, transformOrigin: from },
          { transform: "scaleX(1)", transformOrigin: from },
        ],
        { duration: 1200 },
      ),
  ]);
  reveal(tiles("scaled", "softcapped", "bias", "biased", "mask", "masked"));
  await uncover(flights, last("scaled", "softcapped", "biased", "masked"));
}

// Each score moves down into its frame, and becomes the share there.
async function share({ flights, sent }) {
  reveal(named("frame ", "line share"));
  await Promise.all(
    sent.tokens.map(async (_, index) => {
      const [bar, shares] = [shape(`bar ${index}`), shape(`share ${index}`)];
      if (!bar || !shares) return;
      const [from, to] = [box(bar), box(shares)];
      await flights.fly(block(getComputedStyle(bar).fill), [from, { ...sized(to), height: Math.max(to.height, 1) }], {
        duration: 1600,
        delay: 60 * index,
      });
      reveal(["share", "shared", "cross"].map((name) => `${ARCS} [data-name="${name} ${index}"]`).join());
    }),
  );
  reveal(named("sum", "shared "));
  reveal(tiles("weights", "kept", "dropped"));
  await uncover(flights, last("weights", "dropped"));
}

// Each value moves along its arc to the word that asks, as large as its share; there the values add up.
async function take({ flights, sent, at, count }) {
  reveal(named("value ", "line value"));
  await flights.wait(700);
  const arcs = all(`${ARCS} .att-arc`);
  await Promise.all(
    arcs.map(async (arc) => {
      const weight = sent.weights[arc.dataset.to];
      const value = shape(`value ${arc.dataset.to}`);
      if (!value) return;
      const small = box(value);
      const size = Math.max(0.15, Math.sqrt(weight));
      const along = points(arc).map(({ x, y }) => ({
        left: x - (small.width * size) / 2,
        top: y - (small.height * size) / 2,
        width: small.width * size,
        height: small.height * size,
      }));
      const thing = valuePicture(value);
      await flights.fly(thing, [small, along[0]], { duration: 700 });
      arc.dataset.film = "lit";
      const long = arc.getTotalLength();
      const drawn = [{ strokeDasharray: `0 ${long} 0 0` }, { strokeDasharray: `0 0 ${long} 0` }];
      await Promise.all([
        flights.fly(valuePicture(value), along, { duration: 1600 }),
        flights.animate(arc, drawn, { duration: 1600 }),
      ]);
    }),
  );
  reveal(`${ARCS} :is(.att-arc, .att-arc-tip, .att-arc-struck, .att-arc-name.att-strong)`);
  const taken = shape("taken around");
  const from = box(shape(`box ${sent.focus}`));
  await flights.fly(valuePicture(shape("taken")), [{ ...sized(from) }, box(taken)], { duration: 900 });
  reveal(named("taken", "added", "what"));
  reveal(tiles("output"));
  if (canvas("output"))
    await flights.fly(valuePicture(shape("taken")), [box(taken), row("output", at.query, count.query)], {
      duration: 1000,
    });
  await uncover(flights, "output");
}

async function heads({ flights }) {
  reveal(`${ARCS} :is(.att-arc-quiet, .att-arc-name:not(.att-strong))`);
  const quiet = all(`${ARCS} .att-arc-quiet`);
  reveal(".att-asking svg");
  const lines = all(".att-asking .att-head-line");
  await Promise.all([
    ...quiet.map((arc) =>
      flights.animate(
        arc,
        [{ strokeDasharray: `0 ${arc.getTotalLength()} 0 0` }, { strokeDasharray: `0 0 ${arc.getTotalLength()} 0` }],
        { duration: 1500 },
      ),
    ),
    ...lines.map((line, at) =>
      flights.animate(line, [{ opacity: 0 }, { opacity: 1 }], { duration: 500, delay: 250 * at }),
    ),
  ]);
  const way = there("output", "concat", "projected");
  for (const [at, id] of way.slice(1).entries()) {
    await flights.fly(picture(canvas(way[at])), [box(cells(way[at])), box(cells(id))], { duration: 800, fades: true });
    reveal(tiles(id, "w_o"));
  }
}

const sized = ({ left, top, width, height }) => ({ left, top, width, height });

// How much higher a bar stands before the division, limited by the room.
const stretched = (undivided) => Math.min(undivided, 2.5);

// Write the scores and the name of their line.
function write(drawn, name, of) {
  const line = shape("line score");
  if (line) line.textContent = name;
  drawn.arcs.columns.forEach(([score], index) => {
    const number = shape(`scored ${index}`);
    if (number && score !== null) number.textContent = fixed(of(score), 1);
  });
}

// Restore the scores as drawn.
export function restore(drawn) {
  if (drawn) write(drawn, drawn.labels.lines.score, (score) => score);
}

async function uncover(flights, id) {
  if (canvas(id)) await flights.animate(canvas(id), [{ opacity: 0 }, { opacity: 1 }], { duration: 500 });
}

// Points from the word that answers to the word that asks, in the window.
function points(arc) {
  const [long, matrix] = [arc.getTotalLength(), arc.getScreenCTM()];
  return Array.from({ length: 24 }, (_, at) => arc.getPointAtLength(long * (1 - at / 23)).matrixTransform(matrix));
}

function valuePicture(group) {
  const { width, height } = box(group);
  const holder = document.createElement("div");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const { x, y, width: wide, height: high } = group.getBBox();
  Object.entries({ viewBox: `${x} ${y} ${wide} ${high}`, width, height, preserveAspectRatio: "none" }).forEach((pair) =>
    svg.setAttribute(...pair),
  );
  const copy = group.cloneNode(true);
  [copy, ...copy.querySelectorAll("[data-film]")].forEach((part) => part.removeAttribute("data-film"));
  svg.append(copy);
  Object.assign(svg.style, { width: "100%", height: "100%" });
  holder.append(svg);
  return holder;
}
