"""The effect of each head, switched off alone."""

from collections.abc import Iterator

import pandas as pd

from attention.analysis.head_patterns import PATTERNS
from attention.experiments.head_effects import head_effects
from pages.shell.component.chart import Axis, Chart, Series
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits
from pages.shell.runs.results import Experiment, Progress
from pages.shell.runs.trained import recorded
from pages.shell.runs.trained.loaded import fitting, loaded
from pages.shell.runs.trained.recorded import Outputs
from pages.shell.runs.trained.request import Request
from pages.shell.screen import Screen
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.models.common import after, is_ready, measured, name, request
from pages.shell.views.registry import named
from pages.shell.views.waiting import result

_FIRST = 3


@named("models.effects")
def chart(screen: Screen) -> Iterator[Block]:
    """The chart of a loaded model appears on request."""
    wanted, found = request(screen), after(screen)
    table = result(every_head(wanted)) if is_ready(screen) else recorded.effects(wanted.plain())
    if found is not None and table is not None:
        yield blocks.figures(_chart(found, wanted, table))


def every_head(wanted: Request) -> Experiment[pd.DataFrame]:
    """The measurement of all heads, which takes a loaded model a minute."""

    def made(progress: Progress) -> pd.DataFrame:
        model = loaded(wanted.model)
        assert model is not None
        return head_effects(model, fitting(model, wanted.text), progress, **wanted.changes)

    return Experiment(("head effects", wanted), made)


def _chart(found: Outputs, wanted: Request, table: pd.DataFrame) -> Chart:
    layers, heads = found.weights.shape[:2]
    at = table["layer"] + (table["head"] + 0.5) / heads + 0.5
    series = [Series(say("models.effects.effect"), at, table["effect"], "bars")]
    x = Axis(say("models.layer"), range=(0.5, layers + 0.5))
    y = Axis(say(f"models.effects.axis_{wanted.model}"))
    kinds = measured(found).kinds()
    largest = table.nlargest(_FIRST, "effect")
    parts = (
        say(
            "models.effects.head",
            head=name(int(layer), int(head)),
            effect=digits(effect),
            what=say(f"models.pattern.{PATTERNS[int(kinds[int(layer), int(head)])]}.title"),
        )
        for layer, head, effect in largest[["layer", "head", "effect"]].to_numpy()
    )
    small = int((table["effect"] < table["effect"].max() / 10).sum())
    note = say("models.effects.note", parts=listed("comma", parts), small=small, all=len(table))
    return Chart("effects", say("models.effects.chart"), series, x, y, note)
