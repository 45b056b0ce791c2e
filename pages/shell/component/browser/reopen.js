// A session that Streamlit has given up for good is opened again: the address holds the screen.

const GIVEN_UP = "DISCONNECTED_FOREVER";
// Milliseconds: a page that fails as soon as it is opened must not be opened for ever.
const PAUSE = 10_000;
const KEY = "attention-reopened";

export function reopenWhenGivenUp() {
  const app = document.querySelector("[data-testid=stApp]");
  const look = () => {
    if (app.dataset.testConnectionState !== GIVEN_UP) return;
    if (Date.now() - Number(sessionStorage.getItem(KEY)) < PAUSE) return;
    sessionStorage.setItem(KEY, Date.now());
    location.reload();
  };
  new MutationObserver(look).observe(app, { attributeFilter: ["data-test-connection-state"] });
}
