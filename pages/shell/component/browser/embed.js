// @ts-check
// The lines that put a figure into somebody else's page, slide or notebook, to copy, one kind at a time.

import { make } from "./elements.js";
import { drawnWith } from "./live.js";
import { copied } from "./share.js";

// Themes: the value in the address, and its name.
const themes = (words) => ({
  auto: words.ui.embed_auto,
  light: words.ui.embed_light,
  dark: words.ui.embed_dark,
  transparent: words.ui.embed_transparent,
  "transparent-dark": words.ui.embed_transparent_dark,
});
const kinds = (words) => ({
  html: words.ui.embed_html,
  markdown: words.ui.embed_markdown,
  quarto: words.ui.embed_quarto,
  myst: words.ui.embed_myst,
  jupyter: words.ui.embed_jupyter,
  oembed: words.ui.embed_oembed,
});
// Pixels beside the view: its edges with the link to the app; one control.
const [AROUND, CONTROL] = [60, 48];

// frame: the figure; view: the element of the view, whose name is part of the address.
export function embed(frame, view) {
  new Embed(frame, view).open();
}

class Embed {
  constructor(frame, view) {
    this.words = frame.words;
    this.title = frame.title.textContent;
    this.sentence = frame.note.textContent || this.title;
    this.name = view.dataset.view;
    this.height = view.offsetHeight;
    this.beside = drawnWith().beside;
    this.dialog = /** @type {HTMLDialogElement} */ (make("dialog", "att-dialog att-embed", frame.root));
    this.dialog.setAttribute("aria-label", `${this.words.ui.embed}: ${this.title}`);
    make("h4", "", this.dialog).textContent = `${this.words.ui.embed}: ${this.title}`;
    this.theme = this.chosen();
    this.boxes = this.controls();
    this.lines = make("div", "", this.dialog);
    const row = make("div", "att-share", this.dialog);
    this.button(row, this.words.ui.share_close, () => this.dialog.close());
    this.dialog.addEventListener("click", ({ target }) => target === this.dialog && this.dialog.close());
    this.dialog.addEventListener("close", () => {
      this.dialog.remove();
      frame.menu.button.focus({ preventScroll: true });
    });
    this.dialog.addEventListener("change", () => this.write());
  }

  open() {
    this.write();
    this.dialog.showModal();
  }

  chosen() {
    const label = make("label", "att-embed-asked", this.dialog);
    make("span", "", label).textContent = this.words.ui.embed_theme;
    const select = /** @type {HTMLSelectElement} */ (make("select", "", label));
    select.name = "theme";
    select.autofocus = true;
    Object.entries(themes(this.words)).forEach(([theme, name]) => select.append(new Option(name, theme)));
    return select;
  }

  controls() {
    const set = make("fieldset", "att-embed-asked", this.dialog);
    set.hidden = !this.beside.length;
    make("legend", "", set).textContent = this.words.ui.embed_controls;
    return this.beside.map(([name, text]) => {
      const label = make("label", "", set);
      const box = /** @type {HTMLInputElement} */ (make("input", "", label));
      Object.assign(box, { type: "checkbox", name });
      label.append(text);
      return box;
    });
  }

  button(parent, text, act) {
    const button = /** @type {HTMLButtonElement} */ (make("button", "", parent));
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", () => act(button));
    return button;
  }

  // The address of the figure as it is drawn now. ending: that of a picture file.
  address(ending = "") {
    const url = new URL(`figure/${this.name}${ending}`, document.baseURI);
    const { settings } = drawnWith();
    const names = this.boxes.filter((box) => box.checked).map((box) => box.name);
    if (names.length && !ending) settings.set("controls", names.join(","));
    if (this.theme.value !== "auto") settings.set("theme", this.theme.value);
    url.search = settings.toString();
    return url.href;
  }

  write() {
    const there = [...this.lines.querySelectorAll("textarea")];
    Object.entries(this.written()).forEach(([kind, text], at) => {
      const field = there[at] ?? this.field(kind);
      field.value = text;
    });
  }

  field(kind) {
    const part = make("div", "att-embed-lines", this.lines);
    const label = make("label", "", part);
    make("span", "", label).textContent = kinds(this.words)[kind];
    const field = /** @type {HTMLTextAreaElement} */ (make("textarea", "", label));
    Object.assign(field, { readOnly: true, rows: kind === "quarto" ? 7 : 3, spellcheck: false });
    field.dataset.kind = kind;
    const row = make("div", "att-share", part);
    const said = make("span", "att-unseen", row);
    said.role = "status";
    this.button(row, this.words.ui.copy, async (button) => {
      const isDone = await copied(field.value, said);
      said.textContent = isDone ? this.words.ui.share_copied : this.words.ui.share_by_hand;
      button.textContent = isDone ? this.words.ui.share_copied : this.words.ui.copy;
      if (isDone) button.focus();
      else field.select();
    });
    return field;
  }

  // The lines for each kind of page.
  written() {
    const controls = this.boxes.filter((box) => box.checked).length;
    const height = this.height + AROUND + controls * CONTROL;
    const [page, picture] = [this.address(), this.address(".png")];
    const frame = `<iframe src="${text(page)}" title="${text(this.title)}" width="100%" height="${height}" style="border:0" loading="lazy"></iframe>`;
    return {
      html: frame,
      markdown: `[![${line(this.sentence)}](${this.address(".svg")})](${page})`,
      quarto: `::: {.content-visible when-format="html"}\n${frame}\n:::\n::: {.content-visible unless-format="html"}\n![${line(this.sentence)}](${picture})\n:::`,
      myst: `:::{iframe} ${page}\n:width: 100%\n:placeholder: ${picture}\n${line(this.sentence)}\n:::`,
      jupyter: `from IPython.display import IFrame\nIFrame(${JSON.stringify(page)}, "100%", ${height})`,
      oembed: new URL(`oembed?${new URLSearchParams({ url: page })}`, document.baseURI).href,
    };
  }
}

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const text = (plain) => plain.replace(/[&<>"]/g, (one) => ENTITIES[one]);

// Escape everything that Markdown would interpret, and keep one line.
const line = (plain) => plain.replace(/\s+/g, " ").replace(/[\\`*_{}[\]<>$|~^!#]/g, "\\$&");
