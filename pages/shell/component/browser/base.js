// Where the server is: Streamlit's page names its files relative to the root of the app, whatever path a proxy gives
// that. A host that embeds the app may have said it already.
window.__streamlit ??= { BACKEND_BASE_URL: new URL(".", location).href };

// A lecture that is opened by its link hides its answer before the other styles are here.
if (new URLSearchParams(location.search).has("lecture")) {
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = new URL("lecture.css", import.meta.url).href;
  document.head.append(style);
}
