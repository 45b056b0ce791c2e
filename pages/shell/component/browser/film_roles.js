// The first two steps of the film as motion: each word gets a row, from which a query, a key and a value are made.
// scene: flights, the drawn sentence, and its data.

import { lanesOf, rowOf } from "./film_rows.js";
import { picture } from "./flights.js";
import { box, canvas, cells, last, one, reveal, row, tiles } from "./stage.js";

// A row appears below each word, and moves into the map of all rows.
export async function rows({ flights, sent, sizes, keys }) {
  const shows = cells("x");
  const there = sent.tokens.map((_, index) => ({ index, strip: rowOf("x", index) })).filter(({ strip }) => strip);
  await Promise.all(
    there.map(({ strip, index }) =>
      flights.animate(strip, [{ clipPath: "inset(0 0 100% 0)" }, { clipPath: "inset(0 0 0 0)" }], {
        duration: 600,
        delay: index * 120,
      }),
    ),
  );
  reveal(tiles("x", "context"));
  const flown = there.map(({ strip, index }) => {
    const at = index - (keys - sizes.x);
    return flights.fly(picture(canvas("x"), at, sizes.x), [box(strip), row("x", at, sizes.x)], {
      duration: 900,
      delay: index * 60,
    });
  });
  const uncovered = flights.animate(shows, [{ clipPath: "inset(0 0 100% 0)" }, { clipPath: "inset(0 0 0 0)" }], {
    duration: 60 * sent.tokens.length + 700,
    delay: 200,
  });
  await Promise.all([...flown, uncovered]);
}

// Copies of the row below each word move down, and become its query, key and value.
async function split({ flights, sent, sizes, keys }) {
  const hidden = lanesOf(2).flatMap(({ lane }) => sent.tokens.map((_, index) => rowOf(lane, index)));
  hidden.forEach((strip) => strip && (strip.dataset.film = "none"));
  await Promise.all(
    lanesOf(2).flatMap(({ lane }, at) =>
      sent.tokens.map(async (_, index) => {
        const [from, to] = [rowOf("x", index), rowOf(lane, index)];
        if (!from || !to) return;
        const copy = picture(canvas("x"), index - (keys - sizes.x), sizes.x);
        await flights.fly(copy, [box(from), box(to)], { duration: 700, delay: 900 * at + 40 * index });
        to.dataset.film = "lit";
      }),
    ),
  );
}

export async function roles(scene) {
  const { flights, at, count } = scene;
  await split(scene);
  reveal(".att-arrows");
  reveal(tiles("w_q", "w_k", "w_v"));
  const lanes = [
    ["w_q", "queries"],
    ["w_k", "keys"],
    ["w_v", "values"],
  ].filter(([, id]) => canvas(id) && canvas("x"));
  await Promise.all(
    lanes.map(async ([gate, id], lane) => {
      const through = cells(gate) && box(cells(gate)).width ? box(cells(gate)) : box(cells(id));
      await flights.fly(picture(canvas("x")), [box(cells("x")), through], { duration: 1100, delay: 150 * lane });
      await flights.fly(picture(canvas(id)), [through, box(cells(id))], { duration: 700 });
      reveal(tiles(id));
    }),
  );
  reveal(
    tiles(
      "queries_normed",
      "queries_rotated",
      "keys_normed",
      "keys_rotated",
      "past_keys",
      "past_values",
      "keys_joined",
      "values_joined",
    ),
  );
  const strips = [
    [last("queries", "queries_normed", "queries_rotated"), "query", at.query, count.query],
    [last("keys", "keys_normed", "keys_rotated", "keys_joined"), "key", at.key, count.key],
  ];
  await Promise.all(
    strips.map(async ([id, name, of, rowsOf]) => {
      const strip = one(`.att-products [data-name="${name} around"]`);
      if (!id || !strip) return;
      await flights.fly(picture(canvas(id), of, rowsOf), [row(id, of, rowsOf), box(strip)], { duration: 1200 });
      reveal(
        `.att-products :is([data-name^="${name}"], [data-name="chip ${name}"], [data-name="chipped ${name}"], [data-name="name ${name}"])`,
      );
    }),
  );
}
