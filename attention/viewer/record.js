// @ts-check
// The record of the document, and the step and cell that are looked at.
const record = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("record")).textContent);
const steps = record.steps.map((step) => ({ ...step, numbers: numbersOf(step) }));
const byId = Object.fromEntries(steps.map((step) => [step.id, step]));
const first = byId.weights ? "weights" : steps[steps.length - 1].id;
const state = { step: first, row: 0, column: 0, head: 0, sentence: 0, query: -1, key: -1 };

function numbersOf(step) {
  const bytes = Uint8Array.from(atob(step.z), (letter) => letter.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

// One matrix of a step; a step that all sentences or all heads share has one matrix for all of them.
function matrix(step) {
  const [sentences, heads, rows, columns] = step.shape;
  const at = Math.min(state.sentence, sentences - 1) * heads + Math.min(state.head, heads - 1);
  const z = step.numbers.subarray(at * rows * columns, (at + 1) * rows * columns);
  return { rows, columns, at: (row, column) => z[row * columns + column], z };
}

function hides(step, row, column) {
  if (!step.hidden || !byId.mask) return false;
  const seen = matrix(byId.mask).at(row, column);
  return byId.mask.kind === "binary" ? !seen : seen === -Infinity;
}

function label(axis, index) {
  const names = record.labels[axis];
  return names?.[index] ?? String(index + 1);
}
