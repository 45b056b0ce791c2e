"""The effect of large scores on softmax: largest weight, entropy, effective number of keys, norm of the Jacobian.

For normal q and k, the scores of a row are |q| times independent normal numbers, since a rotation takes q to the first
axis without changing the distribution of the keys. Attention over one feature, with the query |q|, therefore has the
same distribution at any d_k, and |q| at every d_k comes from one running sum.
"""

import math
from collections.abc import Sequence

import pandas as pd
import torch
from torch import Generator, Tensor

from attention import checks
from attention.analysis.sharpness import row_quantities
from attention.experiments.running_sums import CHUNK, Progress, features_of, running_sums
from attention.functional import scaled_dot_product_attention
from attention.scales import factor
from attention.trace import Trace


def saturation(
    d_ks: Sequence[int],
    keys: int = 16,
    rows: int = 4096,
    *,
    generator: Generator,
    correlation: float = 0.0,
    scales: Sequence[str] = ("none", "sqrt_d_k"),
    band: tuple[float, float] = (0.1, 0.9),
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Attention of `rows` queries, each to `keys` keys of its own, all N(0, 1): a row for each scale, d_k and quantity.

    Columns: scale, d_k, quantity; mean and its standard error, error; low, median and high, the middle one and the ends
    of `band` among the quantiles over the queries; median_low and median_high, the quantiles that are two standard
    errors away from the middle. One draw serves all d_ks and scales.
    quantity: those of `row_quantities` and, for every scale but none, gain: the Jacobian minus the unscaled one of the
    same row.
    correlation: of the first key with its query, coordinate by coordinate, as trained heads have it: its score has mean
    rho d_k, which outgrows sqrt(d_k); the quantity `matching` is its weight.
    progress: called with the share that is done (0 to 1); raise there to stop.
    ValueError: an unknown scale, keys below 1, rows below 2, d_ks that do not ascend from at least 1, a correlation
    outside -1 to 1, a band that does not ascend from 0 to 1.
    """
    checks.positive(keys=keys)
    checks.between("correlation", correlation, -1, 1)
    if not 0 <= band[0] <= band[1] <= 1:
        raise ValueError(f"band must ascend within 0 to 1, got {band[0]} to {band[1]}")
    settings = [(scale, d_k, factor(scale, d_k)) for scale in scales for d_k in d_ks]
    norms = query_norms(d_ks, rows, generator)
    chunks = norms.split(max(1, CHUNK // keys), dim=1)
    parts: list[list[dict[str, Tensor]]] = []
    for done, chunk in enumerate(chunks, start=1):
        numbers = torch.empty(chunk.shape[1], keys, device=generator.device).normal_(generator=generator)
        at = dict(zip(d_ks, chunk, strict=True))
        measured = {(scale, d_k): _measured(at[d_k], numbers, correlation, c) for scale, d_k, c in settings}
        for (scale, d_k), quantities in measured.items():
            if scale != "none" and ("none", d_k) in measured:
                quantities["gain"] = quantities["jacobian"] - measured["none", d_k]["jacobian"]
        parts.append([*measured.values()])
        if progress is not None:
            progress(done / len(chunks))
    return pd.DataFrame(
        {"scale": scale, "d_k": d_k, "quantity": quantity}
        | _summary(torch.cat([chunk[quantity] for chunk in of_chunks]), band)
        for (scale, d_k, _), *of_chunks in zip(settings, *parts, strict=True)
        for quantity in of_chunks[0]
    )


def query_norms(d_ks: Sequence[int], rows: int, generator: Generator) -> Tensor:
    """|q| (len(d_ks), rows) of the same queries, N(0, 1), over their first d_k features. ValueError: rows below 2."""
    checks.at_least(2, rows=rows)
    features = features_of(rows)
    q = torch.empty(features, rows, device=generator.device)
    sums = running_sums(lambda: (q.normal_(generator=generator),), _squares, d_ks, features)
    return torch.stack([squares for _, squares in sums]).sqrt()


def _squares(q: Tensor) -> Tensor:
    return q.square().sum(0)


def _measured(norms: Tensor, numbers: Tensor, correlation: float, c: float) -> dict[str, Tensor]:
    """The quantities of rows, from |q| (rows,) and the coordinate of each key along q (rows, keys)."""
    key = numbers
    if correlation:
        along = norms[:, None] * correlation + numbers[:, :1] * math.sqrt(1 - correlation**2)
        key = torch.cat([along, numbers[:, 1:]], 1)
    trace, key = Trace(), key.unsqueeze(-1)
    scaled_dot_product_attention(norms[:, None, None], key, key, scale=c, trace=trace)
    scores, weights = (trace[id].value.squeeze(-2) for id in ("scaled", "weights"))
    return row_quantities(scores, weights)


def _summary(numbers: Tensor, band: tuple[float, float]) -> dict[str, float]:
    # The share of rows below the true median has a standard error of 1/2 over the root of their number.
    two = min(0.5, 1 / math.sqrt(len(numbers)))
    at = {"low": band[0], "median": 0.5, "high": band[1], "median_low": 0.5 - two, "median_high": 0.5 + two}
    quantiles = numbers.quantile(torch.tensor([*at.values()], device=numbers.device)).tolist()
    error = numbers.std().item() / math.sqrt(len(numbers))
    return {"mean": numbers.mean().item(), "error": error} | dict(zip(at, quantiles, strict=True))


def crossover(table: pd.DataFrame, statistic: str = "mean") -> tuple[int | None, int | None]:
    """The d_k at which the scaled Jacobian overtakes the unscaled one in a table of `saturation`: two numbers above 1.

    The first: from there on it is nowhere smaller by more than two standard errors. The second: from there on it is
    everywhere larger by more than that. They are equal if the rows decide it; None: at no d_k of the table. statistic:
    mean, of the differences of the same rows, or median, over the queries. ValueError: another statistic; a table
    without the scales none and sqrt_d_k.
    """
    checks.choice("statistic", statistic, ("mean", "median"))
    found = table["scale"].unique()
    missing = [scale for scale in ("none", "sqrt_d_k") if scale not in found]
    if missing:
        raise ValueError(f"the table has no scale {missing[0]!r}; it has {', '.join(found) or 'none'}")
    rows = table[table["d_k"] > 1].set_index(["scale", "quantity", "d_k"]).sort_index()
    if statistic == "mean":
        gain = rows.loc["sqrt_d_k", "gain"]
        least, most = gain["mean"] - 2 * gain["error"], gain["mean"] + 2 * gain["error"]
    else:
        scaled, raw = rows.loc["sqrt_d_k", "jacobian"], rows.loc["none", "jacobian"]
        least, most = scaled["median_low"] - raw["median_high"], scaled["median_high"] - raw["median_low"]
    return _from_there_on(most > 0), _from_there_on(least > 0)


def _from_there_on(holds: pd.Series) -> int | None:
    """The first label from which on all are true."""
    since = holds.index[holds[::-1].cummin()[::-1]]
    return int(since[0]) if len(since) else None


def knee(keys: int) -> float:
    """2 ln(keys): the variance of the scores (unscaled: the d_k) at which softmax starts to concentrate, in the limit
    of many keys. ValueError: keys < 1."""
    checks.positive(keys=keys)
    return 2 * math.log(keys)


def approximations(variances: Sequence[float], keys: int) -> pd.DataFrame:
    """Approximations for softmax of normal scores of these variances, each on one side of the knee, NaN on the other.

    Columns: variance; below the knee entropy = ln n - s^2/2 and effective = n exp(-s^2/2), close for small variances;
    above it concentration = 1 - sqrt(2 ln n / s^2), a limit that is approached slowly, from below.
    ValueError: keys below 1; a variance that is not above 0.
    """
    freezing = knee(keys)
    rows = []
    for variance in variances:
        checks.above_zero("variance", variance)
        warm = variance <= freezing
        rows.append(
            {
                "variance": variance,
                "entropy": math.log(keys) - variance / 2 if warm else math.nan,
                "effective": keys * math.exp(-variance / 2) if warm else math.nan,
                "concentration": math.nan if warm else 1 - math.sqrt(freezing / variance),
            }
        )
    return pd.DataFrame(rows)
