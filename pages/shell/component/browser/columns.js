// Columns below the words: the score, the share in a frame of height 1, the value; at the end of the row their sum.

import { apart, LABEL, named, NUMBER, slanted } from "./column_names.js";
import { decoded } from "./pixels.js";
import { filled, fixed, widthOf } from "./text.js";
import { STRIP, strip } from "./vector_cells.js";

// Pixels: the range of the scores, the frame of a share of 1, a line of type.
const [SCORES, FRAME, LINE] = [38, 40, 16];
// The widest frame and the widest cell of a strip, in pixels.
const [WIDE, CELL] = [44, 18];

export function below(scene, parent, { sent, lines, line, top, colours, words }) {
  const { large } = colours;
  const { columns, tokens } = sent;
  const at = { y: top + 6 * large };
  const options = tokens.map((token, index) =>
    scene.put(
      `column ${index}`,
      "g",
      {
        class: `att-answer${index === sent.answer ? " att-answering" : ""}`,
        role: "option",
        tabindex: -1,
        "data-at": tokens.length + index,
        "aria-selected": index === sent.answer,
        "aria-label":
          filled(words.ui.arcs_answer, { word: token, share: columns[index][2] || words.ui.masked }) +
          (columns[index][3] ? `, ${words.ui.arcs_dropped}` : ""),
      },
      parent,
    ),
  );
  const draws = { scene, parent, options, sent, line, large, colours, at };
  if (!line.isWide && !line.isSlanted) slanted(draws, tokens);
  const from = at.y;
  scores(draws, lines.score);
  shares(draws, lines);
  values(draws, lines);
  // The areas that a pointer hits.
  options.forEach((option, index) => {
    const { middle, width } = line.columns[index];
    scene.put(
      `hit ${index}`,
      "rect",
      { class: "att-hit", x: middle - width / 2, y: from, width, height: at.y - from },
      option,
    );
  });
  return { options, bottom: at.y + 4 * large };
}

function scores(draws, name) {
  const { scene, parent, options, sent, line, large, at } = draws;
  const all = sent.columns.map(([score]) => score).filter((score) => score !== null);
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
  const unit = (SCORES * large) / (high - low || 1);
  const room = NUMBER * large + 3;
  if (!line.isWide) named(draws, "score", name);
  const zero = at.y + room + high * unit;
  if (line.isWide) named(draws, "score", name, zero + 5 * large);
  scene.put(
    "zero",
    "line",
    {
      class: "att-zero",
      x1: line.left,
      x2: line.isWide ? line.right : line.columns.at(-1).middle + line.columns.at(-1).width / 2,
      y1: zero,
      y2: zero,
    },
    parent,
  );
  const numbered = apart(
    sent.columns.map(([score]) => score ?? 0),
    line,
    large,
    sent.answer,
  );
  sent.columns.forEach(([score], index) => {
    const { middle, width } = line.columns[index];
    if (score === null) {
      scene.put(
        `score ${index}`,
        "text",
        { class: "att-number", x: middle, y: zero - 3, "font-size": NUMBER * large },
        options[index],
        "–",
      );
      return;
    }
    const wide = Math.min(WIDE * large, width - 4);
    const bar = {
      class: "att-bar",
      x: middle - wide / 2,
      y: score > 0 ? zero - score * unit : zero,
      width: wide,
      height: Math.max(Math.abs(score) * unit, 1.5),
    };
    scene.put(`bar ${index}`, "rect", bar, options[index]);
    if (!numbered.has(index)) return;
    const text = { class: "att-number", x: middle, y: Math.min(bar.y, zero) - 3, "font-size": NUMBER * large };
    scene.put(`scored ${index}`, "text", text, options[index], fixed(score, 1));
  });
  at.y = zero - low * unit + 8 * large;
}

