import { make } from "./elements.js";
import { copied } from "./share.js";
import { vocabulary } from "./vocabulary.js";

// Lines of a program, copied exactly as shown.
export class Code {
  constructor() {
    this.root = make("div", "att-code");
    this.lines = make("pre", "", this.root);
    Object.assign(this.lines, { tabIndex: 0, role: "group" });
    this.copy = make("button", "att-button", this.root);
    this.copy.type = "button";
    this.copy.onclick = async () => {
      const isCopied = await copied(this.lines.textContent, this.copy);
      this.copy.focus();
      if (!isCopied) return getSelection().selectAllChildren(this.lines);
      this.copy.textContent = vocabulary.words.ui.share_copied;
      setTimeout(() => this.update({ text: this.lines.textContent }), 2500);
    };
  }

  update({ text }) {
    this.lines.textContent = text;
    this.copy.textContent = vocabulary.words.ui.copy;
  }

  remove() {
    this.root.remove();
  }
}
