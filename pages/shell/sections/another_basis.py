"""The die that draws another basis: the number of a basis in the link has no meaning as a quantity."""

from pages.shell.i18n import say
from pages.shell.layout import die as dice
from pages.shell.layout.part import part


@part
def die() -> None:
    dice.die("basis", say("control.basis.label"), say("control.basis.help"), key="another-basis")
