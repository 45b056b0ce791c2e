// @ts-check
// The numbers of the record as text and as colours.
function ends(step) {
  if (step.kind === "binary") return [0, 1];
  const most = matrix(step).z.reduce((so, z) => (Number.isFinite(z) ? Math.max(so, Math.abs(z)) : so), 0);
  return step.kind === "probability" ? [0, Math.max(1, most)] : [-(most || 1), most || 1];
}

function colour(step, value, range) {
  const [low, high] = range;
  const colours = record.colours[step.kind];
  if (!Number.isFinite(value)) return "#ffffff";
  const place = ((value - low) / (high - low)) * colours.length;
  return colours[Math.max(0, Math.min(colours.length - 1, Math.floor(place)))];
}

function ink(background) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(background.slice(at, at + 2), 16));
  return 0.299 * r + 0.587 * g + 0.114 * b < 140 ? "#ffffff" : "#1a1c22";
}

// Browsers return a colour as rgb(…).
function hex(text) {
  const numbers = text.match(/\d+/g) ?? ["255", "255", "255"];
  return `#${numbers
    .slice(0, 3)
    .map((one) => Number(one).toString(16).padStart(2, "0"))
    .join("")}`;
}

function written(value, digits = 2) {
  if (value === Infinity || value === -Infinity) return value < 0 ? "−∞" : "∞";
  if (Number.isNaN(value)) return "NaN";
  const size = Math.abs(value);
  const text = size && (size < 10 ** -digits || size >= 1e5) ? size.toExponential(1) : size.toFixed(digits);
  return (value < 0 ? "−" : "") + text;
}

const signed = (value) => (value < 0 ? `(${written(value, 3)})` : written(value, 3));
