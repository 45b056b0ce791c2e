"""The questions as a path: the reason to ask one, and the next one."""

from collections.abc import Iterator

from pages.shell.i18n import say
from pages.shell.i18n.options import word
from pages.shell.screen import Screen
from pages.shell.state.page_controls import EXPERIMENTS, WhatIf
from pages.shell.views import blocks
from pages.shell.views.blocks import Block

# The stops of the path. The last question is beside it.
STOPS = EXPERIMENTS[:-1]


def why(screen: Screen) -> Iterator[Block]:
    """The reason to ask the open question."""
    yield blocks.text(say(f"what_if.why.{screen.own(WhatIf).what_if}"))


def onward(screen: Screen) -> Iterator[Block]:
    """A button for the next question."""
    at = EXPERIMENTS.index(screen.own(WhatIf).what_if) + 1
    if at == len(EXPERIMENTS):
        return
    following = EXPERIMENTS[at]
    named = {"stop": say(f"what_if.stop.{following}"), "question": word("what_if", following)}
    on_the_way = say("what_if.path.next", at=at + 1, of=len(STOPS), **named)
    label = on_the_way if following in STOPS else say("what_if.path.last", **named)
    yield blocks.buttons((label, None, {"what_if": following}))
