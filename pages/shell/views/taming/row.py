"""One row of scores under each remedy, as the queries grow longer."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from attention.analysis.online_softmax import last_scores
from attention.analysis.rerun import rerun
from attention.figures import matrix
from attention.trace import Step
from pages.shell.component.remedies import STEEPEST, Remedies, Remedy
from pages.shell.i18n import say
from pages.shell.i18n.numbers import digits, fixed
from pages.shell.i18n.options import word
from pages.shell.runs import learned
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.state.todays_controls import STRETCHES, Taming, stretches
from pages.shell.views import blocks, naming, steps
from pages.shell.views.blocks import Block
from pages.shell.views.taming import verdict

# Raw, and what is done about it; the sink answers another question, and has a figure of its own.
WAYS = ("raw", "scaled", "cap", "norm")
SINK = "sink"
# The factors that stand below the largest weights.
_TICKS = ("0.03", "0.1", "0.3", "1", "3", "10", "30", "100")


class Row(NamedTuple):
    """The weights of a row at each of STRETCHES, of the words that its query sees, the scores that softmax read, and
    the gradient that is left: how much a weight changes with its own score before the cap, at most."""

    weights: tuple[tuple[float, ...], ...]
    scores: tuple[tuple[float, ...], ...]
    slopes: tuple[float, ...]

    @property
    def largest(self) -> list[float]:
        return [max(each) for each in self.weights]

    def until(self, count: int) -> "Row":
        """At so many of them, from the first one on."""
        return Row(self.weights[:count], self.scores[:count], self.slopes[:count])

    def nowhere(self, at: int) -> float:
        """What no word gets at one of STRETCHES."""
        return max(1 - sum(self.weights[at]), 0.0)


def row(screen: Screen) -> Iterator[Block]:
    """The scores and weights of one query under each remedy, whether one word has them all, and the largest at every
    factor."""
    run, chosen = screen.run, screen.own(Taming)
    at, tokens = STRETCHES.index(chosen.taming_stretch), _tokens(run)
    factors = stretches(chosen.taming_stretch)
    found = {way: each.until(len(factors)) for way, each in _found(run, chosen).items()}
    names = {way: _name(way, run, chosen) for way in WAYS}
    is_judged = len(tokens) > 1
    states = {way: [verdict.state(each) for each in found[way].weights] if is_judged else [] for way in WAYS}
    remedies = [
        Remedy(
            names[way],
            _why(way, run, chosen),
            found[way].weights[at],
            None,
            found[way].largest,
            states[way],
            verdict.word(states[way][at], found[way].weights[at]) if is_judged else "",
            found[way].slopes[at],
            fixed(found[way].slopes[at]) if is_judged else "",
            found[way].scores[at],
            [_score(one) for one in found[way].scores[at]],
            chosen.taming_cap if way == "cap" else None,
        )
        for way in WAYS
    ]
    low, high = bounds = verdict.bounds(len(tokens))
    labels = _labels() | {
        "verdict": say("taming.row.verdict"),
        "slope": say("taming.row.slope") if is_judged else "",
        "slope_told": say("taming.row.slope_told", most=fixed(STEEPEST)) if is_judged else "",
        "largest": say("taming.row.largest", low=fixed(low), high=fixed(high)) if is_judged else "",
        "under": fixed(low),
        "over": fixed(high),
        "untamed": say("taming.row.raw"),
        "scores": say("taming.row.scores"),
        "scores_told": say("taming.row.scores_told"),
        "shares": say("taming.row.shares"),
        "cap": say("taming.row.at_cap", cap=f"{chosen.taming_cap:g}"),
        "query": say("taming.row.query", query=_asks(run)),
        "trained": say("taming.row.trained"),
        "most": say("taming.row.most"),
    }
    title = say("taming.row.weights", query=_asks(run))
    named = naming.of_query(run, steps.focus_of(run))
    named = _sees(run, named, len(tokens))
    said = verdict.said(named, factors, at, states) if is_judged else _alone(run)
    factors, ticks = (factors, [tick for tick in _TICKS if tick in factors]) if is_judged else ((), [])
    most = max(abs(score) for way in WAYS for scores in found[way].scores for score in scores)
    yield blocks.figures(
        Remedies("remedies", title, said, tokens, remedies, labels, factors, ticks, at, bounds, most or 1.0)
    )


def sunk(screen: Screen) -> Iterator[Block]:
    """The same row without a sink and with one, and what no word gets."""
    run, chosen = screen.run, screen.own(Taming)
    at, found = STRETCHES.index(chosen.taming_stretch), _found(run, chosen)
    remedies = [
        Remedy(_name(way, run, chosen), _why(way, run, chosen), found[way].weights[at], nowhere, found[way].largest)
        for way, nowhere in (("scaled", None), (SINK, found[SINK].nowhere(at)))
    ]
    nothing = dict.fromkeys(("verdict", "slope", "slope_told", "largest"), "")
    labels = _labels() | nothing | {"most": say("taming.row.most")}
    note = say("taming.row.sunk", query=_asks(run), nowhere=fixed(found[SINK].nowhere(at)))
    title = say("taming.row.weights", query=_asks(run))
    yield blocks.figures(Remedies("sunk", title, note, _tokens(run), remedies, labels))


def _name(way: str, run: Run, chosen: Taming) -> str:
    numbers = {
        "scaled": {"scale": word("scale", run.config.scale)},
        "cap": {"cap": f"{chosen.taming_cap:g}"},
        SINK: {"sink": f"{chosen.taming_sink:g}"},
    }
    return say(f"taming.row.{way}", **numbers.get(way, {}))


def _why(way: str, run: Run, chosen: Taming) -> str:
    if way == "scaled" and run.config.scale != Config.scale:
        return say("taming.row.why.scaled_by")
    told = {"scaled": {"by": digits(run.module.d_k**0.5, 2)}, "cap": {"cap": f"{chosen.taming_cap:g}"}}
    return say(f"taming.row.why.{way}", **told.get(way, {}))


def _labels() -> dict[str, str]:
    return {
        "remedy": say("taming.row.remedy"),
        "nowhere": say("taming.row.nowhere"),
        "kind": say("taming.row.kind"),
        "keys": say("taming.row.keys"),
    }


def _asks(run: Run) -> str:
    return say("note.named", token=run.labels["query"][steps.focus_of(run)])


def _sees(run: Run, query: str, count: int) -> str:
    """Whose row it is, and of how many of the words, where the mask hides some."""
    words = len(run.labels["key"])
    if count == words:
        return say("taming.row.whose", query=query)
    return say("taming.row.sees", query=query, seen=count, words=words)


def _alone(run: Run) -> str:
    return say("taming.row.alone", query=_asks(run))


def _tokens(run: Run) -> list[str]:
    """The words that the query sees."""
    seen = _seen(run, steps.focus_of(run))
    return [token for token, is_seen in zip(run.labels["key"], seen, strict=True) if is_seen]


def _found(run: Run, chosen: Taming) -> "dict[str, Row]":
    return rows(run.config, learned.used(run.config), steps.focus_of(run), chosen.taming_cap, chosen.taming_sink)


def _seen(run: Run, query: int) -> list[bool]:
    """Of each word, whether the mask lets a query see it."""
    seen: list[bool] = matrix(run.trace["mask"], **run.where)[query].tolist()
    return seen


@lru_cache(maxsize=64)
def rows(config: Config, layer: object, query: int, cap: float, sink: float) -> dict[str, Row]:
    """Of the run of a configuration, by way. layer: the trained layer that the run has, which may become another one.

    Kept, because a slider that goes through the factors asks for the same rows at each of them. Nobody may change it.
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
        # Each factor is a sentence of one batch: all in one call.
        record = rerun(run.trace, queries=factors * queries, keys=keys, values=values, mask=mask, **ways[way])

        def of(step: Step) -> tuple[tuple[float, ...], ...]:
            each = (matrix(step, **run.where | {"batch": at})[query].tolist() for at in range(len(STRETCHES)))
            return tuple(tuple(one for one, is_seen in zip(line, seen, strict=True) if is_seen) for line in each)

        weights = of(record["weights"])
        capped = of(record["softcapped"]) if way == "cap" else None
        slopes = tuple(
            max(
                weight * (1 - weight) * (1 - (capped[at][word] / cap) ** 2 if capped else 1.0)
                for word, weight in enumerate(line)
            )
            for at, line in enumerate(weights)
        )
        return Row(weights, of(last_scores(record)), slopes)

    return {way: made(way) for way in ways}


def _score(score: float) -> str:
    """In the room of a word: the larger, the fewer decimals."""
    return fixed(score, 1 if abs(score) < 10 else 0)
