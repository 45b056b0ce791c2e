"""A widget that asks whether its own value is None is answered about that value, not with the state of all widgets.

Streamlit's choices, number inputs and texts build a dict of the whole session for that question, every component in
its user-visible form: with two dozen widgets a seventh of what a run costs (docs/decisions/load.md).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from streamlit.runtime.state import SafeSessionState

# Not this property itself, when the module is loaded anew.
_property: Any = SafeSessionState.filtered_state
_whole: Any = getattr(_property.fget, "whole", _property)


def lighten() -> None:
    """From now on, in the whole process."""
    SafeSessionState.filtered_state = property(_one_by_one)  # type: ignore[method-assign,assignment]


class _OneByOne(Mapping[str, Any]):
    """The session's values by key; one that is asked for is looked up alone, and all of them are as they were."""

    def __init__(self, state: SafeSessionState) -> None:
        self._state = state

    def __getitem__(self, key: str) -> Any:
        return self._state[key]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and SafeSessionState.__contains__(self._state, key)

    def __iter__(self) -> Iterator[str]:
        return iter(_whole.__get__(self._state))

    def __len__(self) -> int:
        return len(_whole.__get__(self._state))

    def __str__(self) -> str:
        return str(_whole.__get__(self._state))


def _one_by_one(state: SafeSessionState) -> Mapping[str, Any]:
    return _OneByOne(state)


_one_by_one.whole = _whole  # type: ignore[attr-defined]
