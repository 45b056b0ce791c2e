"""Linear attention, for comparison: a feature map in place of the exponential, and sums in place of the scores.

Katharopoulos et al. 2020, equations 4 to 12: o_i = phi(q_i)^T sum phi(k_j) v_j^T / phi(q_i)^T sum phi(k_j), with
phi(x) = elu(x) + 1. It is another function than softmax attention, and less sharp for the same scores.
"""

from torch import Tensor
from torch.nn.functional import elu

from attention import tensor_checks


def linear_attention(query: Tensor, key: Tensor, value: Tensor, *, causal: bool = False) -> Tensor:
    """The output (..., L, d_v) for query (..., L, d_k), key (..., S, d_k) and value (..., S, d_v).

    No (L, S) matrix is made: a sum of d_k d_v numbers over all keys is kept and, with causal, one for each position.
    ValueError: shapes that do not fit; causal with different numbers of queries and keys.
    """
    tensor_checks.attention_inputs(query, key, value)
    if causal and query.shape[-2] != key.shape[-2]:
        raise ValueError(f"causal needs as many queries as keys, got {query.shape[-2]} and {key.shape[-2]}")
    q, k = elu(query) + 1, elu(key) + 1
    if not causal:
        return q @ (k.mT @ value) / (q @ k.sum(-2)[..., None])
    sums = (k[..., None] * value[..., None, :]).cumsum(-3)
    return (q[..., None, :] @ sums).squeeze(-2) / (q * k.cumsum(-2)).sum(-1, keepdim=True)
