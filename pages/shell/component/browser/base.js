// Until its first screen is there: opening.js.
document.documentElement.dataset.opening = "";

// Where the server is: Streamlit's page names its files relative to the root of the app, whatever path a proxy gives
// that. A host that embeds the app may have said it already.
window.__streamlit ??= { BACKEND_BASE_URL: new URL(".", location.href).href };
