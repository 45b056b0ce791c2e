"""What a row reads while it is drawn: it is drawn again if and only if one of these values changes."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any

import streamlit as st


class Look(ABC):
    """A place where a row looks something up; equal looks find the same."""

    @abstractmethod
    def now(self) -> Any:
        """The current value."""

    def kept(self) -> Any:
        """What is remembered of it until the next comparison."""
        return self.now()

    def is_same(self, kept: Any) -> bool:
        """Whether what was remembered is what is there now."""
        return bool(kept == self.now())

    def renewed(self, kept: Any) -> Any:
        """What is remembered from now on, where it is what is there now."""
        return kept


Reads = dict[Look, Any]
# Of the row that this thread draws; None: nobody asks.
_noted: ContextVar[Reads | None] = ContextVar("reads", default=None)


def note(look: Look) -> None:
    """Note that the row being drawn has read this."""
    noted = _noted.get()
    if noted is not None and look not in noted:
        noted[look] = look.kept()


def is_noting() -> bool:
    return _noted.get() is not None


@contextmanager
def noting() -> Iterator[Reads]:
    """Collect all that is read in here."""
    noted: Reads = {}
    token = _noted.set(noted)
    try:
        yield noted
    finally:
        _noted.reset(token)


@contextmanager
def unnoted() -> Iterator[None]:
    """What is read here is no reason to draw a row again: it only leads to what is."""
    token = _noted.set(None)
    try:
        yield
    finally:
        _noted.reset(token)


def changed(reads: Reads) -> bool:
    """Whether any of what a row read has another value now; where none has, the next comparison is with now."""
    with unnoted():
        if any(not look.is_same(kept) for look, kept in reads.items()):
            return True
        for look, kept in reads.items():
            reads[look] = look.renewed(kept)
        return False


@dataclass(frozen=True)
class Answer(Look):
    """What a widget holds that is no control: the answer to a question."""

    key: str

    def now(self) -> Any:
        return st.session_state.get(self.key)


def watched(held: Any, look: Callable[[str], Look]) -> Any:
    """A frozen dataclass that notes each of its fields that is read. look: from the name of a field to its look."""
    double: Any = object.__new__(_watched_class(held.__class__))
    vars(double).update(vars(held), _look=look)
    return double


@cache
def _watched_class(plain: Any) -> type:
    """Of a class of controls, of which there are a dozen: a double that is equal to it and copied as it."""
    names = frozenset(plain.__dataclass_fields__)

    def read(self: Any, name: str) -> Any:
        if name == "__class__":
            return plain
        if name in names:
            note(object.__getattribute__(self, "_look")(name))
        return object.__getattribute__(self, name)

    return type(f"Watched{plain.__name__}", (plain,), {"__getattribute__": read})
