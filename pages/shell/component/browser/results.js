// The answers of a room, stop by stop, in a dialog over the page, and as a file for a spreadsheet.

import { button, made } from "./elements.js";
import { KEYS } from "./lecture_keys.js";
import { results, room } from "./room.js";
import { filled } from "./text.js";

let dialog = null;

// words: the texts of a room.
export async function showResults(words) {
  dialog?.remove();
  dialog = made("dialog", "att-dialog att-results");
  dialog.setAttribute("aria-label", words.results);
  const close = button(() => dialog.close(), words.close);
  close.autofocus = true;
  const row = made("div", "att-share");
  const list = made("div", "att-results-list");
  dialog.append(made("h2", "", words.results), list, row);
  row.append(close);
  dialog.addEventListener("close", () => dialog.remove());
  // A clicker has no Escape key.
  dialog.addEventListener("keydown", (event) => {
    if (!KEYS[event.key] || event.key === " ") return;
    event.preventDefault();
    dialog.close();
  });
  // Inside this element the dialog has the colours of the page.
  document.querySelector(".att-votes").append(dialog);
  dialog.showModal();
  const found = await results().catch(() => null);
  if (!found?.ok) return list.append(made("p", "", words.no_results));
  row.prepend(button(() => download(found.csv), words.csv));
  list.append(...(found.questions.length ? found.questions.map((one) => drawn(one, words)) : [words.none]));
}

function drawn({ stop, question, choices, right, counts }, words) {
  const all = counts.reduce((sum, one) => sum + one, 0);
  const part = made("section");
  const list = made("ol", "att-votes");
  choices.forEach((text, choice) => {
    const letter = "abcdefgh"[choice];
    const line = made("li", letter === right ? "att-right" : "");
    line.style.setProperty("--share", String(counts[choice] / all));
    const name = `(${letter}) ${text}${letter === right ? " ✓" : ""}`;
    line.append(made("span", "", name), made("b", "", String(counts[choice])));
    list.append(line);
  });
  const heading = made("h3", "", filled(words.of_stop, { stop, question }));
  part.append(heading, made("p", "", filled(words.count, { count: all })), list);
  return part;
}

function download(csv) {
  const link = made("a");
  // Spreadsheets recognise UTF-8 by its byte order mark.
  link.href = URL.createObjectURL(new Blob(["\ufeff", csv], { type: "text/csv" }));
  link.download = `${room().on.room.replace(/[^\p{L}\p{N}]+/gu, "-")}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
