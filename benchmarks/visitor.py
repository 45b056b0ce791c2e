"""Somebody who uses the app without a browser, by Streamlit's own protocol: the websocket, and the files before it."""

import asyncio
import contextlib
import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from benchmarks.page_files import PATIENCE, fetched
from benchmarks.tab import Tab

# Seconds between two steps of a slider whose key is held, and without any message after which all are answered.
HELD, SILENCE = 0.034, 1.0
_TRIGGERS = "$$STREAMLIT_INTERNAL_KEY_{}__events"
# The mounts of the opened page that a screen of 1400 × 900 pixels has in sight, and the one that tells which.
SCREEN, _TELLS = 4, "-plot-sight"
_NO_FIGURES = ("plot-words", "plot-sight", "plot-labels", "plot-palette", "share")


@dataclass
class Visitor:
    """One tab. base: the address of the server; link: a page and its parameters, as in `masks?mask=window`.

    in_sight: how many mounts, from the top of the page, are in sight; 0: all. tab: what the server has sent it.
    """

    base: str
    link: str = ""
    in_sight: int = 0
    tab: Tab = field(default_factory=Tab, repr=False)
    _held: dict[str, WidgetState] = field(default_factory=dict, repr=False)
    _socket: ClientConnection | None = None

    async def load(self) -> int:
        """What a browser without a cache fetches before it opens the websocket; the bytes of it."""
        return await asyncio.to_thread(fetched, self.base)

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
        page, _, self.tab.query = self.link.partition("?")
        await self._run(page_name=page)
        if self.in_sight:
            await self.look(self.in_sight)

    async def look(self, in_sight: int) -> None:
        """Say which mounts are out of sight, as a browser does: all but so many from the top; 0: none.

        Of a page without figures it says nothing.
        """
        components = [one.id for one in self.tab.elements("bidi_component")]
        tells = next((one for one in components if one.endswith(_TELLS)), None)
        if tells is None:
            return
        keys = [key for key in (one.split("-", 2)[-1] for one in components) if key not in _NO_FIGURES]
        far = keys[in_sight:] if in_sight else []
        await self.send(WidgetState(id=tells, json_value=json.dumps({"far": far})))

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
        await self.send(self._slid(name, value))

    async def hold(self, random: Random, steps: int) -> None:
        """Hold an arrow key on one slider of the page: steps that wait for no answer."""
        name, low, high, step, value = random.choice(self.sliders())
        up = 1 if value + step * steps <= high else -1
        hearing = asyncio.create_task(self._hear_until_silent())
        for taken in range(1, steps + 1):
            self._held[name] = self._slid(name, min(max(value + up * step * taken, low), high))
            await self._ask(page_script_hash=self.tab.page, row=self.tab.row_of(name))
            await asyncio.sleep(HELD)
        await hearing

    async def again(self) -> None:
        """Run the whole page with what its widgets say."""
        await self._run(page_script_hash=self.tab.page)

    def is_training(self) -> bool:
        return bool(self._laps())

    async def lap(self) -> None:
        """Ask for the next turn of a training, as the page does once it has drawn the last."""
        (one,) = self._laps()
        await self.send(WidgetState(id=_TRIGGERS.format(one.id), json_trigger_value='[{"event": "lap", "value": 1}]'))

    async def report(self, mount: str, event: str, value: object) -> None:
        """Say what a figure says by itself. mount: its key."""
        (one,) = [one.id for one in self.tab.elements("bidi_component") if one.id.endswith(f"-{mount}")]
        told = json.dumps([{"event": event, "value": value}])
        await self.send(WidgetState(id=_TRIGGERS.format(one), json_trigger_value=told))

    def keep(self, state: WidgetState) -> None:
        """Say this with the next request: what changes at once, a browser says in one, in the name of one row."""
        self._held[state.id] = state

    async def send(self, state: WidgetState) -> None:
        """Run the page, or the row that a widget stands in, with what it says, and with what the others said before."""
        self.keep(state)
        await self._run(page_script_hash=self.tab.page, row=self.tab.row_of(state.id))
        if state.WhichOneof("value") == "json_trigger_value":
            del self._held[state.id]

    def sliders(self) -> list[tuple[str, float, float, float, float]]:
        """Of each slider with one handle: its id, its lowest and its highest value, its step, where it stands."""
        return [
            (one.id, one.min, one.max, one.step, self._where(one))
            for one in self.tab.elements("slider")
            if not one.disabled and len(one.default) == 1 and one.step and one.max > one.min
        ]

    def figures(self) -> list[str]:
        """The data of every component: all numbers that are on the screen."""
        return [one.json for one in self.tab.elements("bidi_component")]

    def _laps(self) -> list[Any]:
        return [one for one in self.tab.elements("bidi_component") if one.id.endswith("-race-lap")]

    def _where(self, slider: Any) -> float:
        held = self._held.get(slider.id)
        if held and slider.options:
            return float(list(slider.options).index(held.string_array_value.data[0]))
        return float(held.double_array_value.data[0] if held else slider.default[0])

    def _slid(self, name: str, place: float) -> WidgetState:
        """What a slider says that was put somewhere: one along options says which of them."""
        state = WidgetState(id=name)
        (slider,) = [one for one in self.tab.elements("slider") if one.id == name]
        if slider.options:
            state.string_array_value.data.append(slider.options[round(place)])
        else:
            state.double_array_value.data.append(place)
        return state

    async def _run(self, page_name: str = "", page_script_hash: str = "", row: str = "") -> None:
        await self._ask(page_name, page_script_hash, row)
        async with asyncio.timeout(PATIENCE):
            while not self.tab.heard(await self._next()):
                pass

    async def _hear_until_silent(self) -> None:
        with contextlib.suppress(TimeoutError):
            while True:
                async with asyncio.timeout(SILENCE):
                    message = await self._next()
                self.tab.heard(message)

    async def _next(self) -> ForwardMsg:
        assert self._socket is not None, "arrive first"
        message: ForwardMsg = ForwardMsg.FromString(await self._socket.recv(decode=False))
        return message

    async def _ask(self, page_name: str = "", page_script_hash: str = "", row: str = "") -> None:
        assert self._socket is not None, "arrive first"
        asked = ClientState(query_string=self.tab.query, page_name=page_name, page_script_hash=page_script_hash)
        asked.fragment_id = row
        asked.widget_states.widgets.extend(self._held.values())
        asked.cached_message_hashes.extend(self.tab.seen)
        await self._socket.send(BackMsg(rerun_script=asked).SerializeToString())
