"""A note that another mask has dropped the painted cells, with a button that brings them back."""

from collections.abc import Iterator

from pages.shell.i18n import say
from pages.shell.i18n.options import mask_word
from pages.shell.screen import Screen
from pages.shell.state.config import Config
from pages.shell.state.url import written
from pages.shell.views import blocks
from pages.shell.views.blocks import Block


def told(screen: Screen) -> Iterator[Block]:
    """The note, if the last change was to another mask, width or length, and cells were painted on the one before."""
    if screen.earlier is None or screen.config.painted:
        return
    was = Screen(screen.page, screen.earlier, screen.language).config
    if not was.painted or _under(was) == _under(screen.config):
        return
    name = mask_word(was.used_mask, is_painted=True)
    yield blocks.buttons(
        (say("paint.bring_back", mask=name), None, _under(was) | {"painted": was.painted}),
        said=say("paint.dropped"),
    )


def _under(config: Config) -> dict[str, str]:
    """The mask below painted cells, as parameters of an address."""
    return {"mask": config.used_mask, "width": written(config.width), "length": written(config.length)}
