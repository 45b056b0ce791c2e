// The table twin of a heatmap, made when it is opened.

import { framedAs } from "./heatmap.js";
import { filled, shown } from "./text.js";

const ROWS = 64;
const COLUMNS = 64;

export function fill(holder, card) {
  const { sent, labels, words, heatmap } = card;
  const rows = Math.min(sent.shape[0], ROWS);
  const columns = Math.min(sent.shape[1], COLUMNS);
  const table = document.createElement("table");
  table.createCaption().textContent = caption(card, rows, columns);
  const head = table.createTHead().insertRow();
  header(
    head,
    sent.rows ? `${words.axes[sent.called ?? sent.rows]} \\ ${words.axes[sent.columns]}` : words.axes[sent.columns],
    "col",
  );
  for (let column = 0; column < columns; column += 1) header(head, labels.columns?.[column] ?? column + 1, "col");
  if (sent.sums) header(head, words.ui.sum, "col");
  const body = table.createTBody();
  for (let row = 0; row < rows; row += 1) {
    const line = body.insertRow();
    header(line, labels.rows?.[row] ?? (sent.rows ? row + 1 : ""), "row");
    for (let column = 0; column < columns; column += 1) {
      const value = heatmap.value(row, column);
      const text =
        Number.isNaN(value) && "hidden" in sent ? (sent.absent ?? `${sent.hidden} (${words.ui.masked})`) : shown(value);
      const name = framedAs(sent, row, column, words);
      line.insertCell().textContent = name ? `${text} (${name})` : text;
    }
    if (sent.sums) line.insertCell().textContent = sent.sums[row];
  }
  holder.replaceChildren(table);
}

function caption({ sent, words }, rows, columns) {
  const { title } = sent;
  if (rows === sent.shape[0] && columns === sent.shape[1]) return title;
  return `${title}. ${filled(words.ui.table_clipped, { rows, columns })}`;
}

function header(row, text, scope) {
  const cell = document.createElement("th");
  cell.scope = scope;
  cell.textContent = text;
  row.append(cell);
}
