// The question of a stop in a room: its choices as buttons, the number of answers, and the place of the lecture.

import { button, made } from "./elements.js";
import { showResults } from "./results.js";
import { choose, join, room, whenRoomChanges } from "./room.js";
import { filled } from "./text.js";

const there = new Map();

export function votes(parent, sent) {
  if (!there.has(parent)) there.set(parent, new Votes(parent));
  there.get(parent).update(sent);
  return () => {
    there.get(parent)?.remove();
    there.delete(parent);
  };
}

class Votes {
  /** @type {Record<string, string>} */
  words = {};
  isLast = false;
  buttons = [];

  constructor(parent) {
    this.root = made("div", "att-votes");
    this.choices = made("div", "att-choices");
    this.choices.setAttribute("role", "group");
    this.count = made("span", "att-answered");
    this.said = made("span", "att-room-said");
    this.said.setAttribute("role", "status");
    this.goes = button(() => join());
    this.results = button(() => showResults(this.words));
    this.results.className = "att-results-open";
    this.root.append(this.choices, this.count, this.said, this.goes, this.results);
    parent.append(this.root);
    this.forget = whenRoomChanges(() => this.show());
  }

  update({ choices, words, isLast }) {
    Object.assign(this, { words, isLast });
    this.goes.textContent = words.go;
    this.results.textContent = words.results;
    this.choices.setAttribute("aria-label", words.vote);
    const texts = choices.map((text, choice) => `(${"abcdefgh"[choice]}) ${text}`);
    if (texts.join("\n") !== this.drawn) this.draw(texts);
    this.show();
  }

  draw(texts) {
    this.drawn = texts.join("\n");
    this.buttons = texts.map((text, choice) => {
      const one = button(() => choose(choice));
      one.append(made("span", "", text), made("output"));
      return one;
    });
    this.choices.replaceChildren(...this.buttons);
  }

  show() {
    const { words } = this;
    const { on, lecture, stop, counts, mine, answered, refused, notCounted, lost, isAway, isMine } = room();
    if (!on) return;
    const isHeld = !refused && lecture === on.lecture;
    const all = counts?.reduce((sum, one) => sum + one, 0);
    this.buttons.forEach((one, choice) => {
      one.disabled = !isHeld;
      one.setAttribute("aria-pressed", String(isHeld && mine === choice));
      one.style.setProperty("--share", isHeld && all ? String(counts[choice] / all) : "0");
      one.lastChild.textContent = isHeld && counts ? counts[choice] : "";
    });
    this.choices.hidden = !this.buttons.length;
    this.count.textContent = isHeld && this.buttons.length ? filled(words.count, { count: answered }) : "";
    const isElsewhere = isHeld && isAway && !isMine;
    const parts = [
      refused && (words[`${refused}${isMine ? "_mine" : ""}`] ?? words[refused]),
      !refused && lecture && !isHeld && words.other_lecture,
      notCounted && words[`not_${notCounted}`],
      isElsewhere && filled(words.elsewhere, { stop }),
      isMine && lost && filled(words.restarted, { time: new Date(lost * 1000).toLocaleTimeString(on.language) }),
    ];
    const told = parts.filter(Boolean).join(" ");
    if (this.said.textContent !== told) this.said.textContent = told;
    this.goes.hidden = !isElsewhere;
    this.results.hidden = !(isMine && isHeld && this.isLast);
  }

  remove() {
    this.forget();
    this.root.remove();
  }
}
