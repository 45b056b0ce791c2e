"""The arithmetic of an attribution gives its share, and that of two rankings their correlation."""

import pytest
import torch
from latex2mathml.converter import convert

from attention.analysis.attribution import METHODS, Attribution
from attention.explain import attributed
from tests.attention.analysis.test_attribution import found
from tests.support import CLOSE


@pytest.mark.parametrize("cross", [False, True])
def test_each_share_is_computed_from_its_operands(cross):
    made = found(cross=cross, mask="causal", dropout=0.4)[0]
    for method, values, operands in zip(METHODS, made.values, made.operands, strict=True):
        largest = float(values.abs().max())
        told = [attributed.share(method, [each[key] for each in operands], largest) for key in range(len(values))]
        shares = torch.tensor([each.computed for each in told], dtype=torch.float64)
        torch.testing.assert_close(shares, values / largest, **CLOSE[torch.float64])
        assert {each.rule for each in told} == {f"share_{method}"}
        assert "<math" in convert(told[0].latex)


def test_a_correlation_of_ranks_is_told_with_both_rankings():
    made = Attribution(0, 0, torch.tensor([[1.0, 2, 3, 4], [10, -20, 40, 30], [1, 1, 2, 2], [0, 0, 0, 0]]))
    for row, first in enumerate(made.ranks):
        for column, second in enumerate(made.ranks):
            told = attributed.rank_correlation(first, second, ("a", "b"))
            assert told.computed == pytest.approx(float(made.agreement[row, column]), abs=1e-12)
            assert told.rule == ("ranked_alike" if 3 in (row, column) else "ranked")
            assert [line.name for line in told.lines] == ["a", "b"]


def test_where_nothing_counts_every_share_is_zero():
    assert attributed.share("deletion", [torch.ones(1), torch.ones(1)], 0.0).computed == 0
