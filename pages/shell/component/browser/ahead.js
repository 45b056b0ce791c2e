// The views at the top of the page, which a link of the page's HTML has asked for before any script ran (server/page.py);
// of a figure alone, what came with its page (exports/embedded/page.py).

export class Ahead {
  constructor() {
    const link = document.querySelector('link[rel="preload"][as="fetch"]');
    const came = document.querySelector("script[data-asked]");
    const asked = new URLSearchParams(came?.dataset.asked ?? (link ? new URL(link.href).search : ""));
    this.names = new Set(asked.getAll("view"));
    asked.delete("view");
    this.key = asked.toString();
    // The very address of the link: the browser has its answer, or waits for it already.
    if (came) this.found = Promise.resolve(JSON.parse(came.textContent));
    else
      this.found = link
        ? fetch(link.href).then(
            (answer) => (answer.ok ? answer.json() : null),
            () => null,
          )
        : null;
  }

  // Whether a view of a screen is among them. Each is shown once: what is asked for again may have another answer.
  has(key, name) {
    return key === this.key && this.names.has(name);
  }

  // The answer for some of them; null where none has come, and each is to be asked for as any other.
  async take(names) {
    const found = await this.found;
    if (!found) this.names.clear();
    names.forEach((name) => this.names.delete(name));
    return found;
  }
}
