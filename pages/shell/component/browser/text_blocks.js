// Blocks of a view that are text: prose, headings, notes, formulas and tables.

import { make, write } from "./elements.js";

export class Text {
  constructor(name = "att-prose", tag = "div") {
    this.root = make(tag, name);
  }

  /** @param {Record<string, any>} block */
  update({ html }) {
    write(this.root, html);
  }

  remove() {
    this.root.remove();
  }
}

export class Heading extends Text {
  constructor() {
    super("att-heading", "h3");
  }
}

export class Note extends Text {
  constructor() {
    super("att-prose att-notice");
  }

  update(block) {
    this.root.dataset.about = block.about;
    super.update(block);
  }
}

export class Formula extends Text {
  constructor() {
    super("att-prose att-whole");
    // A formula that is wider than a phone scrolls, from the keyboard as well.
    Object.assign(this.root, { tabIndex: 0, role: "group" });
  }

  update(block) {
    super.update(block);
    this.root.setAttribute("aria-label", this.root.textContent);
  }
}

export class Table extends Text {
  constructor() {
    super("att-prose att-scrolls");
    Object.assign(this.root, { tabIndex: 0, role: "group" });
  }

  update({ header, rows }) {
    const cells = (tag, texts) => texts.map(({ html }) => `<${tag}>${html}</${tag}>`).join("");
    const lines = rows.map((row) => `<tr>${cells("td", row)}</tr>`).join("");
    write(this.root, `<table><thead><tr>${cells("th", header)}</tr></thead><tbody>${lines}</tbody></table>`);
    // A focusable element needs a name: the column headings.
    this.root.ariaLabel = [...this.root.querySelectorAll("th")]
      .map((one) => one.textContent)
      .filter(Boolean)
      .join(", ");
  }
}
