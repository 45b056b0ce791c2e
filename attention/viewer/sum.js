// @ts-check
// The sentence about the chosen cell. Every number in it is one of the record.
// The most terms of a long sum that are written.
const TERMS = 4;

function sentence() {
  const step = byId[state.step];
  const { made } = step;
  const bias = byId[made.plus] ? ` + ${signed(matrix(byId[made.plus]).at(0, state.column))}` : "";
  const value = matrix(step).at(state.row, state.column);
  const name = `${step.letter}[${label(step.axes[0], state.row)}, ${label(step.axes[1], state.column)}]`;
  const result = written(value, 4);
  const there = made.of.filter(({ step: id }) => byId[id]);
  const single = there.map(({ step: id }) =>
    byId[id].axes.join() === step.axes.join() ? matrix(byId[id]).at(state.row, state.column) : NaN,
  );
  if (there.length < made.of.length || made.how === "given") return `${name} = ${result}`;
  if (made.how === "product") {
    const [left, right] = there.map(strip);
    const terms = left.numbers.map((one, at) => `${signed(one)} · ${signed(right.numbers[at])}`);
    const shown = terms.length > TERMS ? `${terms.slice(0, TERMS).join(" + ")} + …` : terms.join(" + ");
    return `${name} = ${shown}${bias} = ${result}`;
  }
  if (made.how === "scaled") {
    const by = "by" in made ? ` · ${written(made.by, 4)}` : ` / √${made.features}`;
    return `${name} = ${written(single[0], 3)}${by} = ${result}`;
  }
  if (made.how === "capped") return `${name} = ${made.by} · tanh(${written(single[0], 3)} / ${made.by}) = ${result}`;
  if (made.how === "sum") return `${name} = ${written(single[0], 3)} + ${signed(single[1])} = ${result}`;
  if (made.how === "masked")
    return `${name} = ${written(single[0], 3)}${hides(step, state.row, state.column) ? ", hidden by the mask" : ", not hidden"} → ${result}`;
  if (made.how === "dropped")
    return `${name} = ${written(single[0], 3)} · ${single[1]} / (1 − ${written(made.by ?? 0)}) = ${result}`;
  const row = strip(there[0]).numbers;
  if (row.every((one) => one === -Infinity)) return `${name} = ${result}, since every key is hidden`;
  const most = row.map((one) => `e^${signed(one)}`);
  const sum = `${most.slice(0, TERMS).join(" + ")}${most.length > TERMS ? " + …" : ""}${made.sink ? " + e^z" : ""}`;
  return `${name} = e^${signed(row[state.column])} / (${sum}) = ${result}`;
}

// The numbers of a part of an operand, with the labels along it.
function strip({ step: id, part }) {
  const step = byId[id];
  const { rows, columns, at } = matrix(step);
  const across = part === "column";
  const index = part === "other" ? state.column : across ? state.column : state.row;
  const numbers = across
    ? [...Array(rows).keys()].map((row) => at(row, index))
    : [...Array(columns).keys()].map((column) => at(index, column));
  const axis = across ? step.axes[0] : step.axes[1];
  const of = across ? `${label(step.axes[1], index)}` : `${label(step.axes[0], index)}`;
  return { id, letter: step.letter, numbers, axis, of, step };
}
