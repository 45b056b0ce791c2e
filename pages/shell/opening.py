"""Turn a link into a valid screen: each value is limited before any widget reads it."""

import streamlit as st
from torch import Tensor

from pages.shell.i18n import spoken
from pages.shell.lectures import player
from pages.shell.runs.possible import nearest, other_than
from pages.shell.screen import Place, Screen
from pages.shell.state import rewritten
from pages.shell.state.reader import Reader
from pages.shell.state.registry import HOME
from pages.shell.state.settings import settings

_SEEN, _CHANGED, _UNKNOWN = "link_seen", "link_changed", "link_unknown"


def read() -> None:
    """Take the settings of a link, once a visit."""
    if _SEEN in st.session_state:
        return
    # Streamlit keeps the last value of a repeated parameter.
    st.session_state[_SEEN] = {name: ", ".join(st.query_params.get_all(name)) for name in st.query_params}
    settings().texts.update(st.query_params.to_dict())


def settle(page: str) -> None:
    """Change the settings of a link to the nearest valid ones, once a visit, and remember the changes."""
    came: dict[str, str] | None = st.session_state.get(_SEEN)
    if not came:
        return
    st.session_state[_SEEN] = {}
    parameters = dict(settings().texts)
    texts = nearest(page, came, parameters, player.possible(Reader.of(parameters)))
    # No control limits the cell: only a figure knows its cells.
    if came.get("cell") and not _is_there(page, came["cell"], parameters | texts):
        texts["cell"] = ""
    st.session_state[_CHANGED] = other_than(came, texts)
    st.session_state[_UNKNOWN] = rewritten.misspelt(parameters)
    settings().texts.update(texts | dict.fromkeys(st.session_state[_UNKNOWN], ""))
    settings().at += 1


def _is_there(page: str, cell: str, parameters: dict[str, str]) -> bool:
    """Whether a text names a cell that exists; for a step of the walkthrough the cells of the step are checked."""
    place = Place.of(cell)
    if place is None or page != HOME:
        return place is not None
    run = Screen(page, parameters, spoken()).run
    return (
        place.figure not in run.trace or not run.trace[place.figure].axes or _reaches(run.matrix(place.figure), place)
    )


def _reaches(matrix: Tensor, place: Place) -> bool:
    rows, columns = matrix.shape
    return place.row < rows and place.column < columns


def tell() -> None:
    """Tell the changes of the link, until the visitor has seen them."""
    told = rewritten.told(st.session_state.pop(_CHANGED, {}), st.session_state.pop(_UNKNOWN, ()))
    if told:
        st.toast(told, icon=":material/link:", duration="long")
