"""The run that a page shows of its screen: its own controls may change sizes, words or inputs."""

from collections.abc import Callable
from typing import Any

from pages.shell.runs import one_query
from pages.shell.runs.run import Run
from pages.shell.runs.run import run as compute
from pages.shell.state.config import Config
from pages.shell.state.page_controls import OneQuery

# From a class of controls to what the screen holds of it.
Own = Callable[[Any], Any]


def run(page: str, config: Config, own: Own) -> Run:
    """config: as the page looks at it."""
    made = _RUNS.get(page)
    return made(config, own) if made else compute(config)


_RUNS: dict[str, Callable[[Config, Own], Run]] = {
    "one_query": lambda config, own: one_query.in_plane(own(OneQuery)),
}
