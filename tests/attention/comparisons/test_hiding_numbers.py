"""-1e9 and the smallest number of a dtype: where they act as minus infinity, and where they do not."""

import pytest
import torch

from attention.comparisons.hiding import DTYPES, WAYS, hidden
from tests.support import drawn

SCORES = drawn((7,))[0]
NOTHING = torch.zeros(7, dtype=torch.bool)
SOME = torch.tensor([1, 0, 1, 0, 0, 1, 0]).bool()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("way", WAYS)
def test_with_a_visible_key_all_are_minus_infinity(way, dtype):
    found = hidden(SCORES, SOME, way, dtype)
    if dtype == torch.float16 and way == "filled":
        assert found is None
        return
    expected = SCORES.to(dtype).masked_fill(~SOME, -torch.inf).softmax(-1)
    torch.testing.assert_close(found, expected)
    assert not found[~SOME].any()


def test_of_an_empty_row_they_make_different_things():
    for dtype in DTYPES:
        assert hidden(SCORES, NOTHING, "infinity", dtype).isnan().all()
    assert hidden(SCORES, NOTHING, "added", torch.float16).isnan().all()
    for dtype in (torch.bfloat16, torch.float32):
        for way in ("added", "filled", "smallest"):
            torch.testing.assert_close(hidden(SCORES, NOTHING, way, dtype), torch.full((7,), 1 / 7, dtype=dtype))
    torch.testing.assert_close(hidden(SCORES, NOTHING, "added", torch.float64), SCORES.softmax(-1), rtol=0, atol=1e-6)
    torch.testing.assert_close(
        hidden(SCORES, NOTHING, "smallest", torch.float64), torch.full((7,), 1 / 7, dtype=torch.float64)
    )


def test_half_precision_cannot_go_below_its_smallest_number():
    """-65504 - 20 is minus infinity, so keys with low scores get nothing, although all are hidden alike."""
    scores = torch.tensor([-20.0, -30.0, 0.0, 1.0])
    torch.testing.assert_close(
        hidden(scores, NOTHING[:4], "smallest", torch.float16), torch.tensor([0, 0, 0.5, 0.5], dtype=torch.float16)
    )
