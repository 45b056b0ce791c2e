// A table whose lines begin with a name: the twin of a figure that is no matrix. An empty head is left out.

export function plainTable(title, head, lines) {
  const table = document.createElement("table");
  table.createCaption().textContent = title;
  if (head.length) add(table.createTHead(), head, "col");
  const body = table.createTBody();
  for (const line of lines) add(body, line, "row");
  return table;
}

function add(parent, texts, scope) {
  const line = parent.insertRow();
  texts.forEach((text, index) => {
    const cell = document.createElement(scope === "col" || !index ? "th" : "td");
    if (cell.tagName === "TH") cell.scope = scope;
    cell.textContent = text;
    line.append(cell);
  });
}
