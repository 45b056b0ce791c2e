// The blocks of views by kind. Each class draws one block, and updates it when the block has changed.

import { Code } from "./code.js";
import { Counted } from "./counted.js";
import { make, write } from "./elements.js";
import { Files } from "./files.js";
import { filledIn, give, takeBack } from "./give.js";
import { Guess } from "./guess.js";
import { Film } from "./film.js";
import { Measured } from "./moved.js";
import { Panel } from "./panel.js";
import { Player } from "./player.js";
import { Row } from "./row.js";
import { show } from "./seek.js";
import { Strip } from "./strip.js";
import { Formula, Heading, Note, Table, Text } from "./text_blocks.js";
import { vocabulary } from "./vocabulary.js";
import { Wall, choose } from "./wall.js";

class Buttons {
  constructor() {
    this.root = make("div", "att-buttons");
    this.said = make("span", "att-buttons-said", this.root);
  }

  update({ buttons, said }) {
    write(this.said, said?.html ?? "");
    const made = [...this.root.querySelectorAll("button")];
    made.slice(buttons.length).forEach((one) => one.remove());
    buttons.forEach(({ html, pressed, sets, share }, at) => {
      const button = made[at] ?? make("button", "att-button", this.root);
      button.type = "button";
      write(button, html);
      button.ariaPressed = pressed;
      button.classList.toggle("att-meter", share !== undefined);
      if (share !== undefined) button.style.setProperty("--att-full", `${100 * share}%`);
      button.onclick = () => give(sets);
    });
  }

  remove() {
    this.root.remove();
  }
}

class Ledger {
  constructor() {
    this.root = make("div", "att-ledger");
    this.sizes = make("div", "att-prose", this.root);
    this.verdict = make("details", "att-verdict", this.root);
    this.word = make("summary", "", this.verdict);
    this.list = make("div", "att-prose att-badges", this.verdict);
  }

  update({ sizes, verdict, word, lead, badges }) {
    write(this.sizes, sizes.html);
    this.verdict.dataset.verdict = verdict;
    write(this.word, word);
    const each = badges.map((one) => `<li data-verdict="${one.verdict}">${one.html}</li>`).join("");
    write(this.list, `<p>${lead.html}</p><ul>${each}</ul>`);
  }

  remove() {
    this.root.remove();
  }
}

class Cards {
  constructor() {
    this.root = make("div", "att-block");
    this.row = new Row(this.root);
    const sets = (cell) => {
      const { cards, clicks } = this.row.data;
      const click = clicks?.[cell.figure] ?? this.row.data.click;
      if (!click) return null;
      const sent = cards.find((card) => card.id === cell.figure);
      const counted = { ...cell, row_number: cell.row + 1, column_number: cell.column + 1 };
      return {
        ...filledIn(click, counted),
        ...(sent?.arcs ?? sent?.asking ?? sent?.crossing)?.sets[cell.row],
        ...cell.sets,
      };
    };
    this.row.report = (cell) => {
      const given = sets(cell);
      if (!given) return;
      give(given);
      if (this.row.data.opens) show(this.row.data.opens);
    };
    // While the pointer is on a word, figures show it as if the address named it. The address itself stays.
    this.row.hover = (cell) => {
      const given = cell && sets(cell);
      takeBack(Object.keys(this.pointed ?? {}).filter((name) => !(name in (given ?? {}))));
      this.pointed = given;
      if (given) give(given, true);
    };
    const dragged = (at) => filledIn(this.row.data.drag, at);
    this.row.sets = {
      give: (at, isHeld) => give(dragged(at), isHeld),
      takeBack: (at) => takeBack(Object.keys(dragged(at))),
    };
  }

  update(block) {
    this.row.data = block;
    this.row.update();
  }

  remove() {
    this.row.hover(null);
    this.row.remove();
    this.root.remove();
  }
}

class Pipeline {
  constructor() {
    this.root = make("div", "att-block");
    this.strip = new Strip(this.root);
    this.strip.ask = ({ step, head, told }) => {
      const { tiles, chooses, told: sentences } = this.strip.data.strip;
      const sets = told === undefined ? tiles.find((tile) => tile.id === step)?.sets : sentences.sets[told];
      give({ ...sets, ...(head === undefined ? {} : { [chooses]: String(head) }) });
    };
  }

  update(block) {
    this.strip.data = { strip: block };
    this.strip.update(vocabulary.words);
  }

  remove() {
    this.strip.remove();
    this.root.remove();
  }
}

class Maps {
  constructor() {
    this.root = make("div", "att-block");
    this.wall = new Wall(this.root);
    this.wall.ask = ({ head: id }) => {
      const [layer, head] = id.split(".");
      give(filledIn(this.wall.data.click, { layer, head }));
    };
  }

  update(block) {
    this.wall.data = block;
    this.wall.update(vocabulary.words);
  }

  remove() {
    this.wall.remove();
    this.root.remove();
  }
}

// The head whose map is opened in the walls of the page.
class Opened {
  constructor() {
    this.root = make("div", "");
  }

  update({ head }) {
    choose(head);
  }

  remove() {
    this.root.remove();
  }
}

export const KINDS = {
  text: class extends Text {},
  heading: Heading,
  note: Note,
  formula: Formula,
  chain: Formula,
  table: Table,
  code: Code,
  counted: Counted,
  files: Files,
  buttons: Buttons,
  guess: Guess,
  ledger: Ledger,
  cards: Cards,
  panel: Panel,
  film: Film,
  player: Player,
  moved: Measured,
  strip: Pipeline,
  wall: Maps,
  opened: Opened,
};
