"""The score of two words as they move: four kinds of positions and none, on the same words and weights."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Generator, Tensor

from attention import checks, tensor_checks
from attention.functional import scaled_dot_product_attention
from attention.modules import MultiHeadAttention
from attention.positions import frequencies, rotate, sinusoidal, slopes
from attention.trace import Trace

KINDS = ("none", "sinusoidal", "learned", "rotary", "alibi")
D_MODEL = 32
# The second of eight heads: its bias is about as large as the changes of the other kinds.
SLOPE = 1 / 16


def scores(
    kind: str, queries: Tensor, keys: Tensor, generator: Generator, *, base: float = 10_000.0, turning: int = D_MODEL
) -> Tensor:
    """The score (n,) of one pair of words, with the query at the positions `queries` (n,) and the key at `keys` (n,).

    The words and the weights are drawn from the generator, in the same order for every kind; learned positions are
    drawn, as before any training. turning: the number of the D_MODEL features that turn with rotary positions, 0 for
    none. ValueError: an unknown kind, another number of keys, an odd number of features, or more than there are.
    """
    trace = _record(kind, queries, keys, generator, base, turning)
    return trace["biased" if "biased" in trace else "scaled"].of().diagonal()


def every_place(
    kind: str, places: int, generator: Generator, *, base: float = 10_000.0, turning: int = D_MODEL
) -> Tensor:
    """The scores (places, places) of the pair of words of `scores`, with the query and the key at each of the first
    places. ValueError: as `scores`."""
    at = torch.arange(places)
    trace = _record(kind, at, at, generator, base, turning)
    return trace["biased" if "biased" in trace else "scaled"].of()


@dataclass(frozen=True)
class Turned:
    """A query and a key with rotary positions, pair of features by pair (pairs,).

    query, key: the angles of both, in radians, whole turns counted; query_length, key_length: their lengths; products:
    the contribution of each pair to the score, which is their sum; turns: the number of pairs that turn, which are the
    first ones.
    """

    query: Tensor
    key: Tensor
    query_length: Tensor
    key_length: Tensor
    products: Tensor
    score: float
    turns: int

    @property
    def still(self) -> float:
        """The part of the score from pairs that do not turn, which is the same at all places."""
        return float(self.products[self.turns :].sum())


def turned(query: int, key: int, generator: Generator, *, base: float = 10_000.0, turning: int = D_MODEL) -> Turned:
    """The pair of words of `scores` with rotary positions, the query at one place and the key at another."""
    trace = _record("rotary", torch.tensor([query]), torch.tensor([key]), generator, base, turning)

    def pairs(id: str) -> Tensor:
        """(2, pairs): neighbouring features are a pair."""
        return trace[id].of().view(-1, 2).mT

    q, k = (pairs(f"{id}_rotated" if turning else id) for id in ("queries", "keys"))

    def angles(id: str, of: str) -> Tensor:
        first = pairs(id)
        angle = torch.atan2(first[1], first[0])
        if turning:
            angle[: turning // 2] += trace[of].of().flatten()
        return angle

    query_angles, key_angles = angles("queries", "query_angles"), angles("keys", "key_angles")
    products = (q * k).sum(0) / math.sqrt(D_MODEL)
    return Turned(
        query_angles, key_angles, q.norm(dim=0), k.norm(dim=0), products, float(trace["scaled"].of()), turning // 2
    )


def added(kind: str, places: int, generator: Generator) -> Tensor:
    """The vectors added to a word of `scores` at each of the first places (places, D_MODEL): zeros for kinds that add
    nothing. ValueError: an unknown kind, or no places."""
    checks.choice("kind", kind, KINDS)
    checks.positive(places=places)
    return _drawn(kind, places, generator)[-1]


def _drawn(kind: str, places: int, generator: Generator) -> tuple[MultiHeadAttention, Tensor, Tensor, Tensor]:
    """The layer, the two words, and the vectors added at each of the first places."""
    module = MultiHeadAttention(D_MODEL, generator=generator).double().requires_grad_(False)
    query, key = torch.randn(2, D_MODEL, generator=generator, dtype=torch.float64)
    table = torch.randn(places, D_MODEL, generator=generator, dtype=torch.float64)
    vectors = {"sinusoidal": sinusoidal(places, D_MODEL).double(), "learned": table}
    return module, query, key, vectors.get(kind, torch.zeros_like(table))


def _record(kind: str, queries: Tensor, keys: Tensor, generator: Generator, base: float, turning: int) -> Trace:
    checks.choice("kind", kind, KINDS)
    checks.between("turning", turning, 0, D_MODEL)
    tensor_checks.places(keys=(keys, len(queries)))
    module, query, key, added = _drawn(kind, int(torch.cat((queries, keys)).max()) + 1, generator)
    trace = Trace()
    module(
        query + added[queries],
        key + added[keys],
        # If no feature turns, there are no positions.
        rotary=frequencies(turning, base=base) if kind == "rotary" and turning else None,
        # Neighbours stay pairs, however many of them turn.
        interleaved=True,
        slopes=torch.tensor(SLOPE) if kind == "alibi" else None,
        positions=queries,
        key_positions=keys,
        trace=trace,
    )
    return trace


def conventions(shifts: Sequence[int], generator: Generator) -> dict[str, Tensor]:
    """The score of a query five places after its key, both moved by each of the shifts: with both half-split, with both
    interleaved and their features in that order, and with the query half-split and the key interleaved."""
    d_k = 32
    q, k = torch.randn(2, 1, d_k, generator=generator, dtype=torch.float64)
    theta = frequencies(d_k)
    order = torch.arange(d_k).view(2, -1).mT.flatten()
    found: dict[str, list[Tensor]] = {"half_split": [], "interleaved": [], "mixed": []}
    for shift in shifts:
        at_q, at_k = (torch.tensor([[place]], dtype=torch.float64) * theta for place in (shift + 5, shift))
        turned = {
            "half_split": (rotate(q, at_q), rotate(k, at_k)),
            "interleaved": tuple(rotate(x[:, order], at, interleaved=True) for x, at in ((q, at_q), (k, at_k))),
            "mixed": (rotate(q, at_q), rotate(k, at_k, interleaved=True)),
        }
        for name, (query, key) in turned.items():
            trace = Trace()
            scaled_dot_product_attention(query, key, key, trace=trace)
            found[name].append(trace["scaled"].value[0, 0])
    return {name: torch.stack(each) for name, each in found.items()}


def decay(distances: Sequence[int], draws: int, generator: Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Rotated scores over distance, as a share of the score that a vector of ones has with itself at distance 0.

    Returns those of that vector, and the mean and its standard error over drawn queries and keys, N(0, I). ValueError:
    fewer than two draws.
    """
    checks.at_least(2, draws=draws)
    d_k = 128
    theta, at = frequencies(d_k), torch.tensor(distances)
    zero = torch.zeros(1)

    def of(q: Tensor, k: Tensor) -> Tensor:
        trace = Trace()
        scaled_dot_product_attention(
            q, k, k, rotary=theta, positions=zero, key_positions=-at, scale=1 / d_k, trace=trace
        )
        return trace["scaled"].value.squeeze(-2)

    ones = torch.ones(1, d_k, dtype=torch.float64)
    q, k = torch.randn(2, draws, 1, d_k, generator=generator, dtype=torch.float64)
    drawn = of(q, k.expand(-1, len(at), -1))
    return of(ones, ones.expand(len(at), -1)), drawn.mean(0), drawn.std(0) / math.sqrt(draws)


def tails(heads: int, n: int) -> Tensor:
    """The weights (heads, n) by distance, from 0, of the last of n queries under linear biases if all scores are 0: the
    effect of the slopes alone (Press et al. 2022, section 3)."""
    checks.positive(heads=heads, n=n)
    trace, zeros = Trace(), torch.zeros(heads, n, 1, dtype=torch.float64)
    places = torch.arange(n)
    scaled_dot_product_attention(
        zeros[:, -1:], zeros, zeros, slopes=slopes(heads), positions=places[-1:], key_positions=places, trace=trace
    )
    return trace["weights"].value[:, 0].flip(-1)
