"""The slider of the length of the queries."""

from pages.shell.layout.part import part
from pages.shell.layout.widgets import widget
from pages.shell.state.todays_controls import Taming, stretches


@part
def slider() -> None:
    """The slider, which is the x axis of the figure below: its numbers stand under the places of the thumb."""
    widget("taming_stretch", options=stretches(Taming.current().taming_stretch))
