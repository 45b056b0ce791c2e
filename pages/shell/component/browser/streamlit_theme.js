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
// An element of a component, which has the theme.
let themed = null;

// Take the theme from an element of a component, now and whenever it changes.
export function takeTheme(element) {
  if (!themed) watched.observe(element.closest(".stApp"), { attributeFilter: ["class"] });
  themed = element;
  take();
}

// With the theme, Streamlit changes the class of the whole app, and its components in the same moment.
const watched = new MutationObserver(() => themed.isConnected && take());

function take() {
  const style = getComputedStyle(themed);
  const rule = `:root { ${NAMES.map((name) => `${name}: ${style.getPropertyValue(name)};`).join(" ")} }`;
  if (rule === taken) return;
  taken = rule;
  sheet.replaceSync(rule);
}
