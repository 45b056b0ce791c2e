// @ts-check
// Controls beside a figure in a page of somebody else: one input for each setting.

import { parameters, whenChanged } from "./address.js";
import { make } from "./elements.js";
import { give } from "./give.js";
import { set, whenMoved } from "./under_finger.js";

// Settings that decide which sizes exist. After one of them changes, the page is loaded again with its other controls.
const DECIDING = ["preset", "d_model"];
// Settings of a mask. A new mask starts without painted cells.
const OF_MASK = ["mask", "width", "length"];

export class Controls {
  /** @param {HTMLElement | null} parent @param {any[]} described */
  constructor(parent, described) {
    this.controls = described.map((one) => new Control(parent, one));
    whenChanged(() => this.controls.forEach((one) => one.follow()));
    // Follow settings that something else sets or takes back while it is held.
    whenMoved(() => this.controls.forEach((one) => one.follow()));
  }
}

class Control {
  /** @param {HTMLElement | null} parent @param {any} described */
  constructor(parent, described) {
    this.of = described;
    this.isHeld = false;
    const label = make("label", "att-alone-control", parent ?? undefined);
    make("span", "", label).innerHTML = described.label;
    this.input = this.made(label);
    this.input.name = described.name;
    this.output = make("output", "", label);
    this.output.hidden = !["steps", "range"].includes(described.kind);
    this.input.addEventListener("input", () => this.hold());
    this.input.addEventListener("change", () => this.set());
    this.follow();
  }

  /** @param {HTMLElement} label */
  made(label) {
    const { kind, options, low, high, step, most, placeholder } = this.of;
    if (kind === "choice") {
      const input = /** @type {HTMLSelectElement} */ (make("select", "", label));
      options.forEach(([value, text]) => input.append(new Option(text, value)));
      return input;
    }
    if (kind === "lines") {
      const input = /** @type {HTMLTextAreaElement} */ (make("textarea", "", label));
      return Object.assign(input, { maxLength: most, placeholder });
    }
    const input = /** @type {HTMLInputElement} */ (make("input", "", label));
    if (kind === "flag") input.type = "checkbox";
    else if (kind === "text") Object.assign(input, { type: "text", maxLength: most });
    else if (kind === "steps")
      Object.assign(input, { type: "range", min: "0", max: String(options.length - 1), disabled: options.length < 2 });
    else Object.assign(input, { type: kind, min: String(low), max: String(high), step: String(step) });
    return input;
  }

  // The setting, as text, at which the input stands.
  get text() {
    const { kind, options } = this.of;
    if (kind === "flag") return String(/** @type {HTMLInputElement} */ (this.input).checked);
    if (kind === "steps") return options[Number(this.input.value)][0];
    return kind === "range" || kind === "number" ? String(Number(this.input.value)) : this.input.value;
  }

  // Move the input to the setting of the address, unless somebody holds the input.
  follow() {
    if (!this.isHeld) this.put(parameters().get(this.of.name) ?? this.of.first);
  }

  /** @param {string} text */
  put(text) {
    const { kind, options } = this.of;
    if (kind === "flag") /** @type {HTMLInputElement} */ (this.input).checked = ["true", "1"].includes(text);
    else if (kind === "steps") this.input.value = String(nearest(options, text, this.of.first));
    else this.input.value = text;
    this.say();
  }

  say() {
    const { kind, options } = this.of;
    if (this.output.hidden) return;
    const shown = kind === "steps" ? options[Number(this.input.value)][1] : this.text.replace("-", "−");
    this.output.textContent = shown;
    this.input.setAttribute("aria-valuetext", shown);
  }

  // Update the figure while a slider is held; write the address when it is released.
  hold() {
    this.say();
    if (!["steps", "range"].includes(this.of.kind)) return;
    this.isHeld = true;
    set(this.of.name, this.text, /** @type {any} */ (this.input));
  }

  set() {
    this.isHeld = false;
    const others = OF_MASK.includes(this.of.name) ? { painted: "" } : {};
    give({ ...others, [this.of.name]: this.text === this.of.first ? "" : this.text });
    if (DECIDING.includes(this.of.name)) location.reload();
  }
}

// The index of a setting among the steps, or that of the nearest number if it is none of them.
/** @param {string[][]} options @param {string} text @param {string} first */
function nearest(options, text, first) {
  const at = options.findIndex(([value]) => value === text);
  if (at >= 0) return at;
  const wanted = Number(text);
  const far = options.map(([value]) => Math.abs(Number(value) - wanted));
  const least = Math.min(...far.filter((one) => !Number.isNaN(one)));
  return Math.max(0, Number.isFinite(least) ? far.indexOf(least) : options.findIndex(([value]) => value === first));
}
