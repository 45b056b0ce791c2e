"""The slider of how long the queries are."""

from pages.shell.layout.part import part
from pages.shell.layout.widgets import widget
from pages.shell.state.todays_controls import Taming, stretches


@part
def slider() -> None:
    """The x axis of the figure below it, whose numbers stand under the places of its thumb."""
    widget("taming_stretch", options=stretches(Taming.current().taming_stretch))
