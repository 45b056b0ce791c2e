"""What is drawn from a run, kept as long as the run is: the memo of runs bounds it, beside whose bytes it is little."""

from collections.abc import Callable, Hashable
from typing import Any, Concatenate, ParamSpec, TypeVar

from pages.shell.runs.run import Run

P = ParamSpec("P")
T = TypeVar("T")
# Of one run: it has many cells.
MOST = 8
_KEPT = "_kept"


def kept(run: Run, make: Callable[Concatenate[Run, P], T], *given: P.args, **named: P.kwargs) -> T:
    """What a function makes of a run and of what else is given, made once; nobody may change it.

    run: one that notes nothing that is read, as `sources.whole` has it. given, named: hashable.
    """
    made: dict[Hashable, Any] = vars(run).setdefault(_KEPT, {})
    key = make, given, tuple(named.items())
    # Of the threads of two visitors, each may find it full and gone.
    try:
        return made[key]  # type: ignore[no-any-return]
    except KeyError:
        made[key] = new = make(run, *given, **named)
    for old in list(made)[:-MOST]:
        made.pop(old, None)
    return new
