"""The training on with shared key heads, to play: its slider has the same steps."""

from collections.abc import Iterator

from pages.shell.i18n import say
from pages.shell.screen import Screen
from pages.shell.state.todays_controls import TRAINED_FOR, FewerKeys
from pages.shell.views import asked, blocks
from pages.shell.views.blocks import Block
from pages.shell.views.fewer_keys.layers import HEADS

# Milliseconds for a step: heads need half of them to come to their new colours.
_READ = 500


def training(screen: Screen) -> Iterator[Block]:
    """The steps of the training, to play, and what it does to the heads; where nothing is shared, that there are none,
    once one asks for them."""
    chosen = screen.own(FewerKeys)
    if int(chosen.kv_of_8) == HEADS:
        if int(chosen.kv_trained):
            yield blocks.text(say("fewer.nothing_shared"))
        return
    at = TRAINED_FOR.index(chosen.kv_trained) + 1
    names = {f"told_{name}": say(f"fewer.go.{name}") for name in ("back", "play", "stop", "next")}
    yield blocks.player(at, len(TRAINED_FOR), "", {"kv_trained": "{value}"}, 1, _READ, names, TRAINED_FOR)
    # Who guessed has the verdict in this place.
    if not asked.is_moot("shared", screen):
        return
    if int(chosen.kv_trained):
        # Steps stay where they are while key heads are dragged: what averaging alone costs is one click away.
        again = (say("fewer.again"), None, {"kv_trained": ""})
        yield blocks.buttons(again, said=say("fewer.after", updates=chosen.kv_trained))
    else:
        yield blocks.text(say("fewer.met"))
