"""Somebody who uses the app without a browser, by Streamlit's own protocol: the websocket, and the files before it."""

import asyncio
import contextlib
import http.client
import re
from dataclasses import dataclass, field
from http import HTTPStatus
from random import Random
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from benchmarks.browser import ROOT
from pages.shell.library import ADDRESS

PATIENCE = 60.0
# Streamlit's default of global.maxCachedMessageAge.
_KEPT_RUNS = 2
_FILES = re.compile(r'(?:src|href)="\./(static/[^"]+\.(?:js|css))"')
_PLOT = ROOT / "pages" / "shell" / "plot"
_OURS = [ADDRESS, *(f"assets/plot/{file.name}" for file in sorted(_PLOT.glob("*.[jc]s*")))]
_TRIGGERS = "$$STREAMLIT_INTERNAL_KEY_{}__events"


@dataclass
class Visitor:
    """One tab. base: the address of the server; link: a page and its parameters, as in `masks?mask=window`.

    shown: the last run's elements, in the order in which they came.
    failed: what a run said that no visitor should see.
    """

    base: str
    link: str = ""
    shown: list[Delta] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    _seen: dict[str, ForwardMsg] = field(default_factory=dict, repr=False)
    _used: dict[str, int] = field(default_factory=dict, repr=False)
    _runs: int = 0
    _held: dict[str, WidgetState] = field(default_factory=dict, repr=False)
    _page: str = ""
    _query: str = ""
    _socket: ClientConnection | None = None

    async def load(self) -> int:
        """What a browser without a cache fetches before it opens the websocket; the bytes of it."""
        return await asyncio.to_thread(_fetched, self.base)

    async def arrive(self) -> None:
        """Open the link."""
        address = f"ws{self.base.removeprefix('http')}/_stcore/stream"
        self._socket = await connect(
            address,
            subprotocols=[Subprotocol("streamlit")],
            origin=Origin(self.base),
            max_size=None,
            open_timeout=PATIENCE,
            ping_interval=None,
        )
        page, _, self._query = self.link.partition("?")
        await self._run(page_name=page)

    async def leave(self) -> None:
        if self._socket is not None:
            await self._socket.close()

    async def move(self, random: Random) -> None:
        """Put one slider of the page somewhere else."""
        name, low, high, step, value = random.choice(self.sliders())
        places = [low + step * place for place in range(round((high - low) / step) + 1)]
        place = random.choice([place for place in places if place != value] or places)
        await self.set(name, place)

    async def set(self, name: str, value: float) -> None:
        state = WidgetState(id=name)
        state.double_array_value.data.append(value)
        await self.send(state)

    def is_training(self) -> bool:
        return bool(self._laps())

    async def lap(self) -> None:
        """Ask for the next turn of a training, as the page does once it has drawn the last."""
        (one,) = self._laps()
        await self.send(WidgetState(id=_TRIGGERS.format(one.id), json_trigger_value='[{"event": "lap", "value": 1}]'))

    async def send(self, state: WidgetState) -> None:
        """Run the page with what a widget says, and with what the others said before."""
        self._held[state.id] = state
        await self._run(page_script_hash=self._page)
        if state.WhichOneof("value") == "json_trigger_value":
            del self._held[state.id]

    def elements(self, kind: str) -> list[Any]:
        """The elements of a kind that the last run drew."""
        drawn = (delta.new_element for delta in self.shown)
        return [getattr(one, kind) for one in drawn if one.WhichOneof("type") == kind]

    def sliders(self) -> list[tuple[str, float, float, float, float]]:
        """Of each slider with one handle: its id, its lowest and its highest value, its step, where it stands."""
        return [
            (one.id, one.min, one.max, one.step, self._where(one))
            for one in self.elements("slider")
            if not one.disabled and len(one.default) == 1 and one.step and one.max > one.min
        ]

    def figures(self) -> list[str]:
        """The data of every component of the last run: all numbers that are on the screen."""
        return [one.json for one in self.elements("bidi_component")]

    def _laps(self) -> list[Any]:
        return [one for one in self.elements("bidi_component") if one.id.endswith("-race-lap")]

    def _where(self, slider: Any) -> float:
        held = self._held.get(slider.id)
        return float(held.double_array_value.data[0] if held else slider.default[0])

    async def _run(self, page_name: str = "", page_script_hash: str = "") -> None:
        assert self._socket is not None, "arrive first"
        asked = ClientState(query_string=self._query, page_name=page_name, page_script_hash=page_script_hash)
        asked.widget_states.widgets.extend(self._held.values())
        asked.cached_message_hashes.extend(self._seen)
        await self._socket.send(BackMsg(rerun_script=asked).SerializeToString())
        async with asyncio.timeout(PATIENCE):
            while not self._heard(ForwardMsg.FromString(await self._socket.recv(decode=False))):
                pass
        self._runs += 1
        self._forget()

    def _forget(self) -> None:
        """Keep of the messages those that the last runs needed, as a browser does."""
        for old in [one for one, run in self._used.items() if self._runs - run > _KEPT_RUNS]:
            del self._seen[old], self._used[old]

    def _heard(self, message: ForwardMsg) -> bool:
        """Take in a message; True when the run is over."""
        kind = message.WhichOneof("type")
        if kind == "ref_hash":
            self._used[message.ref_hash] = self._runs
            message, kind = self._seen[message.ref_hash], "delta"
        elif message.metadata.cacheable:
            self._seen[message.hash] = message
            self._used[message.hash] = self._runs
        if kind == "new_session":
            self.shown = []
        elif kind == "navigation":
            self._page = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "delta":
            self.shown.append(message.delta)
            if message.delta.new_element.WhichOneof("type") == "exception":
                self.failed.append(message.delta.new_element.exception.message)
        elif kind == "session_event" and message.session_event.WhichOneof("type") == "script_compilation_exception":
            self.failed.append("the script does not compile")
        # A run that gave way to another one is not the last.
        return kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY


def _fetched(base: str) -> int:
    """The bytes of the page and of all its files as they come over the wire, by one connection that is kept open."""
    connection = http.client.HTTPConnection(base.removeprefix("http://"), timeout=PATIENCE)

    def body(path: str, **headers: str) -> bytes:
        connection.request("GET", f"/{path}", headers=headers)
        answer = connection.getresponse()
        if answer.status != HTTPStatus.OK:
            raise OSError(f"/{path} was answered with {answer.status}")
        return answer.read()

    with contextlib.closing(connection):
        # The page alone unpacked: its text names the others.
        first = body("")
        files = dict.fromkeys([*_FILES.findall(first.decode()), *_OURS])
        packed = {"accept-encoding": "gzip"}
        return len(first) + sum(len(body(file, **packed)) for file in files)
