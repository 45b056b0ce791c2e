"""HTML elements that the server leaves in the page for our scripts, and the views and messages in them."""

import pytest

pytestmark = [
    pytest.mark.browser,
    pytest.mark.fast(
        "test_a_message_brings_any_text_to_the_address",
        "test_a_view_moves_into_the_element_that_streamlit_writes_anew",
        "test_a_view_ends_with_its_element",
    ),
]

# What an attribute of HTML, a sanitiser of HTML or JSON could take for something else.
TEXT = "</style> --> \"a\" &quot; <b \\n 'c'"
# Takes an element of Streamlit's page away and writes it anew, as happens when another one comes above it. True if the
# drawing is in the new element, and is the one that was drawn.
ANEW = """async () => {
  const point = document.querySelector('.att-mount:has(.att-view[data-view="walkthrough.large"])');
  const [around, drawn] = [point.parentElement, point.querySelector('.att-heatmap')];
  const empty = point.cloneNode(false);
  around.innerHTML = empty.outerHTML;
  await new Promise((done) => requestAnimationFrame(done));
  return around.querySelector('.att-mount') !== point && around.contains(drawn);
}"""
CHANGED = """(before) =>
  document.querySelector('.att-view[data-view="walkthrough.large"]').dataset.shown !== before"""
# Takes an element away for good. True if nothing of the view is left in it.
GONE = """async () => {
  const point = document.querySelector('.att-mount:has(.att-view[data-view="walkthrough.large"])');
  point.remove();
  await new Promise((done) => requestAnimationFrame(done));
  return point.childElementCount === 0;
}"""


def test_a_message_brings_any_text_to_the_address(screen):
    screen.open(preset="random", text=TEXT)
    screen.slide("dropout", "ArrowRight")
    screen.until_parameter("dropout", "0.05")
    assert screen.parameters["text"] == TEXT


def test_a_view_moves_into_the_element_that_streamlit_writes_anew(screen):
    screen.look().spoil()
    assert screen.page.evaluate(ANEW)
    view = screen.page.locator('.att-view[data-view="walkthrough.large"]')
    before = view.get_attribute("data-shown")
    screen.slide("dropout", "ArrowRight")
    screen.until(CHANGED, before)
    assert view.count() == 1


def test_a_view_ends_with_its_element(screen):
    screen.look().spoil()
    assert screen.page.evaluate(GONE)
