// The colours of the present theme, and the text colours that can be read on them.

// The colours as they were last read. Reading styles makes the browser compute them, so all figures of a frame share
// one reading.
let known = null;

export function theme(element) {
  if (known) return known;
  const found = read(element);
  // An element that has left the page has no colours, so its reading is not kept.
  if (found.page) {
    known = found;
    requestAnimationFrame(forget);
  }
  return found;
}

// Read the colours anew from now on.
export function forget() {
  known = null;
}

function read(element) {
  const style = getComputedStyle(element);
  const own = (name) => style.getPropertyValue(name).trim();
  const given = (name) => own(`--st-${name}`);
  const list = (name) =>
    given(name)
      .split(",")
      .map((colour) => colour.trim());
  const colours = {
    page: given("background-color"),
    text: given("text-color"),
    font: given("font"),
    signed: list("chart-diverging-colors"),
    probability: list("chart-sequential-colors"),
    binary: [given("secondary-background-color"), given("primary-color")],
    series: list("chart-categorical-colors"),
    grid: own("--att-grid") || given("border-color"),
    // How much larger type and lines are than on a desktop screen.
    large: Number(own("--att-large")) || 1,
  };
  return { ...colours, signature: JSON.stringify(colours) };
}

// The colour of a series: one of the palette or, for place -1, that of the text.
export const ofSeries = (place, { series, text }) => (place < 0 ? text : series[place % series.length]);

const parts = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

// The colour at a share of a scale, mixed as Plotly mixes it.
export function mixed(scale, share) {
  // An element that has left the page has no colours, and is drawn at most once more.
  if (scale.length < 2) return [0, 0, 0];
  const place = Math.min(Math.max(share, 0), 1) * (scale.length - 1);
  const first = Math.min(Math.floor(place), scale.length - 2);
  const [low, high] = [parts(scale[first]), parts(scale[first + 1])];
  return low.map((part, at) => part + (high[at] - part) * (place - first));
}

// Relative luminance (WCAG 2.2).
export function luminance(rgb) {
  const [red, green, blue] = rgb.map((part) =>
    part <= 10.31475 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

// Black or white, whichever stands out more: one of them has a contrast of at least 4.58 on any colour. Plotly's choice
// between dark grey and white falls below 3 in the middle of a scale.
export function ink(rgb) {
  return (luminance(rgb) + 0.05) ** 2 > 1.05 * 0.05 ? "#000000" : "#ffffff";
}
