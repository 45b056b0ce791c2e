"""Figures are drawn one after the other, and the browser may do something else in between."""

import pytest

pytestmark = pytest.mark.browser

# Four figures that each keep the browser busy for a moment, and one that is no longer wanted. `other` marks a message
# that was sent before the second of them was due.
DRAWN = """async (busy) => {
  const { drawn, loaded } = await import(new URL('assets/plot/draw_queue.js', document.baseURI).href);
  const Plotly = await loaded();
  const react = Plotly.react;
  const log = [];
  Plotly.react = (_, name) => {
    const end = performance.now() + busy;
    while (performance.now() < end);
    log.push(name);
  };
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => log.push('other');
  try {
    const all = ['a', 'b', 'c', 'd'].map((name) => drawn(null, () => true, () => [name]));
    all.push(drawn(null, () => false, () => { throw new Error('nobody wants it'); }));
    // The first of them has asked for its turn by then.
    await Promise.resolve().then(() => {}).then(() => {});
    port2.postMessage(null);
    return [await Promise.all(all), log];
  } finally {
    Plotly.react = react;
  }
}"""


@pytest.fixture
def page(screen):
    screen.look()
    screen.see("weights")
    return screen.page


@pytest.mark.slow
def test_between_large_figures_the_browser_does_something_else(page):
    done, log = page.evaluate(DRAWN, 40)
    assert [name for name in log if name != "other"] == ["a", "b", "c", "d"]
    assert log.index("other") < log.index("c")
    assert done == [True, True, True, True, False]


@pytest.mark.slow
def test_small_figures_change_together(page):
    _, log = page.evaluate(DRAWN, 1)
    together = "".join(name[0] for name in log)
    assert "abcd" in together