export function shares(draws, lines) {
  const { scene, parent, options, sent, line, large, at } = draws;
  const most = Math.max(1, ...sent.columns.map(([, share]) => share ?? 0));
  if (!line.isWide) named(draws, "share", [lines.share, lines.sum].filter(Boolean).join(" · "));
  // A share that dropout raises above 1 extends beyond its frame.
  const frame = (FRAME * large) / Math.min(most, 2);
  const top = at.y + FRAME * large - frame;
  const bottom = top + frame;
  if (line.isWide) named(draws, "share", lines.share, bottom - frame / 2 + 5 * large);
  if (line.isWide && lines.sum)
    scene.put(
      "sum",
      "text",
      {
        class: "att-line-name",
        x: line.right + 12 * large,
        y: bottom - frame / 2 + 5 * large,
        "font-size": LABEL * large,
      },
      parent,
      lines.sum,
    );
  const numbered = apart(
    sent.columns.map(([, share]) => share ?? 0),
    line,
    large,
    sent.answer,
  );
  sent.columns.forEach(([, share, written, isDropped], index) => {
    const { middle, width } = line.columns[index];
    const wide = Math.min(WIDE * large, width - 4);
    const place = { x: middle - wide / 2, width: wide };
    scene.put(
      `frame ${index}`,
      "rect",
      { class: `att-frame${share === null ? " att-hidden" : ""}`, y: top, height: frame, ...place },
      options[index],
    );
    if (share === null) return;
    const high = Math.min(share, most, 2) * frame;
    scene.put(
      `share ${index}`,
      "rect",
      { class: isDropped ? "att-bar att-dropped" : "att-bar", y: bottom - high, height: high, ...place },
      options[index],
    );
    kept(draws, index, { bottom, frame, ...place });
    if (isDropped) {
      scene.put(
        `cross ${index}`,
        "path",
        { class: "att-cross", d: `M${place.x},${top} l${wide},${frame} M${place.x},${bottom} l${wide},${-frame}` },
        options[index],
      );
    }
    if (!numbered.has(index)) return;
    const text = {
      class: `att-number${isDropped ? " att-struck" : ""}`,
      x: middle,
      y: bottom + (NUMBER + 1) * large,
      "font-size": NUMBER * large,
    };
    scene.put(`shared ${index}`, "text", text, options[index], written);
  });
  at.y = bottom + (LINE + 3) * large;
}

// The share of the kept screen, as a line across the frame.
function kept({ scene, options, sent, large }, index, { bottom, frame, x, width }) {
  const [ghost] = sent.ghost ?? [];
  if (!ghost) return;
  const y = bottom - Math.min(ghost.weights[index], 1) * frame;
  const d = `M${x - 4 * large},${y} h${width + 8 * large}`;
  scene.put(`kept ${index}`, "path", { class: "att-kept", d }, options[index]);
  if (ghost.weights[index] < Math.max(...ghost.weights)) return;
  const name = { class: "att-kept-name", x: x + width + 6 * large, y: y + 5 * large, "font-size": LABEL * large };
  scene.put(`kept name`, "text", name, options[index], "A");
}

function values(draws, lines) {
  const { scene, parent, options, sent, line, large, colours, at } = draws;
  if (!line.isWide) named(draws, "value", lines.value);
  const shades = decoded(sent.values);
  sent.tokens.forEach((_, index) => {
    const { middle, width } = line.columns[index];
    const row = shades.subarray(index * sent.features, (index + 1) * sent.features);
    const wide = Math.min(width - 6, CELL * large * sent.features);
    strip(draws, `value ${index}`, options[index], row, { x: middle - wide / 2, y: at.y, wide });
  });
  const taken = decoded(sent.taken);
  if (line.isWide) {
    named(draws, "value", lines.value, at.y + 14 * large);
    const [x, wide] = [
      line.right + 12 * large,
      Math.min(CELL * large * sent.features, line.width - line.right - 16 * large),
    ];
    scene.put(
      "added",
      "text",
      { class: "att-line-name att-small", x, y: at.y - 9 * large, "font-size": LABEL * large },
      parent,
      lines.added,
    );
    strip(draws, "taken", parent, taken, { x, y: at.y, wide });
    scene.put(
      "what",
      "text",
      { class: "att-line-name att-strong", x, y: at.y + (STRIP + 15) * large, "font-size": LABEL * large },
      parent,
      lines.taken,
    );
    at.y += (STRIP + 18) * large;
  } else {
    at.y += (STRIP + 6) * large;
    const said = `${lines.added} ${lines.taken}`;
    scene.put(
      "what",
      "text",
      { class: "att-line-name", x: 0, y: at.y + (LABEL + 2) * large, "font-size": LABEL * large },
      parent,
      said,
    );
    // Write it after the words if there is room, otherwise below them.
    const [behind, wide] = [widthOf(said, LABEL * large, colours.font) + 8, CELL * large * sent.features];
    const fits = behind + wide < line.width;
    if (!fits) at.y += (LABEL + 6) * large;
    strip(draws, "taken", parent, taken, {
      x: fits ? behind : 2,
      y: at.y,
      wide: Math.min(line.width - 8, 260 * large, wide),
    });
    at.y += STRIP * large;
  }
}
