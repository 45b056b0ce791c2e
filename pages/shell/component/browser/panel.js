// The arithmetic of a cell: its place, its rule and its formula; a line below opens its operands and the LaTeX.

import { parameters } from "./address.js";
import { make, write } from "./elements.js";
import { give } from "./give.js";
import { Row } from "./row.js";
import { seek } from "./seek.js";

export class Panel {
  constructor() {
    this.root = make("section", "att-panel");
    const head = make("div", "att-panel-head", this.root);
    this.title = make("p", "att-panel-title", head);
    this.close = make("button", "att-button", head);
    this.close.type = "button";
    this.close.onclick = () => give({ cell: "" });
    this.rule = make("div", "att-prose", this.root);
    this.formula = make("div", "att-prose att-whole", this.root);
    // A formula wider than a phone scrolls, from the keyboard as well.
    Object.assign(this.formula, { tabIndex: 0, role: "group" });
    this.footnote = make("p", "att-footnote", this.root);
    this.more = make("details", "att-more-of", this.root);
    this.label = make("summary", "", this.more);
    this.place = make("div", "", this.more);
    this.operands = new Row(this.place);
    this.latex = make("pre", "", this.more);
    this.latex.tabIndex = 0;
  }

  update({ title, rule, formula, latex, more, close, operands, footnote = "" }) {
    write(this.title, title.html);
    this.close.hidden = !close;
    this.close.textContent = close ?? "";
    write(this.rule, rule.html);
    write(this.formula, formula.html);
    this.footnote.hidden = !footnote;
    this.footnote.textContent = footnote;
    this.formula.setAttribute("aria-label", latex);
    this.label.textContent = more;
    this.latex.textContent = latex;
    // Operands stand open below a cell that was clicked; beside a figure they wait behind the line.
    const [holder, before] = close ? [this.root, this.more] : [this.more, this.latex];
    if (this.place.parentElement !== holder) holder.insertBefore(this.place, before);
    this.operands.data = { chapter: "", cards: operands ? [operands] : [] };
    this.operands.update();
    if (!close) seek(this.root, parameters().get("cell") ?? "");
  }

  remove() {
    this.operands.remove();
    this.root.remove();
  }
}
