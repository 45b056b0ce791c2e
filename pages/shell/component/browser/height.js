// @ts-check
// Tells the page around a frame how high the figure in it is, in the words that such pages listen for: those of Embedly,
// of Canvas (LTI) and of Observable unasked, those of iframe-resizer where its host has asked (docs/embedding.md).

const RESIZER = "[iFrameSizer]";

/** @param {HTMLElement} body what is as high as the page */
export function tell(body) {
  if (parent === window) return;
  // Of the address, what the page around it has written itself: what is typed in the frame is nobody's business there.
  const src = location.href;
  let last = 0;
  let id = "";
  const height = () => Math.ceil(body.getBoundingClientRect().height);

  // What the host of a frame may be is not known: its height is all that anybody is told.
  const send = (message) => parent.postMessage(message, "*");
  const resized = (event) => id && send(`${RESIZER}${id}:${height()}:${innerWidth}:${event}`);

  new ResizeObserver(() => {
    const now = height();
    // A host that rounds would be told of each of its own changes.
    if (Math.abs(now - last) <= 1) return;
    last = now;
    send(JSON.stringify({ src, context: "iframe.resize", height: now }));
    send({ subject: "lti.frameResize", height: now });
    resized("resize");
  }).observe(body);

  addEventListener("message", ({ source, data }) => {
    if (source !== parent || typeof data !== "string" || !data.startsWith(RESIZER)) return;
    const asked = data.slice(RESIZER.length).split(":");
    // Its first message has the settings of the frame; a later one names what it wants.
    if (asked.length < 4) return;
    [id] = asked;
    resized("init");
  });
}
