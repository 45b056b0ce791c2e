"""The run that a page shows; the controls of the page itself may change sizes, words or inputs."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pages.shell.runs import one_query, translating
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.runs.trained import layer_run, recorded
from pages.shell.runs.trained.request import place_of
from pages.shell.state.config import Config
from pages.shell.state.page_controls import CROSS, CrossAttention, Heads, Models, OneQuery

# Maps a class of controls to its instance on the screen.
Own = Callable[[Any], Any]


def run(page: str, config: Config, own: Own) -> Run:
    """The run of a page. config: as the page looks at it (`looked_at`). LookupError: a model that is not loaded."""
    made = _RUNS.get(page)
    return made(config, own) if made else compute(config)


def _opened(_: Config, own: Own) -> Run:
    """The layer of a trained model. LookupError: the model is not loaded."""
    screen = own(Models)
    found = layer_run.opened(recorded.there(screen), *place_of(screen))
    if found is None:
        raise LookupError(f"{screen.model} is not loaded")
    return found


def _crossed(config: Config, own: Own) -> Run:
    """Queries from the shared text, keys and values from the text of the page, under the mask of the page."""
    chosen = own(CrossAttention)
    return compute(replace(config, mask=chosen.cross_mask), context=translating.context_of(config, chosen.context))


_RUNS: dict[str, Callable[[Config, Own], Run]] = {
    CROSS: _crossed,
    "heads": lambda config, own: compute(own(Heads).sized(config)),
    "one_query": lambda config, own: one_query.in_plane(own(OneQuery)),
    "models": _opened,
}
