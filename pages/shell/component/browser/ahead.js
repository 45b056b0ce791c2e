// The answer for the views at the top of the page, which the HTML of the page requested before any script ran
// (server/page.py). For a single figure, the answer came with its page (exports/embedded/page.py).

export class Ahead {
  constructor() {
    const link = document.querySelector('link[rel="preload"][as="fetch"]');
    const came = document.querySelector("script[data-asked]");
    const asked = new URLSearchParams(came?.dataset.asked ?? (link ? new URL(link.href).search : ""));
    this.names = new Set(asked.getAll("view"));
    asked.delete("view");
    this.key = asked.toString();
    // Fetch the same address as the link, whose answer the browser has already or awaits.
    if (came) this.found = Promise.resolve(JSON.parse(came.textContent));
    else
      this.found = link
        ? fetch(link.href).then(
            (answer) => (answer.ok ? answer.json() : null),
            () => null,
          )
        : null;
  }

  // Whether the answer has a view of a screen. Each view is used once, as a second request may get another answer.
  has(key, name) {
    return key === this.key && this.names.has(name);
  }

  // Take some views out of the answer; null if it failed, so that the caller requests them as usual.
  async take(names) {
    const found = await this.found;
    if (!found) this.names.clear();
    names.forEach((name) => this.names.delete(name));
    return found;
  }
}
