"""What takes longer than an answer to the browser may: computed once for all, with its progress on the page."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar

from pages.shell import component
from pages.shell.layout.rows import row
from pages.shell.runs.results import Experiment, computed
from pages.shell.state.controls import Controls
from pages.shell.state.reads import Look, note

C = TypeVar("C", bound=Controls)
_drawn = count()


@dataclass(frozen=True)
class _Found(Look):
    """Whether results are still there: they are forgotten where others have asked for many since."""

    experiments: tuple[Experiment[Any], ...]

    def now(self) -> bool:
        return all(one.found() is not None for one in self.experiments)


@row
def task(key: str, controls: type[C], *asked: Callable[[C], Experiment[Any] | None]) -> None:
    """Compute what views of the page wait for, and have them asked for again.

    asked: the experiments that a set of controls asks for, None where it does not. Below the widgets of these controls:
    one that is not drawn yet has its default.
    """
    screen = controls.current()
    experiments = tuple(one for each in asked if (one := each(screen)) is not None)
    for one in experiments:
        computed(one.key, one.make)
    note(_Found(experiments))
    # Another text each time: results that somebody else has computed meanwhile are news to this browser, too.
    component.computed(f"task-{key}", str(next(_drawn)))
