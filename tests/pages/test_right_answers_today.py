"""The right answers on the pages about what changed since 2017: read from the screen, as in test_right_answers.py."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from attention.analysis.rerun import rerun
from pages.shell.i18n import say
from tests.pages.test_masks import table
from tests.pages.test_predict import QUESTIONS, opened, page_of
from tests.support.app import app, charts, computed
from tests.support.screens import apart, drawn


def tiles(at) -> str:
    return "same" if all(float(row[-1]) < 1e-12 for row in table(at, say("tiles.same.column.far"))[2:]) else "depends"


def field(at) -> str:
    """The receptive field with the sizes that the question names."""
    z = apart(app("tiles", field_width=4, field_layers=2))["receptive-field"].z
    return {4: "four", 7: "seven", 8: "eight"}[int(np.nan_to_num(z)[1].sum())]


def costs(at) -> str:
    """The length from which pairs cost more than the rest, by the table beside the picture."""
    narrow, wide = (float(row[2].replace(",", "")) for row in table(at, say("costs.column.layer"))[2:4])
    return "larger" if wide > narrow else "smaller" if wide < narrow else "same"


def doubled(at) -> str:
    """The growth of memory on the path that writes the scores, between its two longest texts; its queries, keys and
    values grow as n."""
    line = charts(at)["costs-memory"]["series"][say("costs.path.plain")]
    assert line["x"][-1] == 2 * line["x"][-2]
    return "four" if 3 < line["y"][-1] / line["y"][-2] <= 4 else "twice"


def leak(at) -> str:
    """The weights above the diagonal in the order of the question, which the figure does not hatch."""
    z = apart(app("taming", taming_after=True, taming_cap=2.0))["cap-weights"].z
    return "hidden" if np.nansum(np.triu(z, 1)) > 0.1 else "nothing"


def stretched(at) -> str:
    """The largest weight under QK-norm, with longer queries as in the first figure, and with longer keys."""
    trace = computed(mask="causal").trace
    once, longer = (
        float(
            rerun(trace, queries=7 * trace["queries"].value, keys=by * trace["keys"].value, qk_norm=True)[
                "weights"
            ].value.max()
        )
        for by in (1, 13)
    )
    return "stays" if longer == pytest.approx(once, abs=1e-4) else "rises" if longer > once else "falls"


def left_over(at) -> str:
    """The sums of the rows, compared with the divisor of the softmax without the sink."""
    scores, sunk = apart(at)["cap-scaled"].z, np.nansum(apart(at)["sink-weights"].z, -1)
    order = np.tril(np.exp(scores)).sum(-1).argsort()
    return "no_match" if (sunk.argsort() == order).all() else "alike"


def drown(at) -> str:
    line = charts(at)["taming-length"]["series"]["softmax"]
    weights = dict(zip(line["x"].tolist(), line["y"].tolist(), strict=True))
    assert round(weights[10], 2) == 0.94
    return "nothing" if weights[100_000] < 0.01 else "tenth"


def moved(at) -> str:
    """The chart of the query that moves alone names the kinds whose score stays."""
    stays = charts(at)["moved-one"]["note"]
    return "relative" if stays.endswith(": no positions.") else "nobody"


def beyond(at) -> str:
    """The angles beyond the largest of 4,096 places, modulo a turn, for each pair: fast pairs have met all of them."""
    theta = 1e4 ** (-torch.arange(0, 128, 2, dtype=torch.float64) / 128)
    known = 4095 * theta < 2 * torch.pi
    new = known & (32_767 * theta > 4095 * theta)
    drawn = charts(at)["beyond"]["series"]
    trained, *_ = (series["y"] for series in drawn.values())
    assert (trained < 1).sum() == int(new.sum()) > 0
    return "slow" if new[-1] and not new[0] else "fast"


def latent(at) -> str:
    z = drawn(at, "latent-joined")
    return "rank" if np.linalg.matrix_rank(z, tol=1e-4) < min(z.shape) else "nothing"


TODAY: dict[str, Callable[[AppTest], str]] = {
    name: answer for name, answer in globals().items() if name in QUESTIONS and callable(answer)
}


@pytest.mark.parametrize("question", TODAY)
def test_the_right_answer_is_what_the_screen_says(question):
    assert TODAY[question](opened(page_of(question))) == say(f"predict.{question}.right")
