// The path of an arc from word to word, and its middle. x: where it begins; target: where it ends; up: its height.

// How far a loop reaches to either side of its foot, with the width of its line.
export function reach(wide, lift) {
  const { near, turn } = sidesOf(wide, lift);
  return 0.68 * near + 0.24 * turn + wide / 2 + 1;
}

const sidesOf = (wide, lift) => ({ near: 5 + wide / 4 + lift, turn: 26 + wide / 2 + 1.8 * lift });

// A loop back to the word itself. A wider one turns wider, so that it stays an arc; a loop around others is larger by
// as much as it is lifted above them.
export function loop(x, base, up, wide, lift) {
  const { near, turn } = sidesOf(wide, lift);
  const top = base - 1.33 * up;
  return {
    d: `M${x - near},${base} C${x - turn},${top} ${x + turn},${top} ${x + near},${base}`,
    middle: { x, y: base - up },
  };
}

// An arc to a word of the same line. tip: how high above its foot it begins, where the tip of an arrow ends it.
export function bow(x, target, base, up, tip = 0) {
  const top = base - 1.33 * up;
  return {
    d: `M${x},${base - tip} C${x},${top} ${target},${top} ${target},${base}`,
    middle: { x: (x + target) / 2, y: (base + 3 * top) / 4 },
  };
}

// An arc to a word of another line.
export function betweenLines(x, target, from, word) {
  const [start, end] = word.line > from.line ? [from.bottom, word.top] : [from.top, word.bottom];
  const middle = { x: (x + target) / 2, y: (start + end) / 2 };
  return { d: `M${x},${start} C${x},${middle.y} ${target},${middle.y} ${target},${end}`, middle };
}
