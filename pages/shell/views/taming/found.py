"""One row of weights and scores under each remedy, at each length of its query."""

from functools import lru_cache
from typing import Any, NamedTuple

from attention.analysis.online_softmax import last_scores
from attention.analysis.rerun import rerun
from attention.figures import matrix
from attention.trace import Step
from pages.shell.component.chart import INK
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits
from pages.shell.i18n.options import word
from pages.shell.runs import learned
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.state.config import Config
from pages.shell.state.todays_controls import STRETCHES, Taming
from pages.shell.views import steps

# The raw scores and their remedies; the sink answers another question and has a figure of its own.
WAYS = ("raw", "scaled", "cap", "norm")
SINK = "sink"
# The place of each way's colour in the palette, in all figures of the page.
COLOURS = {"raw": INK, "scaled": 0, "cap": 1, "norm": 3, SINK: 5}


class Row(NamedTuple):
    """A row at each of STRETCHES: the weights of the words that its query sees, the scores that softmax read, and the
    remaining gradient, the most that a weight changes with its own score before the cap."""

    weights: tuple[tuple[float, ...], ...]
    scores: tuple[tuple[float, ...], ...]
    slopes: tuple[float, ...]

    @property
    def largest(self) -> list[float]:
        return [max(each) for each in self.weights]

    def nowhere(self, at: int) -> float:
        """The weight that no word gets at one of STRETCHES."""
        return max(1 - sum(self.weights[at]), 0.0)


def found(run: Run, chosen: Taming) -> dict[str, Row]:
    return rows(run.config, learned.used(run.config), steps.focus_of(run), chosen.taming_cap, chosen.taming_sink)


def name(way: str, run: Run, chosen: Taming) -> str:
    numbers = {
        "scaled": {"scale": word("scale", run.config.scale)},
        "cap": {"cap": f"{chosen.taming_cap:g}"},
        SINK: {"sink": f"{chosen.taming_sink:g}"},
    }
    return say(f"taming.row.{way}", **numbers.get(way, {}))


def why(way: str, run: Run, chosen: Taming) -> str:
    if way == "scaled" and run.config.scale != Config.scale:
        return say("taming.row.why.scaled_by")
    told = {"scaled": {"by": digits(run.module.d_k**0.5, 2)}, "cap": {"cap": f"{chosen.taming_cap:g}"}}
    return say(f"taming.row.why.{way}", **told.get(way, {}))


def tokens(run: Run) -> list[str]:
    """The words that the query sees."""
    seen = _seen(run, steps.focus_of(run))
    return [token for token, is_seen in zip(run.labels["key"], seen, strict=True) if is_seen]


def asks(run: Run) -> str:
    """The word of the row's query."""
    return say("note.named", token=run.labels["query"][steps.focus_of(run)])


def _seen(run: Run, query: int) -> list[bool]:
    """Whether the mask lets a query see each word."""
    seen: list[bool] = matrix(run.trace["mask"], **run.where)[query].tolist()
    return seen


@lru_cache(maxsize=64)
def rows(config: Config, layer: object, query: int, cap: float, sink: float) -> dict[str, Row]:
    """The row of a configuration's run, by way. layer: the trained layer of the run, which may be trained anew.

    The result is cached, because a slider that passes the factors asks for the same rows at each of them. No caller may
    change it.
    """
    run = compute(config)
    only = slice(run.where["batch"], run.where["batch"] + 1)
    queries, keys, values, mask = (run.trace[id].value[only] for id in ("queries", "keys", "values", "mask"))
    factors = queries.new_tensor([float(factor) for factor in STRETCHES]).view(-1, 1, 1, 1)
    ways: dict[str, dict[str, Any]] = {
        "raw": {"scale": 1.0},
        "scaled": {},
        "cap": {"softcap": cap},
        "norm": {"qk_norm": True},
        "sink": {"sink": queries.new_tensor(sink)},
    }
    seen = _seen(run, query)

    def made(way: str) -> Row:
        # Each factor is a sentence of one batch, so that one call computes all.
        record = rerun(run.trace, queries=factors * queries, keys=keys, values=values, mask=mask, **ways[way])

        def of(step: Step) -> tuple[tuple[float, ...], ...]:
            each = (matrix(step, **run.where | {"batch": at})[query].tolist() for at in range(len(STRETCHES)))
            return tuple(tuple(one for one, is_seen in zip(line, seen, strict=True) if is_seen) for line in each)

        weights = of(record["weights"])
        capped = of(record["softcapped"]) if way == "cap" else None
        slopes = tuple(
            max(
                weight * (1 - weight) * (of_cap(capped[at][word], cap) if capped else 1.0)
                for word, weight in enumerate(line)
            )
            for at, line in enumerate(weights)
        )
        return Row(weights, of(last_scores(record)), slopes)

    return {way: made(way) for way in ways}


def of_cap(capped: float, cap: float) -> float:
    """The part of a score's change that a cap passes on, by the capped score."""
    return 1 - (capped / cap) ** 2
