"""A message over a websocket may come from anybody: it harms only its sender."""

import contextlib
from collections.abc import Iterator

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.sync.client import ClientConnection, connect

from pages.shell.i18n import say


@contextlib.contextmanager
def visitor(server: str) -> Iterator[ClientConnection]:
    """A visitor who talks to the server without a browser."""
    with connect(
        f"ws{server.removeprefix('http')}/_stcore/stream", subprotocols=["streamlit"], origin=server, max_size=None
    ) as socket:
        yield socket


def told(visitor: ClientConnection, **state) -> list[ForwardMsg]:
    """All messages of the server until a run is over."""
    visitor.send(BackMsg(rerun_script=ClientState(**state)).SerializeToString())
    found = []
    while not found or found[-1].WhichOneof("type") != "script_finished":
        found.append(ForwardMsg.FromString(visitor.recv(timeout=60)))
    return found


def elements(messages: list[ForwardMsg], kind: str) -> list:
    drawn = [message.delta.new_element for message in messages if message.WhichOneof("type") == "delta"]
    return [getattr(element, kind) for element in drawn if element.WhichOneof("type") == kind]


def test_a_value_that_no_widget_sends_fails_for_its_sender_alone(server):
    with visitor(server) as stranger, visitor(server) as other:
        there = elements(told(stranger, page_name="scaling"), "number_input")
        seed = next(one.id for one in there if "-lab_seed" in one.id)
        figures = elements(told(other), "html")
        forged = WidgetState(id=seed, double_value=float("nan"))
        answer = told(stranger, widget_states=WidgetStates(widgets=[forged]))
        assert [alert.body for alert in elements(answer, "alert")] == [say("app.failed")]
        assert not elements(answer, "html")
        assert len(figures) > 5
        assert len(elements(told(other), "html")) == len(figures)
