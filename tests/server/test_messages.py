"""What arrives over a websocket is from anybody: what no widget would say is read as nothing."""

import json
from collections.abc import Iterator

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import WStates
from websockets.sync.client import ClientConnection, connect

from pages.shell import component
from pages.shell.component import Click
from pages.shell.server.patches import forged_messages

forged_messages.install()
NAN, INFINITE = float("nan"), float("inf")


@pytest.fixture(scope="module")
def visitor(server) -> Iterator[ClientConnection]:
    """Somebody who speaks to the server without a browser."""
    with connect(
        f"ws{server.removeprefix('http')}/_stcore/stream", subprotocols=["streamlit"], origin=server, max_size=None
    ) as socket:
        yield socket


def told(visitor: ClientConnection, **state) -> list[ForwardMsg]:
    """All that the server says until a run is over."""
    visitor.send(BackMsg(rerun_script=ClientState(**state)).SerializeToString())
    found = []
    while not found or found[-1].WhichOneof("type") != "script_finished":
        found.append(ForwardMsg.FromString(visitor.recv(timeout=60)))
    return found


def elements(messages: list[ForwardMsg], kind: str) -> list:
    drawn = [message.delta.new_element for message in messages if message.WhichOneof("type") == "delta"]
    return [getattr(element, kind) for element in drawn if element.WhichOneof("type") == kind]


def widget(visitor: ClientConnection, kind: str, name: str) -> str:
    """The id of a control's widget."""
    return next(one.id for one in elements(told(visitor), kind) if one.id.endswith(f"-{name}"))


@pytest.mark.parametrize("value", [NAN, INFINITE, -INFINITE, -1.0, 1e300, 10_000.0])
def test_a_number_that_no_browser_sends_is_not_heard(visitor, value):
    seed = widget(visitor, "number_input", "seed")
    answer = told(visitor, widget_states=WidgetStates(widgets=[WidgetState(id=seed, double_value=value)]))
    assert not elements(answer, "exception")
    assert len(elements(answer, "bidi_component")) > 5
    assert not elements(told(visitor), "exception")


@pytest.mark.parametrize("values", [[9999.0], [NAN], [1.0, 2.0], []], ids=str)
def test_a_slider_beyond_its_ends_is_not_heard(visitor, values):
    dropout = WidgetState(id=widget(visitor, "slider", "dropout"))
    dropout.double_array_value.data.extend(values)
    answer = told(visitor, widget_states=WidgetStates(widgets=[dropout]))
    assert not elements(answer, "exception")
    # No dropout, no keep-mask.
    drawn = [component.json for component in elements(answer, "bidi_component") if '"cards"' in component.json]
    assert drawn
    assert not any('"kept"' in sent for sent in drawn)


class TestHeard:
    """What is read of a widget, without a server."""

    def read(self, sent: WidgetState, kind: str, read) -> object:
        states = WStates()
        states.set_widget_from_proto(sent)
        states.set_widget_metadata(WidgetMetadata(sent.id, read, lambda value: value, kind))
        return states[sent.id]

    def test_a_good_value_is_read(self):
        sent = WidgetState(id="x", double_value=3.0)
        assert self.read(sent, "double_value", lambda value: 7 if value is None else int(value)) == 3

    def test_of_one_that_cannot_be_read_there_is_the_default(self):
        sent = WidgetState(id="x", double_value=NAN)
        assert self.read(sent, "double_value", lambda value: 7 if value is None else int(value)) == 7

    def test_of_one_of_another_kind_there_is_the_default(self):
        sent = WidgetState(id="x", string_value="a")
        assert self.read(sent, "double_value", lambda value: 7 if value is None else value) == 7

    @pytest.mark.parametrize(
        "text", ["[" * 100_000, "9" * 5000, "{", '{"edited_rows": 5}', '{"edited_rows": {"a": 1}}']
    )
    def test_of_what_is_no_json_there_is_the_default(self, text):
        def rows(value):
            return {int(key) for key in (json.loads(value) if value else {"edited_rows": {}})["edited_rows"]}

        assert self.read(WidgetState(id="x", string_value=text), "string_value", rows) == set()

    def test_of_one_that_nobody_can_read_there_is_nothing(self):
        states = WStates()
        states.set_widget_from_proto(WidgetState(id="x", double_value=3.0))
        with pytest.raises(KeyError):
            states["x"]
        with pytest.raises(KeyError):
            states["y"]


CELL = {"figure": "weights", "row": 1, "column": 2}


@pytest.mark.parametrize(
    ("reported", "click"),
    [
        (CELL, Click("weights", 1, 2, None)),
        (CELL | {"sets": ["head", 3]}, Click("weights", 1, 2, ("head", "3"))),
        (CELL | {"sets": ["head", []]}, Click("weights", 1, 2, None)),
        (CELL | {"sets": [[], 1]}, Click("weights", 1, 2, None)),
        (CELL | {"figure": []}, None),
        (CELL | {"row": 0.5}, None),
        (CELL | {"column": None}, None),
        *((wrong, None) for wrong in (None, 5, "weights", [], {}, [CELL], True)),
    ],
    ids=repr,
)
def test_a_click_is_what_says_all_of_a_cell(monkeypatch, reported, click):
    monkeypatch.setattr(component.st, "session_state", {"plot-result": {"cell": reported}})
    assert component.clicked("plot-result") == click


def test_a_choice_that_was_empty_before_is_read():
    """The browser sends a question that nobody has answered without a value, with every message."""
    states = WStates()
    states.set_widget_metadata(
        WidgetMetadata(
            id="radio", deserializer=lambda sent: sent, serializer=lambda held: held, value_type="string_value"
        )
    )
    for sent, read in ((WidgetState(id="radio"), None), (WidgetState(id="radio", string_value="both"), "both")):
        states.set_widget_from_proto(sent)
        assert states["radio"] == read
