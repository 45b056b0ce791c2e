"""A gate after attention, for one word, and the sink with the same effect."""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from attention.analysis.online_softmax import last_scores
from attention.analysis.rerun import rerun
from attention.figures import magnitude, matrix
from pages.shell.i18n import say
from pages.shell.i18n.markdown import quoted
from pages.shell.i18n.numbers import apart, fixed
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import Taming
from pages.shell.views import blocks, explained, steps
from pages.shell.views.blocks import Block
from pages.shell.views.explained import Caption, explained_heatmap


def gate(screen: Screen) -> Iterator[Block]:
    """The output after the gate; beside it weights and output of a sink, or the output before a gate of features."""
    run, chosen = screen.run, screen.own(Taming)
    query, logit = steps.focus_of(run), chosen.taming_gate
    of_features = chosen.taming_gate_of == "features"
    record = rerun(run.trace, gate=logits(run, query, logit, of_features=of_features))
    bound = magnitude(matrix(record["output"], **run.where).double())
    word = say("note.named", token=run.labels["query"][query])
    told = {"query": word, "gate": fixed(logit, 1), "open": fixed(share(logit))}
    gated = Caption("gate-gated", say("taming.gate.gated", query=word), say("taming.gate.passes", **told))
    if of_features:
        gated = Caption("gate-gated", gated.title, say("taming.gate.halves", **told, other=fixed(share(-logit))))
        plain = Caption("gate-plain", say("taming.gate.plain"))
        drawn = (
            explained_heatmap(run, record, "output", plain, bound=bound),
            explained_heatmap(run, record, "gated", gated, bound=bound),
        )
        yield from explained.row(screen, "taming-gate", *drawn)
        return
    sinks = sinks_of(run, query, logit)
    sunk = rerun(run.trace, sink=sinks)
    sums = matrix(sunk["weights"], **run.where)[query].sum()
    far = (matrix(sunk["output"], **run.where) - matrix(record["gated"], **run.where)).abs().max()
    forbidden = ~matrix(run.trace["mask"], **run.where)
    weights = Caption(
        "gate-weights", say("taming.gate.weights", query=word), say("taming.gate.sum", **told, sum=fixed(sums))
    )
    output = Caption("gate-sunk", say("taming.gate.sunk"), say("taming.gate.equal", far=apart(far)))
    yield from explained.row(
        screen,
        "taming-gate",
        explained_heatmap(run, record, "gated", gated, bound=bound),
        explained_heatmap(run, sunk, "weights", weights, forbidden=forbidden),
        explained_heatmap(run, sunk, "output", output, bound=bound),
    )
    z = float(sinks[run.where["batch"], run.where["head"], query])
    told["query"] = quoted(run.labels["query"][query])
    yield blocks.text(say("taming.gate.sink", **told, sink=fixed(z), log=fixed(z + logit)))


def share(logit: float) -> float:
    """The share that a gate lets through."""
    return 1 / (1 + math.exp(-logit))


def logits(run: Run, query: int, logit: float, *, of_features: bool = False) -> Tensor:
    """Gates that are open except for one word: one number for it, or that for half of its features and its negative for
    the others."""
    output = run.trace["output"].value
    made = torch.full(output.shape if of_features else output.shape[:-1], math.inf, dtype=output.dtype)
    if of_features:
        half = output.shape[-1] // 2
        made[..., query, :half], made[..., query, half:] = logit, -logit
    else:
        made[..., query] = logit
    return made.to(output.device)


def sinks_of(run: Run, query: int, logit: float) -> Tensor:
    """The sink of each query that has the effect of its gate: the logarithm of the sum of its exponentials, less the
    logit."""
    return last_scores(run.trace).value.logsumexp(-1) - logits(run, query, logit)
