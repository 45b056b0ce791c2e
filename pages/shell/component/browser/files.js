// Files of the screen: the server makes a file when its button is pressed, and the browser saves it.

import { asked } from "./asked.js";
import { Code } from "./code.js";
import { make, write } from "./elements.js";
import { handOver } from "./save.js";
import { vocabulary } from "./vocabulary.js";

// The most characters of a script that is shown; longer ones are mostly packed numbers.
const READ = 60_000;

export class Files {
  constructor() {
    this.root = make("div", "att-files");
    /** @type {Offer[]} */
    this.offers = [];
  }

  /** @param {{ query: string, files: any[] }} block */
  update({ query, files }) {
    while (this.offers.length > files.length) this.offers.pop()?.root.remove();
    files.forEach((file, at) => {
      this.offers[at] ??= new Offer(this.root);
      this.offers[at].update(file, query);
    });
  }

  remove() {
    this.root.remove();
  }
}

class Offer {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = make("div", "att-file", parent);
    this.row = make("div", "att-file-asked", this.root);
    this.label = make("label", "", this.row);
    this.words = make("span", "", this.label);
    this.count = /** @type {HTMLInputElement} */ (make("input", "", this.label));
    this.count.type = "number";
    this.take = this.button(() => this.fetched((file, name) => handOver(file, name)));
    this.read = this.button(() => (this.shown.hidden ? this.fetched((file) => this.show(file)) : this.hide()));
    this.read.setAttribute("aria-expanded", "false");
    this.told = make("div", "att-prose", this.root);
    this.waiting = make("progress", "", this.root);
    this.waiting.hidden = true;
    this.failed = make("p", "att-file-failed", this.root);
    this.failed.setAttribute("role", "status");
    this.code = new Code();
    this.shown = make("div", "att-file-shown", this.root);
    this.shown.hidden = true;
    this.shown.append(this.code.root);
    this.query = new URLSearchParams();
    this.kind = "";
  }

  /** @param {() => void} act */
  button(act) {
    const made = /** @type {HTMLButtonElement} */ (make("button", "att-button", this.row));
    made.type = "button";
    made.onclick = act;
    return made;
  }

  /** @param {any} file @param {string} query */
  update(file, query) {
    const { asks } = file;
    this.kind = file.file;
    this.root.dataset.file = file.file;
    this.query = new URLSearchParams(query);
    this.query.set("file", file.file);
    this.query.set("app", new URL(".", document.baseURI).href);
    this.take.textContent = file.label;
    this.read.hidden = !file.read;
    this.read.textContent = file.read ?? "";
    this.label.hidden = !asks;
    if (asks) {
      this.words.textContent = asks.label;
      this.count.name = "sheets";
      [this.count.min, this.count.max] = [asks.from, asks.to].map(String);
      this.count.value ||= this.count.min;
    }
    write(this.told, file.html);
    // A script that is shown follows the screen.
    if (!this.shown.hidden) this.fetched((made) => this.show(made));
  }

  /** @param {(file: Blob, name: string) => void} then */
  async fetched(then) {
    if (!this.label.hidden && !this.count.reportValidity()) return;
    const query = new URLSearchParams(this.query);
    if (!this.label.hidden) query.set(this.count.name, this.count.value);
    [this.waiting.hidden, this.failed.textContent] = [false, ""];
    try {
      const answer = await asked("file", query);
      const name = /filename="([^"]*)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1];
      then(await answer.blob(), name ?? this.kind);
    } catch (error) {
      this.failed.textContent = vocabulary.words.ui.no_file.replace("{{reason}}", error.message);
    }
    this.waiting.hidden = true;
  }

  /** @param {Blob} file */
  async show(file) {
    const text = await file.text();
    const isLong = text.length > READ;
    this.code.update({ text: isLong ? text.slice(0, READ) : text });
    if (isLong) this.failed.textContent = vocabulary.words.ui.cut.replace("{{size}}", String(READ));
    this.shown.hidden = false;
    this.read.setAttribute("aria-expanded", "true");
  }

  hide() {
    this.shown.hidden = true;
    this.failed.textContent = "";
    this.read.setAttribute("aria-expanded", "false");
  }
}
