"""JavaScript that tests run in a page: whether it has settled, the data of its figures, where a cell is."""

# The times of the last input, of the browser's last question, and of the last answer. A question may follow an input
# late, since a slider waits. A short run is noticed by the browser only at its end.
ACTED = """() => {
  const note = (what) => { window[what] = performance.now(); };
  for (const kind of ['keydown', 'pointerup', 'input', 'change'])
    addEventListener(kind, () => note('acted'), { capture: true, passive: true });
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (...given) {
    if (!this.heard) this.addEventListener('message', this.heard = () => note('answered'));
    note('asked');
    return send.apply(this, given);
  };
  const ask = window.fetch;
  window.asking = 0;
  window.fetch = (...given) => {
    window.asking += 1;
    return ask(...given).finally(() => { window.asking -= 1; note('answered'); });
  };
}"""
# The run is over, and every figure near the screen shows the latest data; a page that trains may still run.
SETTLED = """() => {
  const since = (what) => performance.now() - (window[what] ?? -Infinity);
  if (window.asking) return false;
  // Of what is asked, not all is answered: nothing that takes so long.
  if (since('acted') < 100 || (since('asked') < since('answered') && since('asked') < 3000)) return false;
  const app = document.querySelector('[data-testid=stApp]');
  if (app?.dataset.testConnectionState !== 'CONNECTED') return false;
  const trains = Boolean(document.querySelector('.st-key-race-lap'));
  if (app.dataset.testScriptState !== 'notRunning' && !trains) return false;
  if (document.querySelector('[data-testid=stSkeleton], [data-testid=stException]')) return false;
  if ('opening' in document.documentElement.dataset) return false;
  const near = [...document.querySelectorAll('.att-card[data-near]')];
  // A stop of a lecture may show a table, and have no figure near it.
  const lectures = 'lecture' in document.documentElement.dataset && document.querySelector('.att-card') !== null;
  // A view that waits for a task is marked, and has no answer before that is over.
  const views = [...document.querySelectorAll('.att-view[data-view]')].filter((view) => {
    const { top, bottom } = view.getBoundingClientRect();
    return view.checkVisibility() && bottom >= 0 && top <= innerHeight;
  });
  if (views.some((view) => !('shown' in view.dataset) && !('old' in view.dataset))) return false;
  // On a phone the first view may be below the screen: it is near, and has its answer.
  const told = document.querySelector('.att-view[data-shown]') !== null;
  const isDrawn = (card) => card.dataset.drawn === card.dataset.stamp;
  return (near.length > 0 || told || lectures) && (trains || near.every(isDrawn));
}"""
# The present state of everything that SETTLED waits for.
UNSETTLED = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  const cards = [...document.querySelectorAll('.att-card')];
  const count = (one) => document.querySelectorAll(`[data-testid=${one}]`).length;
  return JSON.stringify({
    address: location.href, connection: app?.dataset.testConnectionState, script: app?.dataset.testScriptState,
    skeletons: count('stSkeleton'), exceptions: count('stException'), cards: cards.length,
    near: cards.filter((card) => 'near' in card.dataset).length,
    asking: window.asking,
    unanswered: [...document.querySelectorAll('.att-view[data-view]:not([data-shown])')]
      .map((view) => view.dataset.view),
    undrawn: cards.filter((card) => 'near' in card.dataset && card.dataset.drawn !== card.dataset.stamp)
      .map((card) => card.dataset.figure),
    scrolled: document.querySelector('[data-testid=stMain]')?.scrollTop,
  });
}"""
# Resolves when the browser is idle: a run may be over before its last messages have reached their components.
IDLE = "() => new Promise((idle) => setTimeout(() => requestIdleCallback(() => idle(true), { timeout: 500 }), 20))"
# Stops endless animations, such as those of placeholders. Without a graphics processor, their frames took a quarter of
# the time of opening a page. Transitions stay, because lectures scroll after them.
STILL = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`*, ::before, ::after {
    animation-duration: 1ms !important; animation-iteration-count: 1 !important;
  }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""
# "chapter/figure" to the data of the card; a tag is lost when the node is replaced.
CARDS = """() => Object.fromEntries([...document.querySelectorAll('.att-card')].map((card) => {
  const chapter = card.closest('[class*=st-key-]').className.match(/st-key-(?:plot-)?([\\w-]+)/)[1];
  const plot = card.querySelector('.js-plotly-plot, .att-heatmap');
  return [`${chapter}/${card.dataset.figure}`, {
    stamp: card.dataset.stamp, drawn: card.dataset.drawn ?? null, near: card.hasAttribute('data-near'),
    kept: card.tagged === true && (!plot || plot.tagged === true), draws: card.draws ?? 0,
  }];
}))"""
TAG = """() => document.querySelectorAll('.att-card').forEach((card) => {
  card.tagged = true;
  card.draws = 0;
  const plot = card.querySelector('.js-plotly-plot, .att-heatmap');
  if (plot) plot.tagged = true;
  new MutationObserver(() => { card.draws += 1; }).observe(card, { attributeFilter: ['data-drawn'] });
})"""
NUMBERS = "(card) => card.querySelector('.att-canvas').heatmap.z.map((row) => Array.from(row))"
# Scrolls a figure between the bars that cover the upper and lower edge of the page.
BETWEEN_BARS = """(plot) => {
  const { top, bottom } = plot.getBoundingClientRect();
  if (top < 64 || bottom > innerHeight - 64) plot.scrollIntoView({ block: 'center', behavior: 'instant' });
}"""
# The place of a cell on the screen, as the figure gives it.
CENTRE = """(card, [row, column]) => {
  const canvas = card.querySelector('.att-canvas');
  const frame = canvas.getBoundingClientRect();
  const { left, top, width, height } = canvas.heatmap.box([row, row], [column, column]);
  return [frame.left + left + width / 2, frame.top + top + height / 2];
}"""
