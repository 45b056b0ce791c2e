// A field over the sentence, to type another one: Enter keeps it, Escape restores the old one.

import { make } from "./elements.js";
import { put } from "./figure.js";
import { give } from "./give.js";

export class OwnSentence {
  // parent: the figure over which the field opens.
  constructor(parent) {
    this.button = make("button", "att-own-edit", parent);
    this.button.type = "button";
    this.button.onclick = () => this.open();
    this.form = make("form", "att-own", parent);
    this.form.hidden = true;
    this.field = make("input", "att-own-field", this.form);
    Object.assign(this.field, { type: "text", spellcheck: false, autocomplete: "off", enterKeyHint: "done" });
    this.keep = make("button", "att-button", this.form);
    this.keep.type = "submit";
    this.leave = make("button", "att-button", this.form);
    this.leave.type = "button";
    this.leave.onclick = () => this.close();
    this.hint = make("p", "att-own-hint", this.form);
    this.form.onsubmit = (event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      this.close();
      // The chosen cell belongs to the old sentence, to which Back returns.
      if (text !== this.told.text) give({ [this.told.sets]: text, cell: "" }, false, true);
    };
    this.form.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") this.close();
    });
  }

  // told: the sentence with the words around it; null if no other one can be typed.
  update(told) {
    this.told = told;
    this.button.hidden = !told;
    if (!told) return this.close();
    put(this.button, `✎ ${told.edit}`);
    this.button.title = told.label;
    this.field.setAttribute("aria-label", told.label);
    this.field.maxLength = told.most;
    put(this.keep, told.keep);
    put(this.leave, told.leave);
    put(this.hint, told.hint);
  }

  // from: the left edge of the picture, in pixels; top: that of its words; isWide: whether there is room beside the
  // words.
  place(from, top, isWide) {
    this.button.style.top = `${from + (isWide ? top : 0)}px`;
    this.form.style.top = `${from + Math.max(top - 8, 0)}px`;
  }

  open() {
    this.field.value = this.told.text;
    this.form.hidden = false;
    this.field.select();
    this.field.focus();
  }

  close() {
    const wasOpen = !this.form.hidden;
    this.form.hidden = true;
    if (wasOpen) this.button.focus({ preventScroll: true });
  }
}
