// @ts-check
// Tell the page around a frame the height of the figure: unasked as Embedly, Canvas (LTI) and Observable expect it, and
// as iframe-resizer does if the host has asked (docs/embedding.md).

const RESIZER = "[iFrameSizer]";

/** @param {HTMLElement} body what is as high as the page */
export function tell(body) {
  if (parent === window) return;
  // The address as the host has written it. Texts that a visitor types into the frame stay there.
  const src = location.href;
  let last = 0;
  let id = "";
  const height = () => Math.ceil(body.getBoundingClientRect().height);

  // The origin of the host is unknown, and the message tells nothing but the height.
  const send = (message) => parent.postMessage(message, "*");
  const resized = (event) => id && send(`${RESIZER}${id}:${height()}:${innerWidth}:${event}`);

  new ResizeObserver(() => {
    const now = height();
    // Ignore changes of a pixel: a host that rounds would otherwise answer its own change.
    if (Math.abs(now - last) <= 1) return;
    last = now;
    send(JSON.stringify({ src, context: "iframe.resize", height: now }));
    send({ subject: "lti.frameResize", height: now });
    resized("resize");
  }).observe(body);

  addEventListener("message", ({ source, data }) => {
    if (source !== parent || typeof data !== "string" || !data.startsWith(RESIZER)) return;
    const asked = data.slice(RESIZER.length).split(":");
    // The host's first message has the settings of the frame; later ones name a request.
    if (asked.length < 4) return;
    [id] = asked;
    resized("init");
  });
}
