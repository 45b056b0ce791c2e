// What is done about a connection that was lost. A session that Streamlit has given up for good is opened again: the
// address holds the screen. One that goes on, at a server that may be another one, draws its whole page once: a server
// that has not drawn a row does not answer what is asked from within it.

const GIVEN_UP = "DISCONNECTED_FOREVER";
const CONNECTED = "CONNECTED";
// Milliseconds: a page that fails as soon as it is opened must not be opened for ever.
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
