"""Look up a single key of the session state without building a dict of every widget.

To see whether their own value is None, Streamlit's choices, number inputs and texts build a dict of the whole session,
every component in its user-visible form: with two dozen widgets a seventh of what a run costs (docs/decisions/load.md).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from streamlit.runtime.state import SafeSessionState

# Not this replacement itself, when the module is loaded anew.
_property: Any = SafeSessionState.filtered_state
_original: Any = getattr(_property.fget, "original", _property)


def install() -> None:
    """Replace `SafeSessionState.filtered_state` in this process."""
    SafeSessionState.filtered_state = property(_filtered_state)  # type: ignore[method-assign,assignment]


class _LazyState(Mapping[str, Any]):
    """The session's values by key: one key is looked up alone, iterating builds them all as Streamlit does."""

    def __init__(self, state: SafeSessionState) -> None:
        self._state = state

    def __getitem__(self, key: str) -> Any:
        return self._state[key]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and SafeSessionState.__contains__(self._state, key)

    def __iter__(self) -> Iterator[str]:
        return iter(_original.__get__(self._state))

    def __len__(self) -> int:
        return len(_original.__get__(self._state))

    def __str__(self) -> str:
        return str(_original.__get__(self._state))


def _filtered_state(state: SafeSessionState) -> Mapping[str, Any]:
    return _LazyState(state)


_filtered_state.original = _original  # type: ignore[attr-defined]
