"""One row of scores under four remedies, as the queries grow longer."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from attention.analysis.rerun import rerun
from attention.figures import matrix
from pages.shell.component.remedies import Remedies, Remedy
from pages.shell.i18n import say
from pages.shell.i18n.numbers import fixed
from pages.shell.i18n.options import word
from pages.shell.runs import learned
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.state.todays_controls import STRETCHES, Taming
from pages.shell.views import blocks, steps
from pages.shell.views.blocks import Block

# Raw, and the four remedies.
WAYS = ("raw", "scaled", "cap", "norm", "sink")
# The factors that stand below the curves.
_TICKS = ("0.03", "0.1", "0.3", "1", "3", "10", "30", "100")


class Row(NamedTuple):
    """The weights of a row at each of STRETCHES, of the words that its query sees."""

    weights: tuple[tuple[float, ...], ...]

    @property
    def largest(self) -> list[float]:
        return [max(each) for each in self.weights]

    def nowhere(self, at: int) -> float:
        """What no word gets at one of STRETCHES."""
        return max(1 - sum(self.weights[at]), 0.0)


def row(screen: Screen) -> Iterator[Block]:
    """The weights of one query under each remedy, and the largest of them at every factor."""
    run, chosen = screen.run, screen.own(Taming)
    query, at = steps.focus_of(run), STRETCHES.index(chosen.taming_stretch)
    found = rows(run.config, learned.used(run.config), query, chosen.taming_cap, chosen.taming_sink)
    names = {
        "raw": say("taming.row.raw"),
        "scaled": say("taming.row.scaled", scale=word("scale", run.config.scale)),
        "cap": say("taming.row.cap", cap=f"{chosen.taming_cap:g}"),
        "norm": say("taming.row.norm"),
        "sink": say("taming.row.sink", sink=f"{chosen.taming_sink:g}"),
    }
    whys = {way: say(f"taming.row.why.{way}", cap=f"{chosen.taming_cap:g}") for way in WAYS}
    if run.config.scale != Config.scale:
        whys["scaled"] = say("taming.row.why.scaled_by")
    remedies = [
        Remedy(names[way], whys[way], each.weights[at], each.nowhere(at) if way == "sink" else None, each.largest)
        for way, each in found.items()
    ]
    labels = {
        "remedy": say("taming.row.remedy"),
        "largest": say("taming.row.largest"),
        "nowhere": say("taming.row.nowhere"),
        "factor": say("control.taming_stretch.label"),
        "kind": say("taming.row.kind"),
        "keys": say("taming.row.keys"),
    }
    asks = say("note.named", token=run.labels["query"][query])
    tokens = [token for token, is_seen in zip(run.labels["key"], _seen(run, query), strict=True) if is_seen]
    untamed = found["raw"].weights[at]
    most = max(range(len(tokens)), key=untamed.__getitem__)
    said = say(
        "taming.row.note",
        query=asks,
        factor=chosen.taming_stretch,
        share=fixed(untamed[most]),
        key=say("note.named", token=tokens[most]),
        cap=fixed(max(found["cap"].weights[at])),
        norm=fixed(max(found["norm"].weights[at])),
    )
    title = say("taming.row.weights", query=asks)
    yield blocks.figures(Remedies("remedies", title, said, tokens, remedies, STRETCHES, _TICKS, at, labels))


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

    def weights(way: str) -> Iterator[tuple[float, ...]]:
        # Each factor is a sentence of one batch: all in one call.
        record = rerun(run.trace, queries=factors * queries, keys=keys, values=values, mask=mask, **ways[way])
        for at in range(len(STRETCHES)):
            made = matrix(record["weights"], **run.where | {"batch": at})[query].tolist()
            yield tuple(one for one, is_seen in zip(made, seen, strict=True) if is_seen)

    return {way: Row(tuple(weights(way))) for way in WAYS}
