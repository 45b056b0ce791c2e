// "Watch it happen": the computation of one pair of words as seven steps of motion on the page itself. The sentences
// come from the server, and no step sends a request. With reduced motion each step is a picture.

import { whenChanged } from "./address.js";
import { make } from "./elements.js";
import { put } from "./figure.js";
import { give } from "./give.js";
import { look, stand, strike } from "./film_place.js";
import { drawRows, removeRows } from "./film_rows.js";
import { STEPS, restore } from "./film_steps.js";
import { ask, close } from "./film_turn.js";
import { Flights, Over } from "./flights.js";
import { clear, set } from "./stage.js";
import { filled } from "./text.js";
import { whenMoved } from "./under_finger.js";
import { vocabulary } from "./vocabulary.js";

// Milliseconds to read a sentence after its motion, before the next step.
const READ = 3500;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const films = new Set();

export class Film {
  constructor() {
    this.root = make("section", "att-film");
    this.watch = make("button", "att-watch", this.root);
    this.watch.type = "button";
    this.watch.onclick = () => this.go(1);
    this.panel = make("div", "att-film-panel", this.root);
    this.panel.hidden = true;
    this.line = make("p", "att-film-line", this.panel);
    this.line.setAttribute("aria-live", "polite");
    this.named = make("strong", "", this.line);
    this.told = make("span", "", this.line);
    this.on = make("a", "att-film-on", this.panel);
    const bar = make("div", "att-film-bar", this.panel);
    this.buttons = {};
    for (const [name, act] of [
      ["back", () => this.go(this.at - 1)],
      ["pause", () => this.pause(!this.isPaused)],
      ["next", () => this.go(this.at + 1)],
      ["end", () => this.leave()],
    ]) {
      this.buttons[name] = Object.assign(make("button", "att-film-button", bar), { type: "button", onclick: act });
      this.buttons[name].dataset.does = name;
      if (name === "next") this.steps = make("span", "att-film-steps", bar);
    }
    this.flights = new Flights(false);
    this.key = (event) => this.pressed(event);
    films.add(this);
  }

  update(block) {
    this.sent = block;
    const { words } = vocabulary;
    if (!words) return;
    put(this.watch, `▶ ${words.ui.film}`);
    const labels = { back: ["◀", words.ui.film_back], next: ["▶|", words.ui.film_next], end: ["✕", words.ui.film_end] };
    for (const [name, [sign, label]] of Object.entries(labels)) this.name(name, sign, label);
    if (String(block.names) !== this.numbered) this.number(block.names, words);
    this.say();
  }

  // The buttons of the steps.
  number(names, words) {
    this.numbered = String(names);
    this.steps.replaceChildren(
      ...names.map((name, at) => {
        const step = Object.assign(make("button", "att-film-step"), {
          type: "button",
          textContent: String(at + 1),
          title: name,
          onclick: () => this.go(at + 1, true),
        });
        step.setAttribute("aria-label", filled(words.ui.film_step, { number: at + 1, name }));
        return step;
      }),
    );
  }

  name(button, sign, label) {
    put(this.buttons[button], sign);
    Object.assign(this.buttons[button], { title: label, ariaLabel: label });
  }

  say() {
    if (!this.at) return;
    const { words } = vocabulary;
    const isOver = this.at > this.sent.steps.length;
    Object.assign(this.on, { hidden: !this.answered, href: this.sent.leads, textContent: this.sent.on });
    const name = isOver ? "" : `${this.at} · ${this.sent.names[this.at - 1]}. `;
    put(this.named, name);
    put(this.told, isOver ? this.answered || this.turn?.asked || this.sent.over : this.sent.steps[this.at - 1]);
    this.name("pause", this.isPaused ? "▶" : "❚❚", this.isPaused ? words.ui.film_play : words.ui.film_pause);
    this.buttons.pause.disabled = isOver;
    this.buttons.back.disabled = this.at <= 1;
    this.buttons.next.disabled = isOver;
    [...this.steps.children].forEach((step, at) =>
      at + 1 === this.at ? step.setAttribute("aria-current", "step") : step.removeAttribute("aria-current"),
    );
  }

