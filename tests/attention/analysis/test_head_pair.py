"""Two heads of a record as a pair: by hand from their weights, also if heads share keys; wrong pairs are refused."""

import pytest
import torch

from attention import MultiHeadAttention, Trace, grid
from attention.analysis.head_pair import head_pair
from attention.positions import frequencies, slopes
from tests.support import CLOSE, drawn, refused, seeded

BATCH, TOKENS, HEADS, D_V = 2, 5, 6, 13
NEAR = CLOSE[torch.float64]


def recorded(**options) -> Trace:
    layer = MultiHeadAttention(11, HEADS, kv_heads=3, d_k=10, d_v=D_V, qk_norm=True, sink=True, generator=seeded(1))
    trace = Trace()
    layer.double()(drawn((BATCH, TOKENS, 11))[0], mask=grid("causal", TOKENS, TOKENS), trace=trace, **options)
    return trace


@pytest.mark.parametrize("options", [{}, {"rotary": frequencies(10), "slopes": slopes(HEADS), "scale": 0.3}], ids=len)
@pytest.mark.parametrize(("first", "second"), [(0, 1), (4, 2)])
def test_the_weights_are_those_of_the_two_heads(first, second, options):
    trace = recorded(**options)
    made = head_pair(trace, first, second, 0.4, batch=1)
    one, two = (trace["weights"].value[1, head] for head in (first, second))
    torch.testing.assert_close(made["weights"].value, torch.stack((one, two)), **NEAR)
    torch.testing.assert_close(made["difference"].value[0], one - 0.4 * two, **NEAR)
    values = trace["values"].of(batch=1, head=first)
    torch.testing.assert_close(made["output"].value[0], (one - 0.4 * two) @ values, **NEAR)


def test_a_pair_of_other_heads_is_refused():
    with refused("second must lie between 0 and 5, got 6"):
        head_pair(recorded(), 0, 6, 0.5)
    with refused("first and second are the same head, 3: a difference takes two"):
        head_pair(recorded(), 3, 3, 0.5)
