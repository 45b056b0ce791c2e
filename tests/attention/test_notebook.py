"""A record outside the app: the display in a notebook, and the page that opens without a server."""

import builtins
import html
import json
import re
import tomllib
from pathlib import Path

import pytest
import torch

from attention import MultiHeadAttention, Step, Trace, index_notation, notation, state_notation
from attention.figures import COLOURS
from attention.masks import grid
from attention.notation import SCALE
from attention.notebook import formula_in_html
from tests.attention.test_figures import DRAWN_IDS, HOSTILE, TRACE
from tests.support import HEADS, KEYS, QUERIES, refused, seeded

CONFIG = Path(__file__).resolve().parents[2] / ".streamlit" / "config.toml"

DRAWN_HERE = [id for id in TRACE if TRACE[id].axes]
AFTER_MASK = list(TRACE)[list(TRACE).index("mask") + 1 :]


@pytest.fixture
def without_plotly(monkeypatch):
    whole = builtins.__import__

    def found(name, *rest):
        if name.partition(".")[0] == "plotly":
            raise ImportError(name)
        return whole(name, *rest)

    monkeypatch.setattr(builtins, "__import__", found)


def test_the_colours_are_those_of_the_app():
    theme = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"]["light"]
    assert COLOURS["signed"] == theme["chartDivergingColors"]
    assert COLOURS["probability"] == theme["chartSequentialColors"]
    assert COLOURS["binary"][1] == theme["primaryColor"]


@pytest.mark.parametrize("id", DRAWN_IDS)
def test_a_step_shows_its_sizes_its_formula_and_its_numbers(id):
    step, bundle = TRACE[id], TRACE[id]._repr_mimebundle_()
    assert bundle["text/plain"] == repr(step)
    assert all(f"{axis} {size}" in bundle["text/plain"] for axis, size in step.sizes.items())
    (shown,) = sent(bundle)["steps"]
    assert (shown["id"], shown["latex"]) == (id, step.quantity.formula)


def test_a_trace_shows_every_step_as_a_line_and_as_a_figure():
    bundle = TRACE._repr_mimebundle_()
    assert [line.partition(":")[0] for line in bundle["text/plain"].splitlines()] == list(TRACE)
    assert [step["id"] for step in sent(bundle)["steps"]] == DRAWN_HERE


def test_a_notebook_needs_no_plotly_and_a_page_does(without_plotly):
    for shown in (TRACE, TRACE["weights"]):
        assert set(shown._repr_mimebundle_()) == {"text/plain", "text/html"}
    with pytest.raises(ImportError, match="plotly"):
        TRACE.to_html()


def sent(bundle):
    """The data from which a display makes its figure."""
    document = html.unescape(bundle["text/html"])
    return json.loads(document.split('id="record">')[1].split("</script>")[0])


def test_what_has_no_cells_is_text_alone():
    assert Trace()._repr_mimebundle_() == {"text/plain": "Trace: no step is recorded"}
    number = Step(SCALE, torch.tensor(0.25))._repr_mimebundle_()
    assert number == {"text/plain": "scale: c   (0.25; float32)"}


@pytest.mark.parametrize(
    "formula",
    sorted({row.formula for row in (*notation.QUANTITIES, *state_notation.QUANTITIES, *index_notation.QUANTITIES)}),
)
def test_nothing_of_latex_is_left_in_a_formula(formula):
    assert not re.search(r"[\\{}_^]", formula_in_html(formula))


def test_indices_and_symbols_of_a_formula():
    assert formula_in_html(r"S \leftarrow S / \sqrt{d_k}") == "S ← S / √d<sub>k</sub>"
    assert formula_in_html(r"S_{ij} \leftarrow -\infty") == "S<sub>ij</sub> ← −∞"


def test_the_page_has_every_step_and_needs_no_network(tmp_path):
    page = TRACE.to_html(tmp_path / "page.html", labels={"query": HOSTILE, "key": HOSTILE}, batch=1, head=2)
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page
    assert re.findall(r"<h2>(\w+)</h2>", page) == list(TRACE)
    assert re.findall(r'<div id="step-(\w+)" class="plotly-graph-div"', page) == DRAWN_HERE
    assert page.count(f"head 3 of {HEADS}") == sum("head" in step.axes for step in TRACE.values())
    assert page.count("blank: hidden by the mask") == sum(TRACE[id].axes[-2:] == ("query", "key") for id in AFTER_MASK)
    assert not re.search(r"<script[^>]+src=|<link", page)
    assert not any(token in page for token in HOSTILE if "<" in token)


def test_a_head_that_is_not_there_is_named():
    with refused(f"head 7 is not in this trace; 0 to {HEADS - 1}"):
        TRACE.to_html(head=7)


def test_an_added_mask_hides_where_it_is_minus_infinity():
    trace, mask = Trace(), torch.zeros(QUERIES, KEYS)
    mask[~grid("causal", QUERIES, KEYS)] = -torch.inf
    layer = MultiHeadAttention(17, d_context=19, generator=seeded())
    layer(torch.ones(QUERIES, 17), torch.ones(KEYS, 19), mask=mask, trace=trace)
    assert trace.to_html().count("blank: hidden by the mask") == 2
