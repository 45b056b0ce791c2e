// @ts-check
// Shows the steps of a record: one of them large, all of them small, and the operands of the chosen cell.
// The most columns with room for a number in each cell.
const ROOM = 20;
const main = /** @type {HTMLElement} */ (document.querySelector("main"));

function element(tag, given = {}, ...children) {
  const made = Object.assign(document.createElement(tag), given);
  made.append(...children);
  return made;
}

// The cell of a step that stands for the selected pair.
function cellOf(step) {
  const { rows, columns } = matrix(step);
  const places = { query: state.query, key: state.key };
  const [row, column] = step.axes.map((axis) => places[axis] ?? -1);
  return [Math.min(row < 0 ? 0 : row, rows - 1), Math.min(column < 0 ? 0 : column, columns - 1)];
}

function choose(id, row, column) {
  const step = byId[id];
  Object.assign(state, { step: id, row, column });
  step.axes.forEach((axis, side) => {
    if (axis === "query") state.query = side ? column : row;
    if (axis === "key") state.key = side ? column : row;
  });
  draw();
}

function goTo(id) {
  choose(id, ...cellOf(byId[id]));
}

// By the id of a step, the cells that make the chosen one: rows, columns, or one cell.
function parts() {
  const found = {};
  for (const { step: id, part } of byId[state.step].made.of) {
    const of = {
      row: [state.row, -1],
      column: [-1, state.column],
      other: [state.column, -1],
      cell: [state.row, state.column],
    };
    if (byId[id]) (found[id] ??= []).push(of[part]);
  }
  return found;
}

function thumbnail(step, lit) {
  const { rows, columns, at } = matrix(step);
  const range = ends(step);
  const size = Math.max(1, Math.floor(56 / Math.max(rows, columns)));
  const canvas = element("canvas", { width: columns, height: rows });
  canvas.style.width = `${Math.min(columns * size, 72)}px`;
  canvas.style.height = `${Math.min(rows * size, 72)}px`;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const isLit = lit.some(([r, c]) => (r < 0 || r === row) && (c < 0 || c === column));
      pen.fillStyle = isLit ? "#e39b00" : hides(step, row, column) ? "#e6e8ec" : colour(step, at(row, column), range);
      pen.fillRect(column, row, 1, 1);
    }
  }
  return canvas;
}

function cells(step) {
  const { rows, columns, at } = matrix(step);
  const range = ends(step);
  const isSmall = columns > ROOM;
  const table = element("table", { className: isSmall ? "small" : "" });
  table.setAttribute("aria-label", `${step.id}, ${step.axes.join(" × ")}`);
  if (!isSmall) {
    const head = [...Array(columns).keys()].map((column) =>
      element("th", { scope: "col", textContent: label(step.axes[1], column) }),
    );
    table.append(element("thead", {}, element("tr", {}, element("th"), ...head)));
  }
  const body = element("tbody");
  for (let row = 0; row < rows; row += 1) {
    const line = element("tr", {}, element("th", { scope: "row", textContent: label(step.axes[0], row) }));
    for (let column = 0; column < columns; column += 1) {
      const value = at(row, column);
      const isHidden = hides(step, row, column);
      const name = `${label(step.axes[0], row)}, ${label(step.axes[1], column)}: ${isHidden ? "hidden" : written(value, 4)}`;
      const cell = element("td", { title: name, tabIndex: row === state.row && column === state.column ? 0 : -1 });
      cell.setAttribute("aria-label", name);
      cell.dataset.at = `${row}.${column}`;
      if (isHidden) cell.classList.add("hidden");
      else {
        cell.style.background = colour(step, value, range);
        cell.style.color = ink(
          cell.style.background.startsWith("#") ? cell.style.background : hex(cell.style.background),
        );
        if (!isSmall) cell.textContent = step.kind === "binary" ? String(value) : written(value);
      }
      if (row === state.row && column === state.column) cell.classList.add("chosen");
      line.append(cell);
    }
    body.append(line);
  }
  table.append(body);
  return table;
}

function operands(made) {
  return made.of
    .filter(({ step: id, part }) => byId[id] && part !== "cell")
    .map((one) => {
      const { letter, numbers, of, step, axis } = strip(one);
      const range = ends(step);
      const row = numbers.slice(0, ROOM).map((value, index) => {
        const cell = element("td", { textContent: written(value), title: label(axis, index) });
        cell.style.background = colour(step, value, range);
        cell.style.color = ink(hex(cell.style.background));
        return cell;
      });
      const more = numbers.length > ROOM ? ` … ${numbers.length}` : "";
      const go = element("button", { type: "button", textContent: `${letter} of ${of}` });
      go.addEventListener("click", () => goTo(step.id));
      const table = element("table", {}, element("tbody", {}, element("tr", {}, ...row)));
      return element("div", { className: "operand" }, go, table, more);
    });
}

