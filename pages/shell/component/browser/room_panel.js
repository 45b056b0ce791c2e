// The room of a lecture under Teach: the lecturer opens it, takes its results, and copies the link with which another
// computer leads.

import { button, made } from "./elements.js";
import { close, lecturersLink, open, room, whenRoomChanges } from "./room.js";
import { showResults } from "./results.js";
import { copied } from "./share.js";

const panels = new Map();

export function roomPanel(parent, words) {
  if (!panels.has(parent)) panels.set(parent, new Panel(parent));
  panels.get(parent).update(words);
  return () => {
    panels.get(parent)?.remove();
    panels.delete(parent);
  };
}

class Panel {
  constructor(parent) {
    this.root = made("div", "att-share att-room");
    this.said = made("p");
    this.said.role = "status";
    const acts = {
      open: () => open(),
      results: () => showResults(this.words),
      key_link: () => this.copy(),
      shut: () => close(),
    };
    for (const [name, act] of Object.entries(acts)) {
      const one = button(act);
      one.dataset.does = name;
      this.root.append(one);
    }
    this.root.prepend(this.said);
    parent.append(this.root);
    this.forget = whenRoomChanges(() => this.show());
  }

  update(words) {
    this.words = words;
    for (const button of this.root.querySelectorAll("button")) button.textContent = words[button.dataset.does];
    this.show();
  }

  show() {
    const { on, stop, refused, isMine } = room();
    if (!on) return;
    const isOpen = Boolean(stop) && !refused;
    const seen = { open: !isOpen && refused !== "taken", results: isOpen && isMine, key_link: isOpen && isMine };
    for (const button of this.root.querySelectorAll("button"))
      button.hidden = !(seen[button.dataset.does] ?? (isOpen && isMine));
    const { words } = this;
    const told = isOpen ? (isMine ? words.open_mine : words.open_others) : (words[`${refused}_panel`] ?? "");
    if (this.said.textContent !== told) this.said.textContent = told;
  }

  async copy() {
    const button = this.root.querySelector("[data-does=key_link]");
    const done = await copied(lecturersLink(), this.said);
    button.textContent = done ? this.words.copied : lecturersLink();
    if (done) setTimeout(() => (button.textContent = this.words.key_link), 2500);
  }

  remove() {
    this.forget();
    this.root.remove();
  }
}
