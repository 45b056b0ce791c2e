"""The questions of *What if* as a path: each with its number, or with a tick once it is answered."""

from pages.shell.layout.part import depends_on, part
from pages.shell.layout.widgets import widget
from pages.shell.views.experiments import path as views


@part
def path() -> None:
    depends_on(views.called)
    widget("what_if", called=views.called())
