"""The derivation of √d_k, line by line, as the package measures it; and the two wrong reasons with their numbers."""

import re
from functools import partial

import pytest
import torch

from attention.experiments.dot_products import Pairs
from attention.experiments.score_terms import LINES, score_terms
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from tests.pages.test_masks import table
from tests.support import seeded
from tests.support.lab import opened_at, said
from tests.support.numbers import exponents

# The part of the page that these tests read.
opened = partial(opened_at, "variance")


@pytest.mark.parametrize("link", [{}, {"d": 512, "samples": "20000"}, {"correlation": 0.3, "d": 16}], ids=str)
@pytest.mark.slow
def test_each_line_stands_beside_its_measured_value(link):
    rows = table(opened(**link), say("derivation.column.why"))[2:]
    pairs, d = Pairs(correlation=link.get("correlation", 0.0)), int(link.get("d", 64))
    found, _ = score_terms(pairs, d, int(link.get("samples", 4096)), generator=seeded(0))
    assert [row[1] for row in rows] == [say(f"derivation.why.{line}") for line in LINES]
    for row, line in zip(rows, found.itertuples(), strict=True):
        assert row[2] == exponents(digits(line.theory))
        assert row[3] == exponents(f"{digits(line.measured)} ± {digits(2 * line.error, 2)}")


def test_what_is_not_the_reason_has_its_numbers():
    """At 512 features, the scores of 20,000 pairs stay below a hundred. Their exp overflows, but softmax does not."""
    text = said(opened(d=512, samples="20000"))
    _, scores = score_terms(Pairs(), 512, 20_000, generator=seeded(0))
    largest = scores.abs().max()
    overflow = next(line for line in text.splitlines() if line.startswith("Overflow"))
    assert digits(scores.std().item()) in overflow
    assert digits(largest.item()) in overflow
    assert 80 < largest < 120
    assert torch.isinf(largest.float().exp())
    assert torch.softmax(torch.stack((largest, -largest)).float(), 0).isfinite().all()
    sums = next(line for line in text.splitlines() if line.startswith("Weights that sum to one"))
    assert float(re.findall(r"\d+(?:\.\d+)?", sums)[-1]) == 1
