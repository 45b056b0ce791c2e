"""Running sums along the features: one draw serves every d_k, so that changing d_k does not change the noise."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from torch import Tensor

from attention import checks

# Numbers in each tensor of a chunk: 1 MB in float32, which stays in a processor's cache. It bounds the memory, too.
CHUNK = 2**18

Progress = Callable[[float], object]


def log_steps(largest: int = 4096, per_octave: int = 1) -> tuple[int, ...]:
    """d_k from 1 to `largest` (which is included), `per_octave` of them each time it doubles, rounded.

    ValueError: a number below 1.
    """
    checks.positive(largest=largest, per_octave=per_octave)
    steps = (round(2 ** (step / per_octave)) for step in range(per_octave * largest.bit_length()))
    return tuple(sorted({step for step in steps if step < largest} | {largest}))


def running_sums(
    draw: Callable[[], Sequence[Tensor]],
    contract: Callable[..., Tensor],
    d_ks: Sequence[int],
    features: int,
    progress: Progress | None = None,
) -> Iterator[tuple[int, Tensor]]:
    """Yield each d_k (ascending) with the sum over its first d_k features, as they become known.

    draw: the next `features` features, as tensors with the features first; always that many, so that the draws do not
    depend on d_ks. contract: the part that a run of features adds. progress: called with the share that is done after
    each chunk; an exception from it stops the work. ValueError: d_ks that do not ascend from at least 1.
    """
    checks.ascending("d_ks", d_ks)
    wanted, last = set(d_ks), d_ks[-1]
    total: Tensor | None = None
    for start in range(0, last, features):
        drawn = draw()
        inside = (d_k - start for d_k in d_ks if start < d_k < start + features)
        for low, high in pairwise((0, *inside, features)):
            part = contract(*(numbers[low:high] for numbers in drawn))
            total = part if total is None else total + part
            if start + high in wanted:
                yield start + high, total
        if progress is not None:
            progress(min(1.0, (start + features) / last))


def features_of(numbers: int) -> int:
    """The number of features that fit into a chunk, if each takes `numbers` numbers."""
    return max(1, CHUNK // numbers)
