// The colours and fonts of Streamlit's theme for the whole page, because Streamlit gives them to its components alone.

const NAMES = [
  "background-color",
  "secondary-background-color",
  "text-color",
  "primary-color",
  "border-color",
  "heading-color",
  "link-color",
  "code-background-color",
  "code-text-color",
  "blue-color",
  "green-color",
  "green-text-color",
  "orange-color",
  "red-color",
  "red-text-color",
  "font",
  "heading-font",
  "code-font",
  "base-radius",
  "button-radius",
  "chart-categorical-colors",
  "chart-diverging-colors",
  "chart-sequential-colors",
].map((name) => `--st-${name}`);
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);
let taken = "";

// Take the theme from an element of a component. Streamlit renders its components again when the theme changes.
export function takeTheme(element) {
  const style = getComputedStyle(element);
  const rule = `:root { ${NAMES.map((name) => `${name}: ${style.getPropertyValue(name)};`).join(" ")} }`;
  if (rule === taken) return;
  taken = rule;
  sheet.replaceSync(rule);
}
