"""The linked figures of a record in a frame, as a notebook shows them: no server, no network, a policy that holds."""

import re

import pytest
import torch

from attention import MultiHeadAttention, Trace
from tests.support import seeded

pytestmark = [pytest.mark.browser, pytest.mark.fast("test_a_chosen_cell_says_what_it_is_made_of")]
WORDS = [f"word{n}" for n in range(7)]


@pytest.fixture(scope="module")
def trace() -> Trace:
    made = Trace()
    x = torch.randn(2, 7, 15, generator=seeded())
    MultiHeadAttention(15, 3, bias=True, kv_heads=1, generator=seeded())(x, mask="causal", trace=made)
    return made


@pytest.fixture
def shown(browser, trace, tmp_path):
    """The frame in a page of its own. Any complaint or network request of it fails the test."""
    (tmp_path / "page.html").write_text(f"<!doctype html><body>{trace.show(labels={'key': WORDS})._repr_html_()}")
    context = browser.new_context(viewport={"width": 1000, "height": 800})
    page, complaints, asked = context.new_page(), [], []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "page.html").as_uri())
    frame = page.frame_locator("iframe")
    frame.locator("td.chosen").wait_for()
    yield frame
    assert complaints == []
    assert [url for url in asked if not url.startswith(("file:", "about:"))] == []
    context.close()


@pytest.mark.slow
def test_a_chosen_cell_says_what_it_is_made_of(shown, trace):
    row, column, head, sentence = 5, 2, 1, 1
    told = shown.locator(".sum")
    shown.locator("[data-again=head]").select_option(index=head)
    shown.locator("[data-again=sentence]").select_option(index=sentence)
    for id in ("scores", "scaled", "masked", "weights"):
        shown.locator(f"[data-step={id}]").click()
        shown.locator(f'td[data-at="{row}.{column}"]').click()
        value = trace[id].value[sentence, head, row, column].item()
        assert told.inner_text().startswith(f"{trace[id].quantity.letter}[{WORDS[row]}, {WORDS[column]}]")
        assert told.inner_text().endswith(f"{value:.4f}".replace("-", "−"))
    shown.locator("[data-step=scores]").click()
    strips = shown.locator(".operand").all_inner_texts()
    query, key = trace["queries"].value[sentence, head, row], trace["keys"].value[sentence, 0, column]
    for text, numbers in zip(strips, (query, key), strict=True):
        found = [float(one.replace("−", "-")) for one in re.findall(r"−?\d+\.\d+(?:e-?\d+)?", text)]
        torch.testing.assert_close(torch.tensor(found), numbers, atol=0.006, rtol=0.05)
    # The chosen pair stays chosen: another step opens at it.
    shown.locator("[data-step=masked]").click()
    assert shown.locator("td.chosen").get_attribute("data-at") == f"{row}.{column}"
    # A button of an operand leads to its row.
    shown.locator("[data-step=scores]").click()
    shown.get_by_role("button", name=f"Q of {WORDS[row]}").click()
    assert shown.locator("h2").inner_text().startswith("queries")
    assert shown.locator("td.chosen").get_attribute("data-at").startswith(f"{row}.")


def test_hidden_cells_are_hidden_and_every_number_is_that_of_the_record(shown, trace):
    shown.locator("[data-step=weights]").click()
    weights = trace["weights"].value[0, 0]
    for row in range(7):
        for column in range(7):
            cell = shown.locator(f'td[data-at="{row}.{column}"]')
            expected = "" if column > row else f"{weights[row, column]:.2f}"
            text = cell.inner_text()
            assert text == expected or (expected == "0.00" and "e" in text)


def test_cells_are_reached_from_the_keyboard(shown):
    shown.locator('td[data-at="5.2"]').click()
    for key, at in (("ArrowRight", "5.3"), ("ArrowUp", "4.3"), ("ArrowLeft", "4.2"), ("ArrowDown", "5.2")):
        shown.locator("td.chosen").press(key)
        assert shown.locator("td.chosen").get_attribute("data-at") == at
        assert shown.locator("td:focus").get_attribute("data-at") == at
    shown.locator("[data-step=scores]").press("Enter")
    assert shown.locator("button:focus").get_attribute("data-step") == "scores"
