"""Experiments that take longer than an answer to the browser may: computed once for all, with progress on the page."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from pages.shell import component
from pages.shell.layout.part import dependent, depends_on
from pages.shell.runs.results import Experiment, computed
from pages.shell.state.controls import Controls

C = TypeVar("C", bound=Controls)


@dependent
def task(key: str, controls: type[C], *asked: Callable[[C], Experiment[Any] | None]) -> None:
    """Compute the experiments that views of the page wait for, then have the browser ask for these views again.

    key: a name of this part of the page; asked: functions from the controls to an experiment, or to None if they ask
    for none.
    """

    def wanted() -> dict[Hashable, Experiment[Any]]:
        screen = controls.current()
        found = (each(screen) for each in asked)
        return {one.key: one for one in found if one is not None}

    depends_on(lambda: [*wanted()])
    for one in wanted().values():
        computed(one.key, one.make)
    component.computed()
