"""The recorded outputs of the models for the page's own texts are those of the models."""

import numpy as np
import pytest
import torch

from attention.experiments.head_effects import head_effects
from pages.shell.runs.trained import recorded
from pages.shell.runs.trained.outputs import computed
from pages.shell.runs.trained.request import TEXTS, Request
from tests.support.trained import model

pytestmark = pytest.mark.models

NAMES = tuple(TEXTS)
# A recorded number has sixteen bits, relative to numbers up to some tens.
NEAR = {"rtol": 1e-3, "atol": 1e-4}


@pytest.mark.parametrize("name", NAMES)
def test_it_is_what_the_model_makes_of_the_text(name):
    for request in (*recorded.WHOLE, *recorded.SAID):
        if request.model != name:
            continue
        kept, found = recorded.recorded(request), computed(model(name), request)
        assert (kept.tokens, kept.ids) == (found.tokens, found.ids)
        assert (kept.mask is None) == (found.mask is None) or request.hidden
        torch.testing.assert_close(kept.output, found.output, rtol=1e-3, atol=1e-3)
        best = found.output.topk(10).indices.tolist()
        if model(name).sizes.causal:
            assert recorded.words(name, best) == model(name).shown(best)
        if request in recorded.WHOLE:
            for kind in ("weights", "lengths", "variances", "pushes"):
                torch.testing.assert_close(getattr(kept, kind), getattr(found, kind).float(), **NEAR)


def test_the_effects_are_those_of_the_heads():
    request = recorded.EFFECTS[0]
    kept, found = recorded.effects(request), head_effects(model(request.model), request.text)
    assert kept[["layer", "head"]].equals(found[["layer", "head"]])
    np.testing.assert_allclose(kept["effect"], found["effect"], rtol=0, atol=1e-5)


def test_what_else_is_asked_for_is_shown_as_the_text_as_trained():
    again = recorded.EFFECTS[-1]
    assert recorded.nearest(again) is again
    assert recorded.nearest(Request(again.model, again.text, dropout=0.5)) == again
    assert recorded.nearest(Request("smollm2", "Something else")) == Request("smollm2", TEXTS["smollm2"])
    assert recorded.recorded(Request("smollm2", "Something else")) is None
