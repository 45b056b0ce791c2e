// The link of the screen, as it stands in the address bar: to copy, and on a projector as a QR code.

import { button, made } from "./elements.js";
import { KEYS } from "./lecture_keys.js";
import { ownLink } from "./own_lecture.js";
import { holdsLecture } from "./room.js";
import { filled } from "./text.js";

const shares = new Map();

const OF_LECTURE = ["lecture", "stop", "room"];

// The link for an audience has neither the projector's palette nor, if it is bare, the lecture. A lecturer's own
// lecture travels behind "#" unless the room holds it; if it fits nowhere it is left out. Other parts are not decoded
// and encoded again, so the link stays as it was opened.
export function shared({ origin, pathname, search, hash } = location, isBare = false) {
  const isOwn = /[?&]lecture=own(&|$)/.test(search);
  const brought = isOwn && !isBare && !holdsLecture() ? ownLink() : "";
  const leaves = isBare || (isOwn && !brought && !holdsLecture());
  const kept = search
    .slice(1)
    .split("&")
    .filter((part) => {
      const name = part.split("=")[0];
      return part && name !== "present" && !(leaves && OF_LECTURE.includes(name));
    });
  return (
    origin +
    pathname +
    (kept.length ? `?${kept.join("&")}` : "") +
    (hash.startsWith("#lecture=") || !hash ? brought : hash)
  );
}

export function share(parent, sent, words) {
  if (!shares.has(parent)) shares.set(parent, new Share(parent));
  shares.get(parent).update(sent, words);
  return () => {
    shares.get(parent)?.remove();
    shares.delete(parent);
  };
}

export function speak(words) {
  shares.forEach((one) => one.update(one.sent, words));
}

class Share {
  constructor(parent) {
    this.root = made("div", "att-share");
    this.copy = button(() => this.copied(this.copy));
    this.open = button(() => this.show());
    this.root.append(this.copy, this.open, status("att-unseen"), this.made());
    parent.append(this.root);
  }

  made() {
    this.dialog = made("dialog", "att-dialog");
    this.picture = made("img");
    this.told = status();
    this.text = made("div", "att-link");
    Object.assign(this.text, { tabIndex: 0, role: "textbox", ariaReadOnly: "true" });
    this.again = button(() => this.copied(this.again));
    this.close = button(() => this.dialog.close());
    // The close button gets the focus; on the link, arrow keys would scroll.
    this.close.autofocus = true;
    const row = made("div", "att-share");
    // A link to the screen of a stop without its question, to be explored.
    this.bare = button(() => this.bare.setAttribute("aria-pressed", !this.isBare));
    row.append(this.again, this.bare, this.close, status("att-unseen"));
    this.dialog.append(this.picture, this.told, this.text, row);
    this.dialog.addEventListener("click", ({ target }) => target === this.dialog && this.dialog.close());
    this.dialog.addEventListener("close", () => clearInterval(this.watch));
    // A clicker has no Escape key.
    this.dialog.addEventListener("keydown", (event) => {
      if (!KEYS[event.key] || event.key === " " || event.target === this.text) return;
      event.preventDefault();
      this.dialog.close();
    });
    return this.dialog;
  }

  get isBare() {
    return this.dialog.open && this.bare.ariaPressed === "true";
  }

  get link() {
    return shared(location, this.isBare);
  }

  update(sent, words) {
    this.sent = sent;
    if (!words) return;
    this.words = words;
    this.copy.hidden = sent.small;
    this.copy.textContent = this.again.textContent = words.ui.share_copy;
    this.open.textContent = sent.small ? words.ui.share_open : words.ui.share_code;
    this.open.setAttribute("aria-haspopup", "dialog");
    this.close.textContent = words.ui.share_close;
    this.bare.textContent = words.ui.share_bare;
    this.picture.alt = words.ui.share_picture;
    this.dialog.setAttribute("aria-label", words.ui.share_title);
    this.text.setAttribute("aria-label", words.ui.share_link);
  }

  show() {
    this.bare.setAttribute("aria-pressed", false);
    this.bare.hidden = !/[?&]lecture=(?!none)/.test(location.search);
    this.dialog.showModal();
    // Draw the link again when the screen behind the dialog changes: another window of a lecture may lead on.
    clearInterval(this.watch);
    this.watch = setInterval(() => this.text.textContent !== this.link && this.draw(), 300);
    return this.draw();
  }

  async draw() {
    const { link } = this;
    this.text.textContent = link;
    this.picture.hidden = true;
    this.told.textContent = "";
    if (link.length > this.sent.most) {
      this.told.textContent = filled(this.words.ui.share_long, {
        length: link.length,
        most: this.sent.most,
        ...longest(link),
      });
      return;
    }
    const answer = await fetch(new URL("assets/qr", document.baseURI), { method: "POST", body: link }).catch(
      () => null,
    );
    const drawn = answer?.ok ? await answer.text() : "";
    if (link !== this.text.textContent) return;
    this.picture.hidden = !drawn;
    if (drawn) this.picture.src = `data:image/svg+xml,${encodeURIComponent(drawn)}`;
    else this.told.textContent = this.words.ui.share_failed;
  }

  // Confirm only a copy that succeeded; otherwise select the link, to be copied by hand.
  async copied(pressed) {
    const said = pressed.parentElement.querySelector("[role=status]");
    if (await copied(this.link, said)) {
      pressed.focus();
      pressed.textContent = said.textContent = this.words.ui.share_copied;
      setTimeout(() => {
        pressed.textContent = this.words.ui.share_copy;
        said.textContent = "";
      }, 2500);
      return;
    }
    if (!this.dialog.open) await this.show();
    this.text.focus();
    getSelection().selectAllChildren(this.text);
    this.told.textContent = this.words.ui.share_by_hand;
  }

  remove() {
    clearInterval(this.watch);
    this.root.remove();
  }
}

// Pages over plain http, as in the network of a lecture hall, have no clipboard API; use the old command there.
export async function copied(text, near) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = made("textarea", "att-unseen");
    field.value = text;
    near.after(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

function longest(link) {
  const { search, hash } = new URL(link);
  const parts = [...search.slice(1).split("&"), hash.slice(1)];
  const part = parts.reduce((most, one) => (one.length > most.length ? one : most));
  return { name: part.split("=")[0], size: part.length };
}

function status(name = "") {
  const node = made("p", name);
  node.role = "status";
  return node;
}