  // stays: whether the film pauses after the motion of the step. The next step then plays again.
  async go(to, stays = false) {
    const arcs = document.querySelector(".att-arcs")?.closest(".att-view");
    if (!arcs) return;
    if (!this.at) this.open();
    if ((stays || this.stayed) && !still.matches) this.pause(false);
    this.flights.end();
    const flights = (this.flights = new Flights(this.isPaused));
    this.at = Math.min(Math.max(to, 1), this.sent.steps.length + 1);
    this.answered = "";
    // The turn is kept, because another word may ask before it is answered.
    this.turn = this.sent.turn;
    close();
    this.say();
    const scene = this.scene();
    restore(scene.drawn);
    const isOver = this.at > this.sent.steps.length;
    drawRows(this.at, scene);
    this.isWhole = stand(this.at, isOver, this.isWhole, this.panel);
    if (isOver) {
      clear();
      if (this.turn) ask(this.turn.place, (guess) => this.judge(guess));
      return;
    }
    look(this.at, this.isWhole, this.panel);
    set(this.at, !still.matches);
    if (still.matches) return;
    try {
      await STEPS[this.at - 1](scene);
      set(this.at);
      if (stays) this.pause(true, true);
      await flights.wait(READ);
    } catch (error) {
      if (error instanceof Over) return;
      throw error;
    }
    this.go(this.at + 1);
  }

  // The data of the present page.
  scene() {
    const sent = sentOf(".att-arcs");
    const strip = sentOf(".att-strip");
    const tile = (id) => strip.tiles.find((one) => one.id === id);
    const size = (...ids) =>
      ids
        .map((id) => tile(id)?.size?.[0])
        .filter(Boolean)
        .at(-1) ?? 1;
    const ofLanes = (of) => Object.fromEntries(["x", "queries", "keys", "values"].map((lane) => [lane, of(lane)]));
    return {
      flights: this.flights,
      drawn: sent,
      sent: sent.arcs,
      at: strip.at,
      undivided: this.sent.undivided,
      score: this.sent.score,
      count: { query: size("queries"), key: size("keys", "keys_joined") },
      names: ofLanes((lane) => tile(lane)?.name ?? ""),
      sizes: ofLanes((lane) => size(lane)),
      keys: size("keys", "keys_joined"),
    };
  }

  open() {
    this.from = document.querySelector("[data-testid=stMain]")?.scrollTop ?? 0;
    this.panel.hidden = false;
    this.watch.setAttribute("aria-expanded", "true");
    this.pause(still.matches);
    document.addEventListener("keydown", this.key, { capture: true });
    this.buttons.next.focus({ preventScroll: true });
  }

  // stayed: whether the step's button has paused the film, and not the reader in the middle of a motion.
  pause(isPaused, stayed = false) {
    this.isPaused = isPaused;
    this.stayed = stayed;
    this.flights.pause(isPaused);
    this.say();
  }

  end() {
    if (!this.at) return;
    this.flights.end();
    restore(sentOf(".att-arcs"));
    removeRows();
    clear();
    close();
    this.at = 0;
    this.panel.hidden = true;
    this.watch.removeAttribute("aria-expanded");
    strike();
    document.removeEventListener("keydown", this.key, { capture: true });
    if (document.activeElement === document.body || this.panel.contains(document.activeElement))
      this.watch.focus({ preventScroll: true });
  }

  // The word of the turn asks, and the text is about the clicked word.
  judge(guess) {
    this.answered = this.turn.said[guess];
    this.isJudging = true;
    give(this.turn.gives);
    this.isJudging = false;
    this.say();
  }

  // Leave the film and scroll back to its start.
  leave() {
    this.end();
    document.querySelector("[data-testid=stMain]")?.scrollTo({ top: this.from, behavior: "instant" });
  }

  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    // After the last step, keys on a word belong to the word.
    if (this.at > this.sent.steps.length && event.key !== "Escape" && event.target.closest?.(".att-arcs")) return;
    const isButton = event.target.closest?.("button") && !event.target.closest(".att-film");
    const acts = {
      Escape: () => this.leave(),
      " ": () => this.go(this.at + 1),
      ArrowRight: () => this.go(this.at + 1),
      ArrowLeft: () => this.go(this.at - 1),
    };
    if (!(event.key in acts) || (isButton && event.key === " ") || event.target.closest?.("input, textarea")) return;
    event.preventDefault();
    event.stopPropagation();
    acts[event.key]();
  }

  remove() {
    this.end();
    films.delete(this);
    this.root.remove();
  }
}

// The data that a figure was drawn from.
function sentOf(selector) {
  return document.querySelector(selector)?.drawnFrom;
}

// A film ends when the reader sets something else; a guess in the film sets controls, too, and does not end it.
const over = () => films.forEach((film) => film.isJudging || film.end());
whenChanged(over);
whenMoved(over);
