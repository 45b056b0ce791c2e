"""Two variants after softmax: the difference of the weights of two heads, and a gate on the output."""

from torch import Tensor

from attention import notation as n
from attention import tensor_checks
from attention.operands import Variant
from attention.trace import Recorder, Trace, recorder


def check(query: Tensor, value: Tensor, difference: Tensor | None, gate: Tensor | None) -> None:
    """Raise ValueError unless lambda and the gate fit the queries (..., H, L, d_k) and the values (..., S, d_v)."""
    by_query: tuple[int, ...] = tuple(query.shape[:-1])
    if difference is not None:
        pairs = query.shape[-3] // 2
        by_query = (*query.shape[:-3], pairs, query.shape[-2])
        if difference.shape not in ((), (pairs,)) and not _has(difference, by_query, 2):
            raise ValueError(
                f"difference needs a number, one for each of {pairs} pairs of heads, or one for each query,"
                f" {tuple(by_query)}, got {tuple(difference.shape)}"
            )
    if gate is not None:
        tensor_checks.same_kind({"query": query, "gate": gate})
        by_feature = (*by_query, value.shape[-1])
        if not _has(gate, by_query, 1) and not _has(gate, by_feature, 2):
            raise ValueError(
                f"gate needs a number a query, {tuple(by_query)}, or a feature, {tuple(by_feature)},"
                f" got {tuple(gate.shape)}"
            )


def _has(given: Tensor, wanted: tuple[int, ...], ends: int) -> bool:
    """Whether a tensor has the wanted axes: the last `ends` at full size, the others at full size or 1."""
    is_full = given.ndim == len(wanted) and given.shape[-ends:] == wanted[-ends:]
    return is_full and tensor_checks.fits(given.shape, wanted)


def taken_off(A: Tensor, difference: Tensor, t: Recorder) -> Tensor:
    """The weights (..., H / 2, L, S) of the first head of each pair, minus lambda times those of the second (Ye et al.
    2024, equation 1)."""
    of_queries = difference.ndim == A.ndim - 1
    lambda_D = t(n.LAMBDA_OF_QUERIES if of_queries else n.LAMBDA, difference.to(A.device, A.dtype))
    by = lambda_D[..., None] if of_queries else lambda_D[..., None, None]
    return t(n.DIFFERENCE_OF_QUERIES if of_queries else n.DIFFERENCE, A[..., ::2, :, :] - by * A[..., 1::2, :, :])


def gated(O: Tensor, gate: Tensor, trace: Trace | None, of_pairs: Variant) -> Tensor:
    """The output (..., L, d_v) times the sigmoid of its gate, (..., L, d_v) or (..., L) (Qiu et al. 2025)."""
    t = recorder(trace)
    by_query = gate.ndim == O.ndim - 1
    # A module has already recorded how it made the gate.
    if trace is not None and "gate" not in trace:
        trace.record(of_pairs(n.GIVEN_GATE_OF_HEADS if by_query else n.GIVEN_GATE), gate)
    if by_query:
        return t(of_pairs(n.GATED_BY_HEAD), O * gate.sigmoid()[..., None])
    return t(of_pairs(n.GATED), O * gate.sigmoid())
