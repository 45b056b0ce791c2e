"""Cells that follow from a record: their arithmetic gives the package's numbers, with torch as oracle."""

import pytest
import torch
from latex2mathml.converter import convert

from attention import MultiHeadAttention, Trace, scaled_dot_product_attention
from attention.analysis import heads
from attention.experiments import dropout_draws
from attention.explain import cell, derived
from attention.explain.latex import shown

BATCH, HEADS, N, D_MODEL, D_K, D_V, D_OUT = 2, 3, 5, 11, 13, 7, 17


@pytest.fixture(scope="module")
def trace():
    generator = torch.Generator().manual_seed(31)
    module = MultiHeadAttention(D_MODEL, HEADS, d_k=D_K, d_v=D_V, d_out=D_OUT, bias=True, generator=generator).double()
    found = Trace()
    with torch.no_grad():
        module(torch.randn(BATCH, N, D_MODEL, generator=generator, dtype=torch.float64), trace=found)
    return found


def close(told: list[cell.Explanation], expected: torch.Tensor, atol: float = 1e-12) -> None:
    result = torch.tensor([each.result for each in told], dtype=torch.float64)
    torch.testing.assert_close(result, expected.flatten(), rtol=0, atol=atol)
    for each in told:
        assert each.latex.endswith(f"= {shown(each.result)}")
        assert each.latex.count("{") == each.latex.count("}")
        assert "merror" not in convert(each.latex)


@pytest.mark.parametrize("batch", range(BATCH))
def test_an_average_is_that_of_the_heads(trace, batch):
    told = [derived.average(trace, row, column, batch=batch) for row in range(N) for column in range(N)]
    close(told, heads.average(trace)[batch])
    torch.testing.assert_close(told[8].lines[0].values, trace["weights"].value[batch, :, 1, 3])


@pytest.mark.parametrize("batch", range(BATCH))
def test_contributions_are_those_of_the_heads_and_sum_to_the_output(trace, batch):
    places = [(query, column) for query in range(N) for column in range(D_OUT)]
    total = trace["b_o"].value.expand(N, D_OUT).clone()
    for head in range(HEADS):
        told = [derived.contribution(trace, head, *place, batch=batch) for place in places]
        close(told, heads.contributions(trace)[batch, head])
        total += torch.tensor([each.result for each in told], dtype=torch.float64).view(N, D_OUT)
    torch.testing.assert_close(total, trace["projected"].value[batch])


def test_a_contribution_names_the_rows_of_w_o_that_belong_to_the_head(trace):
    # Each head has seven rows, the third one the 15th to the 21st.
    told = derived.contribution(trace, 2, 3, 4)
    assert told.latex.startswith(r"(O_{3} W_O)_{45} = (O_{3})_{4} \cdot (W_O)_{15..21,5} = ")
    torch.testing.assert_close(told.lines[1].values, trace["w_o"].value[14:21, 4])


@pytest.mark.parametrize("p", [0.0, 0.3, 0.9])
def test_the_mean_over_draws_is_a_whole_number_of_times_that_a_weight_was_kept(trace, p):
    draws = dropout_draws.draw(trace, 97, p=p, generator=torch.Generator().manual_seed(5), batch=1, head=2)
    told = [
        derived.drawn(
            float(draws.weights[row, column]), float(draws.means[-1, row, column]), row, column, p=p, draws=97
        )
        for row in range(N)
        for column in range(N)
    ]
    close(told, draws.means[-1])


def test_a_mean_that_no_number_of_draws_gives_is_not_reproduced():
    assert derived.drawn(0.5, 0.5 + 0.2 / 10, 0, 0, p=0.0, draws=10).result == 0.5


def test_what_weighs_nothing_has_mean_zero():
    assert derived.drawn(0.0, 0.0, 1, 2, p=0.3, draws=10).result == 0


def test_the_terms_of_a_product_sum_to_it(trace):
    whole = cell.cell(trace, "scores", 4, 2, batch=1, head=2)
    terms = [derived.term(whole, place) for place in range(D_K)]
    close(terms, trace["queries"].value[1, 2, 4] * trace["keys"].value[1, 2, 2])
    assert sum(term.result for term in terms) == pytest.approx(whole.result)


def test_what_cannot_be_told_is_refused(trace):
    with pytest.raises(ValueError, match="only a product has terms, got 'softmax'"):
        derived.term(cell.cell(trace, "weights", 0, 0), 0)
    for p, draws in ((1.0, 3), (0.5, 0)):
        with pytest.raises(ValueError, match="draws must be at least 1 and p at least 0 and below 1"):
            derived.drawn(0.5, 0.5, 0, 0, p=p, draws=draws)
    single = Trace()
    q = torch.ones(2, 3)
    scaled_dot_product_attention(q, q, q, trace=single)
    with pytest.raises(ValueError, match="step 'weights' has no heads: its axes are query, key"):
        derived.average(single, 0, 0)


def test_a_difference_is_what_the_one_has_more_than_the_other():
    explained = derived.difference(0.75, 0.25, 2, 4)
    assert (explained.rule, explained.result, explained.lines) == ("difference", -0.5, ())
    assert explained.latex == r"\Delta_{35} = 0.25 - 0.75 = -0.5"
    assert derived.difference(-0.5, 0.25, 0, 0).latex == r"\Delta_{11} = 0.25 - (-0.5) = 0.75"
