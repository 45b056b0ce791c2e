// Texts of figures: placeholders filled, widths, numbers for readers, and announcements to screen readers.

const said = document.createElement("div");
said.className = "att-said";
said.setAttribute("aria-live", "polite");
document.body.append(said);

export function announce(text) {
  said.textContent = text;
}

export function filled(text, values) {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name]);
}

// A number with so many decimals; without a sign if they show 0.
export function fixed(value, decimals) {
  return value
    .toFixed(decimals)
    .replace(/^-(?=[0.]*$)/, "")
    .replace("-", "−");
}

export function shown(value, digits = 5) {
  const short = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(digits)));
  const [number, exponent] = short.replace("Infinity", "∞").split("e");
  return number.replace("-", "−") + (exponent ? ` · 10${raised(Number(exponent))}` : "");
}

const raised = (exponent) =>
  [...String(exponent)].map((letter) => (letter === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[letter])).join("");

const measure = document.createElement("canvas").getContext("2d");

// The width in pixels of a text in one line. size: of its type, in pixels.
export function widthOf(text, size, family, weight = 400) {
  measure.font = `${weight} ${size}px ${family}`;
  return measure.measureText(text).width;
}

// A text in lines of at most so many pixels, broken at its words, and longer words between Chinese characters.
export function broken(text, width, size, family, weight = 400) {
  const lines = [""];
  const words = text
    .split(/(?<=[\s，：])/u)
    .flatMap((word) =>
      widthOf(word.trimEnd(), size, family, weight) > width
        ? word.split(/(?<=\p{Script=Han})(?=\p{Script=Han})/u)
        : [word],
    );
  for (const word of words) {
    if (lines.at(-1) && widthOf((lines.at(-1) + word).trimEnd(), size, family, weight) > width) lines.push("");
    lines[lines.length - 1] += word;
  }
  return lines.map((line) => line.trimEnd());
}
