"""Which controls may stand beside a figure that stands alone."""

from pages.shell.state.config import KNOBS, looks, unused
from pages.shell.state.fields import Choice, Flag, Range, Text
from pages.shell.state.registry import ALL_FIELDS, BY_PAGE, OF_FIGURES, USES

# What an input can hold; cells, typed numbers and configurations are set in the app, and travel in the address.
_KINDS = (Choice, Range, Flag, Text)
# Lists that the app writes, and where it computes.
_NEVER = frozenset({"heads_off", "device", "trained"})
# Of the controls that pages share, those that are offered: the others can be named in an address.
_OFTEN = ("heads", "d_k", "mask", "dropout", "text")


def possible(page: str) -> tuple[str, ...]:
    """The names of the controls that a figure of a page may have beside it: the page's own, then those that pages
    share."""
    pages = (page, *USES.get(page, ()))
    own = [name for one in pages for name in BY_PAGE[one].knobs()]
    shared = [name for name in KNOBS if name not in unused(page)] if looks(page) else []
    return tuple(
        name
        for name in dict.fromkeys((*own, *shared))
        if name not in OF_FIGURES | _NEVER and isinstance(ALL_FIELDS[name], _KINDS)
    )


def offered(page: str) -> tuple[str, ...]:
    """Those of them that somebody who embeds a figure chooses from."""
    return tuple(name for name in possible(page) if name in _OFTEN or name not in KNOBS)
