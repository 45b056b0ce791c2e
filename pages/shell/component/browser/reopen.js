// After a lost connection: a session that Streamlit has given up is opened again, since the address holds the screen. A
// session that goes on, perhaps at another server, draws its whole page once, because a server that has not drawn a
// fragment does not answer requests from inside it.

const GIVEN_UP = "DISCONNECTED_FOREVER";
const CONNECTED = "CONNECTED";
// Milliseconds between two reloads, so that a page that fails at once is not loaded forever.
const PAUSE = 10_000;
const KEY = "attention-reopened";

let drawPage = null;
let wasAway = false;

// draw: asks the server for the whole page.
export function whenConnectedAgain(draw) {
  if (!drawPage) watch();
  drawPage = draw;
}

function watch() {
  const app = document.querySelector("[data-testid=stApp]");
  const look = () => {
    const state = app.dataset.testConnectionState;
    if (state === GIVEN_UP) return reopen();
    if (state === CONNECTED && wasAway) drawPage();
    wasAway = state !== CONNECTED;
  };
  new MutationObserver(look).observe(app, { attributeFilter: ["data-test-connection-state"] });
}

function reopen() {
  if (Date.now() - Number(sessionStorage.getItem(KEY)) < PAUSE) return;
  sessionStorage.setItem(KEY, String(Date.now()));
  location.reload();
}
