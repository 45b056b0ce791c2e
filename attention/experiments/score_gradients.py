"""The gradient before training, at the scores, at the queries and at W_Q, for the task of the race.

"The gradients vanish" is half the story: dL/dq_i = c sum_j (dL/dS_ij) k_j, with S the scaled scores. Without scaling
most rows of dL/dS are nearly 0, but c is 1 instead of 1/sqrt(d_k), so the few remaining rows dominate the gradient.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from attention import checks
from attention.experiments.race import BATCH, SLOTS, Task, batches, start
from attention.experiments.running_sums import Progress
from attention.modules import MultiHeadAttention
from attention.scales import factor
from attention.trace import Trace

SILENT = 0.01
TOP = 0.1


@dataclass(frozen=True)
class Gradients:
    """Norms of gradients before training, one row per example.

    scores (rows,): |dL/dS_i|, scaled scores, of the loss of that example; queries (rows,): |dL/dq_i|, likewise;
    w_q (batches,): |dL/dW_Q| of the mean loss of a batch.
    """

    scores: Tensor
    queries: Tensor
    w_q: Tensor

    @classmethod
    def pooled(cls, parts: Sequence["Gradients"]) -> "Gradients":
        """Pool the rows, and the batches, of several seeds."""
        return cls(*(torch.cat([getattr(part, name) for part in parts]) for name in ("scores", "queries", "w_q")))

    def silent(self) -> float:
        """The share of rows whose gradient at the scores is below SILENT."""
        return (self.scores < SILENT).double().mean().item()

    def top(self) -> float:
        """The share of sum |dL/dq|^2 that the TOP share of the rows carries."""
        energy = self.queries.sort(descending=True).values.double().square()
        return (energy[: round(TOP * len(energy))].sum() / energy.sum()).item()

    def table(self) -> pd.DataFrame:
        """The rows sorted, the largest first, separately for each norm.

        Columns: share of the rows so far, scores, queries, energy: the share of sum |dL/dq|^2 in the rows so far.
        """
        scores, queries = (norms.sort(descending=True).values for norms in (self.scores, self.queries))
        energy = queries.double().square().cumsum(0)
        share = torch.arange(1, len(scores) + 1, dtype=torch.float64) / len(scores)
        columns = {"share": share, "scores": scores, "queries": queries, "energy": energy / energy[-1]}
        return pd.DataFrame({name: column.tolist() for name, column in columns.items()})


def at_start(d_k: int, scale: str, seed: int = 0, number: int = 24) -> Gradients:
    """The gradients of the first `number` batches of a race, before any update, on the CPU.

    ValueError: a scale that is not one of BY_D_K, a size below 1.
    """
    checks.positive(number=number)
    c, generator = factor(scale, d_k), batches(seed)
    with torch.inference_mode(False), torch.enable_grad():
        task, model = start(seed, d_k)
        scores, queries, w_q = zip(*(_batch(task, model, c, generator) for _ in range(number)), strict=True)
        return Gradients(torch.cat(scores), torch.cat(queries), torch.stack(w_q))


def _batch(task: Task, model: MultiHeadAttention, c: float, generator: Generator) -> tuple[Tensor, Tensor, Tensor]:
    queries, context, answers = task.batch(BATCH, generator)
    # A mask of zeros is added to the scaled scores and changes nothing: its gradient is theirs.
    mask, trace = torch.zeros(BATCH, 1, 1, SLOTS, requires_grad=True), Trace()
    logits = model(queries, context, scale=c, mask=mask, trace=trace)[:, 0]
    # The loss is a sum, so that a row has the gradient of its own example.
    loss = F.cross_entropy(logits, answers, reduction="sum")
    by_scores, by_w_q = torch.autograd.grad(loss, (mask, model.w_q))
    by_queries = c * by_scores @ trace["keys"].value
    return by_scores.flatten(1).norm(dim=1), by_queries.flatten(1).norm(dim=1), by_w_q.norm() / BATCH


def gradients(
    d_ks: Sequence[int],
    scales: Sequence[str] = ("none", "sqrt_d_k"),
    seeds: Sequence[int] = (0, 1, 2),
    number: int = 24,
) -> pd.DataFrame:
    """`at_start` in one row for each scale, d_k and seed; average over the seeds for one number.

    Columns: as `summary`. ValueError: as `at_start`.
    """
    return summary(measured(d_ks, scales, seeds, number))


def measured(
    d_ks: Sequence[int],
    scales: Sequence[str],
    seeds: Sequence[int],
    number: int = 24,
    progress: Progress | None = None,
) -> dict[tuple[str, int, int], Gradients]:
    """`at_start` by scale, d_k and seed. progress: called with the share that is done; raise there to stop."""
    settings = [(scale, d_k, seed) for scale in scales for d_k in d_ks for seed in seeds]
    # The work of a setting grows with d_k.
    whole, done, found = sum(d_k for _, d_k, _ in settings), 0, {}
    for scale, d_k, seed in settings:
        found[scale, d_k, seed] = at_start(d_k, scale, seed, number)
        done += d_k
        if progress is not None:
            progress(done / whole)
    return found


def summary(measured: Mapping[tuple[str, int, int], Gradients]) -> pd.DataFrame:
    """A row for each scale, d_k and seed.

    Columns: scale, d_k, seed; scores_mean and scores_median; silent, the share of rows below SILENT; w_q, the mean over
    the batches; top, the share of sum |dL/dq|^2 in the TOP share of the rows.
    """
    return pd.DataFrame(
        {
            "scale": scale,
            "d_k": d_k,
            "seed": seed,
            "scores_mean": norms.scores.mean().item(),
            "scores_median": norms.scores.quantile(0.5).item(),
            "silent": norms.silent(),
            "w_q": norms.w_q.mean().item(),
            "top": norms.top(),
        }
        for (scale, d_k, seed), norms in measured.items()
    )
