"""Data of components are sent, and what they say is shown, as Streamlit does it."""

import json

import pytest
from streamlit.components.v2.bidi_component import main, serialization
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import WidgetMetadata

from pages.shell.server.patches import plain_data


@pytest.fixture
def installed(monkeypatch):
    monkeypatch.setattr(serialization, "_extract_dataframes_from_dict", serialization._extract_dataframes_from_dict)
    monkeypatch.setattr(main, "make_bidi_component_presenter", main.make_bidi_component_presenter)
    plain_data.install()


@pytest.mark.parametrize("data", [{"z": [2, 3.5], "words": {"a": None}}, {}, [5, 7], "text"])
def test_data_are_sent_as_they_are(data, installed):
    ours = BidiComponent()
    serialization.serialize_mixed_data(data, ours)
    assert json.loads(ours.json) == data


def _session(told: object, kind: str = "json_trigger_value") -> SessionState:
    session = SessionState()
    sent = session._new_widget_state
    sent.set_widget_metadata(WidgetMetadata("$$events", json.loads, json.dumps, kind))
    if told is not None:
        sent.set_widget_from_proto(WidgetState(id="$$events", json_trigger_value=json.dumps(told)))
    return session


@pytest.mark.parametrize(
    "told",
    [
        None,
        {"event": "lap", "value": 3},
        [{"event": "lap", "value": 2}, {"event": "cell", "value": [0, 1]}, {"event": "lap", "value": 5}],
        [{"event": 7}, "nothing", {}],
        "nothing",
    ],
)
@pytest.mark.parametrize("state", [{"far": ["a"]}, {"lap": 11}, {}, None])
def test_what_a_component_says_is_shown_as_streamlit_shows_it(told, state):
    given = ("$$events", "$$component", {"lap"})
    ours, streamlits = (make(*given) for make in (plain_data._presenter, plain_data._original_presenter))
    assert ours(state, _session(told)) == streamlits(state, _session(told))


def test_of_a_component_without_events_the_state_is_shown():
    shown = plain_data._presenter("$$none")
    assert shown({"far": [2]}, _session(None)) == {"far": [2]}
    assert plain_data._presenter("$$events")({"far": [2]}, _session(None, "string_value")) == {"far": [2]}


def test_what_is_shown_is_read_by_name_or_as_a_dict():
    shown = plain_data._presenter("$$events")({"far": [2]}, _session({"event": "lap", "value": 3}))
    assert (shown.far, shown["lap"], shown.get("nothing")) == ([2], 3, None)
