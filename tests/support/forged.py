"""Messages of a stranger who means harm: what no browser would say of a widget, seeded."""

import json
from random import Random
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import AppTest

from tests.support.hostile import DIGITS, NESTED, TEXTS

_INTERNAL = "$$STREAMLIT_INTERNAL_KEY"
# More than any message of a browser has.
_MEGABYTES = "x" * 2_000_000


def forged(at: AppTest, number: int) -> WidgetStates:
    """What a page asked for, and in the place of some of it what no browser would send."""
    random = Random(f"hostile message {number}")
    states = at.main.root.get_widget_states()
    ids = [state.id for state in states.widgets]
    for component in (*at.get("bidi_component"), *at.get("arrow_data_frame"), *at.get("file_uploader")):
        if component.proto.id:
            ids += [component.proto.id, f"{_INTERNAL}_{component.proto.id}__events"]
    chosen = random.sample(ids, min(len(ids), random.choice((1, 3, 9, len(ids)))))
    kept = [state for state in states.widgets if state.id not in chosen]
    own = {state.id: state.WhichOneof("value") for state in states.widgets}
    forgeries = [_forgery(random, id, own.get(id)) for id in chosen]
    return WidgetStates(widgets=[*kept, *forgeries])


# What a figure reports in a message of its own.
_EVENTS = ("cell", "query", "stop", "lap")


def _forgery(random: Random, id: str, field: str | None) -> WidgetState:
    """A value for a widget: of the kind that it has, and then out of all bounds, or of any other kind."""
    state = WidgetState(id=id)
    if "__events" in id:
        state.json_trigger_value = _json(random, trigger=True)
    elif field is None:
        state.json_value = _json(random, trigger=False)
    else:
        _fill(random, state, field if random.random() < 0.6 else random.choice(_FIELDS))
    return state


_FIELDS = (
    "trigger_value",
    "bool_value",
    "double_value",
    "int_value",
    "string_value",
    "double_array_value",
    "int_array_value",
    "string_array_value",
    "json_value",
    "bytes_value",
    "file_uploader_state_value",
    "string_trigger_value",
    "json_trigger_value",
)
_NUMBERS = (float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 1e309, 9999.0, -1.0, 0.5, 2.0**63, 5e-324)


def _fill(random: Random, state: WidgetState, field: str) -> None:
    text = random.choice([*TEXTS, DIGITS, _MEGABYTES])
    match field:
        case "trigger_value" | "bool_value":
            setattr(state, field, random.random() < 0.5)
        case "double_value":
            state.double_value = random.choice(_NUMBERS)
        case "int_value":
            state.int_value = random.choice((2**63 - 1, -(2**63), -1, 0, 9999))
        case "string_value":
            state.string_value = text
        case "double_array_value":
            state.double_array_value.data.extend(random.choices(_NUMBERS, k=random.choice((0, 1, 1, 2, 1000))))
        case "int_array_value":
            state.int_array_value.data.extend(random.choices((2**63 - 1, -1, 0), k=random.choice((0, 1, 2, 1000))))
        case "string_array_value":
            state.string_array_value.data.extend([text[:100_000]] * random.choice((0, 1, 2, 9)))
        case "json_value" | "json_trigger_value":
            setattr(state, field, _json(random, trigger=field != "json_value"))
        case "bytes_value":
            state.bytes_value = random.randbytes(random.choice((0, 1, 9, 100_000)))
        case "file_uploader_state_value":
            info = state.file_uploader_state_value.uploaded_file_info.add()
            info.file_id, info.size = random.choice(("", "another's", text[:99])), random.choice((0, 2**63))
            info.name = text[:200]
        case "string_trigger_value":
            state.string_trigger_value.data = text


def _json(random: Random, *, trigger: bool) -> str:
    """What a figure or a grid reports: where it was clicked, what was typed into it."""
    odd = (None, True, -1, 0, 1, 3, 63, 64, 10**30, 0.5, 1e308, "1", "weights", "", [], {}, [[]], {"figure": []}, "猫")
    figure = random.choice((*odd, "weights", "mask", "mask", "w_q", "mean", "tilde"))
    row, column = random.choice((*odd, 1, 2)), random.choice((*odd, 1, 2))
    sets = random.choice((*odd, ["head", 99], ["mask", "x"], ["mask", []], [{}, 1], ["head", "9" * 5000], ["mode", 0]))
    cell = {"figure": figure, "row": row, "column": column, "sets": sets}
    said = {
        "cell": random.choice((*odd, cell, cell, cell)),
        "query": random.choice((*odd, {"angle": row, "length": column}, {"angle": 1e308, "length": "nan"})),
        "stop": random.choice(odd),
        "lap": random.choice(odd),
        "edited_rows": random.choice(
            (*odd, {"0": {"0": figure}}, {"-1": {"x": 1}}, {"a": {}}, {"1": 5}, {"1": {"1": row}})
        ),
    }
    whole: Any = said
    if trigger:
        whole = [{"event": name, "value": said[name]} for name in _EVENTS]
        whole = random.choice((whole, whole, whole[0], whole * 500, odd, [{"event": figure}]))
    text = json.dumps(whole)
    return random.choice((*[text] * 9, text[:-1], NESTED, "", "NaN", f'{{"stop": {DIGITS}}}', DIGITS, "\x00"))


def send(at: AppTest, states: WidgetStates) -> AppTest:
    """The page after a message with these values."""
    return at._run(states)  # type: ignore[no-any-return]
