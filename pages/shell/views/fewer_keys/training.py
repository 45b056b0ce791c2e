"""A player for the further training with shared key heads. Its steps are those of the slider."""

from collections.abc import Iterator

from pages.shell.i18n import say
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import TRAINED_FOR, FewerKeys
from pages.shell.views import asked, blocks
from pages.shell.views.blocks import Block
from pages.shell.views.fewer_keys.layers import HEADS

# Milliseconds for a step, half of them for the heads' change of colour.
_READ = 500


def training(screen: Screen) -> Iterator[Block]:
    """A player of the training's steps, and the effect on the heads. Without sharing, a line says that there are no
    steps, once a step is asked for."""
    chosen = screen.own(FewerKeys)
    if int(chosen.kv_of_8) == HEADS:
        if int(chosen.kv_trained):
            yield blocks.text(say("fewer.nothing_shared"))
        return
    at = TRAINED_FOR.index(chosen.kv_trained) + 1
    names = {f"told_{name}": say(f"fewer.go.{name}") for name in ("back", "play", "stop", "next")}
    yield blocks.player(at, len(TRAINED_FOR), "", {"kv_trained": "{value}"}, 1, _READ, names, TRAINED_FOR)
    # After a guess, its verdict stands in this place.
    if not asked.is_moot("shared", screen):
        return
    if int(chosen.kv_trained):
        # Dragging key heads keeps the step, so a button goes back to averaging alone.
        again = (say("fewer.again"), None, {"kv_trained": ""})
        yield blocks.buttons(again, said=say("fewer.after", updates=chosen.kv_trained))
    else:
        yield blocks.text(say("fewer.met"))
