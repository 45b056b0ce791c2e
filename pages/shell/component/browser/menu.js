// The actions of a figure behind one button: a menu as in the ARIA practices.

import { filled } from "./text.js";

let count = 0;

export class Menu {
  // items: {id, text(words), label(words, title), act()}; an item with isOn() is a toggle; isThere(): whether the item
  // applies now.
  constructor(items, parent) {
    this.items = items;
    // The item, if only one applies: then the button is that item.
    this.only = null;
    this.root = document.createElement("div");
    this.root.className = "att-menu";
    this.button = this.made("button", "att-more");
    this.button.textContent = "⋯";
    this.button.setAttribute("aria-haspopup", "menu");
    this.button.setAttribute("aria-expanded", "false");
    this.button.addEventListener("click", () => (this.list?.isConnected ? this.close() : this.open()));
    this.button.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      this.open(event.key === "ArrowUp" ? -1 : 0);
    });
    this.root.append(this.button);
    // Close on a click elsewhere, also in browsers that do not focus a clicked button.
    this.elsewhere = (event) => this.root.contains(event.target) || this.close();
    this.root.addEventListener(
      "focusout",
      ({ relatedTarget }) => relatedTarget && !this.root.contains(relatedTarget) && this.close(),
    );
    parent.append(this.root);
  }

  say(title, words) {
    this.words = words;
    if (this.said === `${words.language} ${title}`) return;
    this.said = `${words.language} ${title}`;
    this.title = title;
    const label = filled(words.ui.more, { title });
    this.button.setAttribute("aria-label", label);
    this.button.title = label;
  }

  made(tag, name) {
    const element = document.createElement(tag);
    element.className = name;
    if (tag === "button") element.type = "button";
    return element;
  }

  // Made when it is opened, because a page has dozens of figures.
  open(at = 0) {
    this.list = this.made("div", "att-items");
    this.list.id = `att-menu-${(count += 1)}`;
    this.list.setAttribute("role", "menu");
    this.list.setAttribute("aria-label", this.button.getAttribute("aria-label"));
    const there = this.items.filter(({ id, isThere }) => (!this.only || this.only === id) && (isThere?.() ?? true));
    this.list.append(...there.map((item) => this.entry(item)));
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.root.append(this.list);
    this.button.setAttribute("aria-expanded", "true");
    this.button.setAttribute("aria-controls", this.list.id);
    document.addEventListener("pointerdown", this.elsewhere, true);
    this.focus(at);
  }

  entry({ id, text, label, act, isOn }) {
    const entry = this.made("button", "att-item");
    entry.dataset.item = id;
    entry.tabIndex = -1;
    entry.textContent = text(this.words);
    entry.setAttribute("role", isOn ? "menuitemcheckbox" : "menuitem");
    if (isOn) entry.setAttribute("aria-checked", String(isOn()));
    entry.setAttribute("aria-label", label(this.words, this.title));
    entry.addEventListener("click", () => {
      this.close();
      this.button.focus({ preventScroll: true });
      act();
    });
    return entry;
  }

  focus(at) {
    const entries = [...this.list.children];
    entries.at(at % entries.length).focus({ preventScroll: true });
  }

  key(event) {
    const at = [...this.list.children].indexOf(document.activeElement);
    const moves = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    if (event.key === "Escape") {
      this.close();
      this.button.focus({ preventScroll: true });
    } else if (event.key in moves) {
      this.focus(moves[event.key]);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  close() {
    document.removeEventListener("pointerdown", this.elsewhere, true);
    this.list?.remove();
    this.button.setAttribute("aria-expanded", "false");
    this.button.removeAttribute("aria-controls");
  }
}