function picker(name, count, key) {
  const select = element("select");
  select.dataset.again = key;
  for (let at = 0; at < count; at += 1)
    select.append(element("option", { value: String(at), textContent: String(at + 1) }));
  select.value = String(state[key]);
  select.addEventListener("change", () => {
    state[key] = Number(select.value);
    draw();
  });
  return element("label", {}, `${name} `, select, ` of ${count}`);
}

function draw(isFirst = false) {
  const again = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.again : undefined;
  const step = byId[state.step];
  const { rows, columns } = matrix(step);
  state.row = Math.min(state.row, rows - 1);
  state.column = Math.min(state.column, columns - 1);
  const lit = parts();
  const bar = element("div", { className: "bar" });
  if (record.heads > 1) bar.append(picker("head", record.heads, "head"));
  if (record.sentences > 1) bar.append(picker("sentence", record.sentences, "sentence"));
  const strips = steps.map((one) => {
    const mine = one.id === state.step ? [[state.row, state.column]] : (lit[one.id] ?? []);
    const button = element("button", { type: "button", title: one.sizes.join(" × ") }, thumbnail(one, mine), one.id);
    button.setAttribute("aria-pressed", String(one.id === state.step));
    button.dataset.step = button.dataset.again = one.id;
    button.addEventListener("click", () => goTo(one.id));
    return button;
  });
  const scroll = element("div", { className: "scroll" }, cells(step));
  const told = element("p", { className: "sum", textContent: sentence() });
  told.setAttribute("aria-live", "polite");
  const title = element("h2", {}, `${step.id} `, element("small", { textContent: step.sizes.join(" × ") }));
  const left = [];
  if (record.left[1]) left.push(`${record.left[1]} more heads`);
  if (record.left[0]) left.push(`${record.left[0]} more sentences`);
  if (
    step.sizes.some((size) => Number(size.split(" ").pop()) > Math.max(rows, columns)) &&
    Math.max(rows, columns) >= 64
  )
    left.push("rows and columns beyond the first 64");
  const note = left.length
    ? [element("p", { className: "note", textContent: `Not in this figure: ${left.join(", ")}.` })]
    : [];
  main.replaceChildren(
    bar,
    element("div", { className: "steps" }, ...strips),
    title,
    scroll,
    told,
    element("div", { className: "below" }, ...operands(step.made)),
    ...note,
  );
  // The element that had the focus is drawn anew.
  for (const one of main.querySelectorAll("[data-again]"))
    if (one instanceof HTMLElement && one.dataset.again === again) one.focus();
  if (!isFirst) main.querySelector("td.chosen")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

main.addEventListener("click", (event) => {
  const cell = /** @type {HTMLElement} */ (event.target).closest?.(".scroll td");
  if (!(cell instanceof HTMLElement)) return;
  const [row, column] = (cell.dataset.at ?? "0.0").split(".").map(Number);
  choose(state.step, row, column);
  /** @type {HTMLElement | null} */ (main.querySelector("td.chosen"))?.focus();
});
main.addEventListener("keydown", (event) => {
  const cell = /** @type {HTMLElement} */ (event.target).closest?.(".scroll td");
  const by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  if (!cell || !by) return;
  event.preventDefault();
  const { rows, columns } = matrix(byId[state.step]);
  const row = Math.max(0, Math.min(rows - 1, state.row + by[0]));
  const column = Math.max(0, Math.min(columns - 1, state.column + by[1]));
  choose(state.step, row, column);
  /** @type {HTMLElement | null} */ (main.querySelector("td.chosen"))?.focus();
});
// Open on the last query, and on the key with its largest weight, as the app does.
const opening = matrix(byId[first]);
const last = opening.rows - 1;
let most = 0;
for (let column = 0; column < opening.columns; column += 1)
  if (opening.at(last, column) > opening.at(last, most)) most = column;
Object.assign(state, { row: last, column: most });
byId[first].axes.forEach((axis, side) => {
  if (axis === "query" || axis === "key") state[axis] = side ? most : last;
});
draw(true);
