// Mark the page as opening until its first screen is there (opening.js).
document.documentElement.dataset.opening = "";

// The address of the server. Streamlit's page names its files relative to the root of the app, whatever path a proxy
// adds. A host that embeds the app may have set it already.
window.__streamlit ??= { BACKEND_BASE_URL: new URL(".", location.href).href };
