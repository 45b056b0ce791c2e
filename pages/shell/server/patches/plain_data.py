"""Give a component its data, and read what it says, as plain values.

Streamlit 1.67 asks of each value for a component whether it is a table of one of a dozen libraries; none of ours is
given one. And with each look at what a component says it makes a class, for values that could be written back; nobody
writes them.
"""

from typing import Any

from streamlit.components.v2 import presentation
from streamlit.components.v2.bidi_component import main, serialization
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import WidgetValuePresenter
from streamlit.util import AttributeDictionary

# Not these replacements themselves, when the module is loaded anew.
_original_tables: Any = getattr(
    serialization._extract_dataframes_from_dict, "original", serialization._extract_dataframes_from_dict
)
_original_presenter: Any = presentation.make_bidi_component_presenter


def install() -> None:
    """Replace what looks for tables, and what shows the session what a component says, in this process."""
    serialization._extract_dataframes_from_dict = _as_it_is
    main.make_bidi_component_presenter = _presenter  # type: ignore[attr-defined]


def _as_it_is(data: dict[str, Any], arrow_blobs: dict[str, bytes] | None = None) -> dict[str, Any]:
    return data


def _presenter(
    aggregator_id: str, component_id: str | None = None, allowed_state_keys: set[str] | None = None
) -> WidgetValuePresenter:
    """What shows the state of a component together with the events that it has told."""

    def shown(state: Any, session: SessionState) -> Any:
        sent = session._new_widget_state
        events = sent.widget_metadata.get(aggregator_id)
        if not isinstance(state, dict) or events is None or events.value_type != "json_trigger_value":
            return state
        told = sent[aggregator_id] if aggregator_id in sent.states else None
        told = told if isinstance(told, list) else [told]
        named = {one.get("event"): one.get("value") for one in told if isinstance(one, dict)}
        return AttributeDictionary({name: value for name, value in named.items() if isinstance(name, str)} | state)

    return shown


_as_it_is.original = _original_tables  # type: ignore[attr-defined]
