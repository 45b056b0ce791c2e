// The products of a query and a key as bars end to end, and the score that becomes of their sum.

import { filled, fixed, widthOf } from "./text.js";

// Pixels: a bar, the gap between lines, type, numbers in cells and bars.
const BAR = 20;
export const [GAP, TYPE, NUMBER] = [6, 15, 13];
// The height of positive and negative products together, in bars.
const MIXED = 1.6;
// With more features than FEW, the LARGEST products have bars of their own, and the others one for each sign.
const [FEW, LARGEST] = [8, 4];
// Up to ADDED features, readers check the sum: the numbers have the decimals for it. With more they have DECIMALS.
const [ADDED, DECIMALS] = [4, 2];

// The number of a feature as text. which: 0 of the query, 1 of the key, 2 of their product.
export function written(products, one, which) {
  return products.length <= ADDED ? one[3 + which] : fixed(one[which], DECIMALS);
}

// Draw the products end to end, positive ones forward and negative ones back, in a second line; they end at their sum. Below
// them comes the score. Returns the y of the lower edge.
export function bars(figure, { left, room, y, large, font }) {
  const { scene, svg, sent, words } = figure;
  const {
    labels: { lines },
    products: {
      products,
      total: [total],
      score: [score],
    },
  } = sent;
  const parts = pieces(products, words);
  const forward = parts.reduce((sum, { product }) => sum + Math.max(product, 0), 0);
  const low = Math.min(0, total, score);
  const reads =
    Math.max(...[lines.total, lines.reads].map((text) => widthOf(text, (TYPE + 2) * large, font))) + 16 * large;
  const unit = (room - reads) / (Math.max(forward, score) - low || 1);
  const at = (number) => left + (number - low) * unit;
  const isMixed = parts.some(({ product }) => product < 0);
  const bar = (isMixed ? MIXED : 1) * BAR * large;
  const high = bar / (isMixed ? 2 : 1);
  figure.name("products", lines.products, left - 10 * large, y + bar / 2, large);
  let [plus, minus, isRead] = [0, forward, false];
  parts.forEach(({ product, text, key }) => {
    const isBack = product < 0;
    const start = isBack ? minus + product : plus;
    const wide = Math.abs(product) * unit;
    if (isBack) minus += product;
    else plus += product;
    const box = { x: at(start), y: y + (isBack ? high : 0), width: Math.max(wide - 1.5, 0.5), height: high - 1 };
    scene.put(`product ${key}`, "rect", { class: isBack ? "att-product att-back" : "att-product", ...box });
    if (widthOf(text, NUMBER * large, font) + 6 > wide || high < 1.1 * NUMBER * large) return;
    isRead ||= isBack;
    scene.put(
      `product ${key} text`,
      "text",
      {
        class: "att-product-in",
        x: box.x + box.width / 2,
        y: box.y + high / 2 + 0.36 * NUMBER * large,
        "font-size": NUMBER * large,
      },
      svg,
      text,
    );
  });
  // If no negative bar has room for its number, their sum stands beside them.
  if (isMixed && !isRead) {
    const place = {
      x: at(minus) - 4 * large,
      y: y + 1.5 * high + 0.36 * NUMBER * large,
      "font-size": NUMBER * large,
    };
    const back = fixed(minus - forward, DECIMALS);
    scene.put("back", "text", { class: "att-back-number", ...place }, svg, back);
  }
  scene.put(
    "total",
    "text",
    {
      class: "att-total",
      x: at(Math.max(forward, total, 0)) + 8 * large,
      y: y + bar / 2 + 0.36 * TYPE * large,
      "font-size": (TYPE + 1) * large,
    },
    svg,
    lines.total,
  );
  const below = y + bar + GAP * large;
  figure.name("score", lines.score, left - 10 * large, below + (BAR * large) / 2, large);
  scene.put("score", "rect", {
    class: "att-score-bar",
    x: at(Math.min(score, 0)),
    y: below,
    width: Math.max(Math.abs(score) * unit, 1.5),
    height: BAR * large,
  });
  scene.put(
    "reads",
    "text",
    {
      class: "att-total",
      x: at(Math.max(score, 0)) + 8 * large,
      y: below + (BAR * large) / 2 + 0.36 * TYPE * large,
      "font-size": TYPE * large,
    },
    svg,
    lines.reads,
  );
  if (low < 0)
    scene.put("zero", "line", {
      class: "att-zero",
      x1: at(0),
      x2: at(0),
      y1: y - 3,
      y2: below + BAR * large + 3,
    });
  // Products of one sign get the height of two lines as well, so that nothing below moves.
  return y + (MIXED * BAR + GAP + BAR) * large;
}

// The bars: each product, or of many the largest alone and the others together, by sign.
function pieces(products, words) {
  const all = products.map((one, key) => ({ product: one[2], text: written(products, one, 2), key }));
  if (all.length <= FEW) return all;
  const sorted = [...all].sort((a, b) => Math.abs(b.product) - Math.abs(a.product));
  const others = sorted.slice(LARGEST);
  const sum = (sign) => others.reduce((total, { product }) => total + (Math.sign(product) === sign ? product : 0), 0);
  const together = [1, -1].map((sign) => ({
    product: sum(sign),
    text: "",
    key: `others ${sign}`,
    count: others.filter(({ product }) => Math.sign(product) === sign).length,
  }));
  for (const one of together)
    one.text = `${filled(words.ui.products_others, { count: one.count })}: ${fixed(one.product, 2)}`;
  return [...sorted.slice(0, LARGEST), ...together.filter(({ count }) => count)];
}
