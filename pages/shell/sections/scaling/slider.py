"""The slider of d_k at the top of the page, and the die of its draws. The slider ends where the axes do; a link can ask
for more."""

from pages.shell.i18n import say
from pages.shell.layout.die import die
from pages.shell.layout.part import part
from pages.shell.layout.widgets import marked
from pages.shell.state.fields import Choice
from pages.shell.state.page_controls import Laboratory
from pages.shell.views.scaling import common


@part
def of_d_k() -> None:
    knob, last = Laboratory.knobs()["d"], common.reach(Laboratory.current())
    assert isinstance(knob, Choice)
    near = [option for option in knob.options if int(option) <= last]
    marked("d", options=near if last == common.NEAR else knob.options)


@part
def draw_again() -> None:
    die("lab_seed", say("lab.rows.again"), key="draw-again")
