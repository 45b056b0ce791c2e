"""Sources of rows: functions of the controls whose results note what a row reads of them."""

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from operator import attrgetter
from types import MethodType
from typing import Any, Generic, TypeVar

from streamlit.runtime.scriptrunner import get_script_run_ctx

from attention.trace import Step, Trace
from pages.shell.runs.equal import equal
from pages.shell.runs.run import Run, run
from pages.shell.state.config import Config, looked_at
from pages.shell.state.reads import Look, note, unnoted, watched

T = TypeVar("T")
_turn: ContextVar["Turn | None"] = ContextVar("turn", default=None)


@contextmanager
def one_turn() -> Iterator[None]:
    """Ask each source only once in here: no control changes meanwhile."""
    with _shared(Turn()):
        yield


@dataclass
class Turn:
    """While no control changes: what sources have answered, and of two runs, which are kept for it, whether a part of
    them is the same, by the ids of both, attribute and step."""

    answered: dict["Source[Any]", Any] = field(default_factory=dict)
    compared: dict[tuple[int, int, str, str], tuple[bool, Run, Run]] = field(default_factory=dict)


def is_one_turn() -> bool:
    return _turn.get() is not None


# Of the run of rows that this thread is in: what Streamlit makes anew for each run, and the turn.
_of_run: ContextVar[tuple[object, Turn] | None] = ContextVar("turn_of_run", default=None)


@contextmanager
def turn_of_rows() -> Iterator[None]:
    """The turn of all rows that one run draws by themselves."""
    here = getattr(get_script_run_ctx(), "parallel_coordinator", None)
    held = _of_run.get()
    if held is None or here is None or held[0] is not here:
        held = here, Turn()
        _of_run.set(held)
    with _shared(held[1]):
        yield


@contextmanager
def _shared(turn: Turn) -> Iterator[None]:
    token = _turn.set(turn)
    try:
        yield
    finally:
        _turn.reset(token)


class Source(Generic[T]):
    """A function of the controls. key: what says whether its answer is another one, where comparing answers is dear."""

    def __init__(self, make: Callable[[], T], key: Callable[[], Any] | None = None) -> None:
        self.make, self.key = make, key or self

    def __call__(self) -> T:
        turn = _turn.get()
        if turn is not None and self in turn.answered:
            return turn.answered[self]  # type: ignore[no-any-return]
        with unnoted():
            made = self.make()
        if turn is not None:
            turn.answered[self] = made
        return made

    def read(self) -> T:
        """The answer for the row that is being drawn: of a run, what is read is noted; all else is read as a whole.

        A run of a source with a key is read as a whole, too: a change is found without computing it.
        """
        answer = self()
        if isinstance(answer, Run) and self.key is self:
            return WatchedRun(answer, self)  # type: ignore[return-value, arg-type]
        note(_Whole(self))
        return answer


@dataclass(frozen=True)
class _Whole(Look):
    source: Source[Any]

    def now(self) -> Any:
        with unnoted():
            return self.source.key()

    def is_same(self, kept: Any) -> bool:
        return equal(kept, self.now())


@dataclass(frozen=True)
class _Part(Look):
    """A part of the run of a source: an attribute or, of its trace, a step."""

    source: Source[Run]
    attribute: str
    step: str = ""

    def now(self) -> Any:
        return self._of(self.source())

    def kept(self) -> Any:
        # Not the numbers, which would stay in memory for each visitor as long as the visitor does.
        return weakref.ref(self.source())

    def is_same(self, kept: Any) -> bool:
        before, now = kept(), self.source()
        if before is now or before is None:
            return before is now
        # Many rows have read the same step of the same run.
        turn = _turn.get()
        if turn is None:
            return equal(self._of(before), self._of(now))
        key = id(before), id(now), self.attribute, self.step
        if key not in turn.compared:
            turn.compared[key] = equal(self._of(before), self._of(now)), before, now
        return turn.compared[key][0]

    def renewed(self, kept: Any) -> Any:
        # The run that it was read of may be forgotten, of which then nothing is known.
        return self.kept()

    def _of(self, run: Run) -> Any:
        held = attrgetter(self.attribute)(run)
        if isinstance(held, Trace):
            return held.get(self.step) if self.step else tuple(held)
        return held


@dataclass(frozen=True)
class _Itself(Look):
    """The run of a source, whatever is read of it."""

    source: Source[Run]

    def now(self) -> Any:
        return self.source()

    def kept(self) -> Any:
        return weakref.ref(self.source())

    def is_same(self, kept: Any) -> bool:
        return kept() is self.source()


def whole(run: Run) -> Run:
    """The plain run: the row that is being drawn reads all of it, and is drawn again for every other one."""
    if not isinstance(run, WatchedRun):
        return run
    plain: Run = object.__getattribute__(run, "_plain")
    note(_Itself(object.__getattribute__(run, "_source")))
    return plain


class WatchedRun(Run):
    """A run of a source that notes what is read of it; copies of it are plain runs."""

    def __init__(self, plain: Run, source: Source[Run]) -> None:
        object.__setattr__(self, "_plain", plain)
        object.__setattr__(self, "_source", source)

    def __getattribute__(self, name: str) -> Any:
        plain, source = object.__getattribute__(self, "_plain"), object.__getattribute__(self, "_source")
        if name == "trace":
            return _WatchedTrace(plain.trace, source)
        if name == "matrix":
            # It reads through this one, and so notes its step.
            return MethodType(Run.matrix, self)
        if name == "config":
            return watched(plain.config, lambda field: _Part(source, f"config.{field}"))
        if not name.startswith("_"):
            note(_Part(source, name))
        return getattr(plain, name)


class _WatchedTrace(Trace):
    """A record that notes which of its steps are read, those that are not there among them."""

    def __init__(self, plain: Trace, source: Source[Run]) -> None:
        self._plain, self._source = plain, source

    @property
    def _steps(self) -> dict[str, Step]:  # type: ignore[override]
        return self._plain._steps

    @property
    def sizes(self) -> dict[str, int]:  # type: ignore[override]
        note(_Part(self._source, "trace.sizes"))
        return self._plain.sizes

    def __getitem__(self, id: str) -> Step:
        note(_Part(self._source, "trace", id))
        return super().__getitem__(id)

    def __contains__(self, id: object) -> bool:
        note(_Part(self._source, "trace", str(id)))
        return super().__contains__(id)

    def __iter__(self) -> Iterator[str]:
        note(_Part(self._source, "trace"))
        return super().__iter__()

    def __len__(self) -> int:
        note(_Part(self._source, "trace"))
        return super().__len__()


# The shared controls: asked once in a turn, however many sources start from them.
shared = Source(Config.current)
# As `shared`, before the widgets have been drawn.
opened = Source(Config.opened)
screen = Source(lambda: run(shared()))
# Without the variants of later models, whose controls are not on every page.
plain_screen = Source(lambda: run(shared().plain()))


def looked(page: str) -> Source[Run]:
    """The run of the shared controls as a page looks at them."""
    return Source(lambda: run(looked_at(page, shared())))
