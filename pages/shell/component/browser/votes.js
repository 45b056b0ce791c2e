// The choices of a question as buttons: a press is counted by the server for the room, and the lecturer's window shows
// how many chose what. Nothing of who answers leaves the browser but a number that it drew for this question.

// Milliseconds after which a window that shows the counts asks for them again.
const AGAIN = 2000;
const given = new Map();

export function votes(parent, { room, stop, choices, counts, label, count }) {
  const question = `${room} ${stop}`;
  const root = document.createElement("div");
  root.className = "att-votes";
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", label);
  const said = document.createElement("span");
  said.setAttribute("role", "status");
  const buttons = choices.map((text, choice) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `(${"abcdefgh"[choice]}) ${text}`;
    button.append(document.createElement("output"));
    button.addEventListener("click", () => choose(choice));
    return button;
  });
  root.append(...buttons, said);
  parent.replaceChildren(root);
  let timer = null;

  function choose(choice) {
    const voter = given.get(question)?.voter ?? drawn();
    given.set(question, { voter, choice });
    press();
    send({ voter, choice });
  }

  function press() {
    buttons.forEach((button, index) =>
      button.setAttribute("aria-pressed", String(given.get(question)?.choice === index)),
    );
  }

  async function send(answer = {}) {
    clearTimeout(timer);
    try {
      const reply = await fetch(new URL("assets/votes", document.baseURI), {
        method: "POST",
        body: JSON.stringify({ room, stop, ...answer }),
      });
      if (counts && reply.ok) show((await reply.json()).counts);
    } catch {
      // Without the server nothing is counted; the next question or answer asks again.
    }
    if (counts && root.isConnected) timer = setTimeout(send, AGAIN);
  }

  function show(found) {
    const all = found.reduce((sum, one) => sum + one, 0);
    buttons.forEach((button, index) => {
      button.style.setProperty("--share", `${all ? (100 * found[index]) / all : 0}%`);
      button.lastChild.textContent = found[index];
    });
    said.textContent = count.replace("{count}", all);
  }

  press();
  if (counts) send();
  return () => clearTimeout(timer);
}

function drawn() {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
