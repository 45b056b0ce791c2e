"""The slider of the only setting in which A and B differ, if that setting has a scale."""

from pages.shell.layout.part import depends_on, part
from pages.shell.layout.widgets import widget
from pages.shell.state.config import Config
from pages.shell.state.page_controls import Compare
from pages.shell.views.compare import changes


def control() -> str:
    """The control above the figure, "" for none; the control bar leaves it out."""
    b = Config.current()
    found = changes.changed(Compare.current().beside(b), b)
    return found if found in changes.SCALED else ""


@part
def slider() -> None:
    depends_on(control)
    if name := control():
        b = Config.current()
        widget(name, options=changes.steps(Compare.current().beside(b), b, name))
