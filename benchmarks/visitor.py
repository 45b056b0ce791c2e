"""A visitor without a browser, who uses the files, Streamlit's websocket and the route of figures."""

import asyncio
import contextlib
import json
import time
from dataclasses import dataclass, field
from http import HTTPStatus
from random import Random
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from benchmarks.page_files import PATIENCE, fetched
from benchmarks.tab import Tab, mount_points

# HELD: seconds between steps of a slider whose key is held. SILENCE: seconds without a message after which all steps
# count as answered.
HELD, SILENCE = 0.034, 1.0
# Seconds after which a browser asks again after an answer of 503.
AGAIN = 1.0
_TRIGGERS = "$$STREAMLIT_INTERNAL_KEY_{}__events"
# The number of views of the opening page in sight at 1400 × 900 pixels.
SCREEN = 8


@dataclass
class Visitor:
    """One tab. base: the address of the server; link: a page and its parameters, as in `masks?mask=window`.

    in_sight: how many views from the top of the page are in sight, 0 for all. tab: the state of Streamlit's page;
    asked: the address of the last question to the route of figures; shown: the answers for the views in sight, by name;
    answered: seconds of each answer.
    """

    base: str
    link: str = ""
    in_sight: int = 0
    tab: Tab = field(default_factory=Tab, repr=False)
    asked: str = ""
    shown: dict[str, Any] = field(default_factory=dict, repr=False)
    answered: list[float] = field(default_factory=list, repr=False)
    _held: dict[str, WidgetState] = field(default_factory=dict, repr=False)
    _given: int = 0
    _socket: ClientConnection | None = None

    async def load(self) -> int:
        """Fetch what a browser without a cache fetches before it opens the websocket; returns the bytes."""
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
        await self.look()

    async def look(self) -> None:
        """Ask for the views in sight, as a browser does whenever its address has changed."""
        told = self._told()
        views = [name for payload in told for name in payload.get("views", ())][: self.in_sight or None]
        context = next((payload["context"] for payload in told if "context" in payload), None)
        if context and views:
            asked = [(name, context[name]) for name in ("page", "language", "build")]
            question = [*asked, *(("view", name) for name in views), *self.settings().items()]
            address = self.asked = f"{self.base}/live?{urlencode(question)}"
            started = time.perf_counter()
            while (answer := await asyncio.to_thread(_answered, address)) is None:
                await asyncio.sleep(AGAIN)
            self.answered.append(time.perf_counter() - started)
            self.shown = answer

    def settings(self) -> dict[str, str]:
        """The settings of the address, from the newest message about settings."""
        told = [payload["settings"] for payload in self._told() if "settings" in payload]
        newest: dict[str, Any] = max(told, key=lambda one: one["at"], default={"texts": {}})
        return {name: text for name, text in newest["texts"].items() if text}

    def _told(self) -> list[dict[str, Any]]:
        """The data that the page leaves for our scripts: of its components, then of its HTML elements."""
        of_components = [json.loads(one.json) for one in self.tab.elements("bidi_component")]
        return of_components + mount_points(one.body for one in self.tab.elements("html"))

    async def leave(self) -> None:
        if self._socket is not None:
            await self._socket.close()

    async def move(self, random: Random) -> None:
        """Move one slider of the page to another value."""
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
            if not any(one.id == name for one in self.tab.elements("slider")):
                # The move replaced the widget of the slider, so the held key has no target any more.
                break
            self._held[name] = self._slid(name, min(max(value + up * step * taken, low), high))
            await self._ask(page_script_hash=self.tab.page, part=self.tab.part_of(name))
            await asyncio.sleep(HELD)
        await hearing
        await self.look()

    def is_training(self) -> bool:
        return bool(self._laps())

    async def lap(self) -> None:
        """Ask for the next turn of a training, as the page does after drawing the last one."""
        (one,) = self._laps()
        await self.send(WidgetState(id=_TRIGGERS.format(one.id), json_trigger_value='[{"event": "lap", "value": 1}]'))

    async def give(self, **settings: str) -> None:
        """Set controls as a click in a figure does: ask for the figures at once, and tell the page."""
        self._given += 1
        (listens,) = (one.id for one in self.tab.elements("bidi_component") if "settings" in json.loads(one.json))
        given = {name: [text, self._given] for name, text in settings.items()}
        await self.send(WidgetState(id=listens, json_value=json.dumps({"given": given})))

    async def send(self, state: WidgetState) -> None:
        """Run the part of a widget with its new state and the last states of all others, then ask for the views."""
        self._held[state.id] = state
        await self._run(page_script_hash=self.tab.page, part=self.tab.part_of(state.id))
        if state.WhichOneof("value") == "json_trigger_value":
            del self._held[state.id]
        await self.look()

    def sliders(self) -> list[tuple[str, float, float, float, float]]:
        """Each slider with one handle: id, lowest and highest value, step, present value."""
        return [
            (one.id, one.min, one.max, one.step, self._where(one))
            for one in self.tab.elements("slider")
            if not one.disabled and len(one.default) == 1 and one.step and one.max > one.min
        ]

    def figures(self) -> list[str]:
        """The data of all figures on the screen: of the views in sight, and of tasks."""
        made = [payload for payload in self._told() if "blocks" in payload]
        return [json.dumps(one) for one in (*self.shown.values(), *made)]

    def _laps(self) -> list[Any]:
        return [one for one in self.tab.elements("bidi_component") if one.id.endswith("-race-lap")]

    def _where(self, slider: Any) -> float:
        held = self._held.get(slider.id)
        if held and slider.options:
            return float(list(slider.options).index(held.string_array_value.data[0]))
        return float(held.double_array_value.data[0] if held else slider.default[0])

    def _slid(self, name: str, place: float) -> WidgetState:
        """The state of a slider at a place; a slider over options has the option."""
        state = WidgetState(id=name)
        (slider,) = [one for one in self.tab.elements("slider") if one.id == name]
        if slider.options:
            state.string_array_value.data.append(slider.options[round(place)])
        else:
            state.double_array_value.data.append(place)
        return state

    async def _run(self, page_name: str = "", page_script_hash: str = "", part: str = "") -> None:
        await self._ask(page_name, page_script_hash, part)
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

    async def _ask(self, page_name: str = "", page_script_hash: str = "", part: str = "") -> None:
        assert self._socket is not None, "arrive first"
        asked = ClientState(query_string=self.tab.query, page_name=page_name, page_script_hash=page_script_hash)
        asked.fragment_id = part
        asked.widget_states.widgets.extend(self._held.values())
        asked.cached_message_hashes.extend(self.tab.seen)
        await self._socket.send(BackMsg(rerun_script=asked).SerializeToString())


def _answered(address: str) -> dict[str, Any] | None:
    """The views in the answer to an address of the route; None if too many questions wait already."""
    try:
        with urlopen(address, timeout=PATIENCE) as answer:
            views: dict[str, Any] = json.loads(answer.read())["views"]
            return views
    except HTTPError as error:
        if error.code == HTTPStatus.SERVICE_UNAVAILABLE:
            return None
        raise
