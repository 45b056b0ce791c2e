"""The controls that may stand beside an embedded figure."""

from pages.shell.state.config import KNOBS, looks, unused
from pages.shell.state.fields import Choice, Flag, Range, Text
from pages.shell.state.registry import ALL_FIELDS, BY_PAGE, OF_FIGURES, USES

# The kinds that a single input can hold. Cells, typed numbers and configurations are set in the app alone.
_KINDS = (Choice, Range, Flag, Text)
# Never beside a figure: `heads_off` and `trained` are written by the app, `device` is the server's.
_NEVER = frozenset({"heads_off", "device", "trained"})
# The shared controls that are offered in a list; the others can still be named in an address.
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
    """The names, among the possible ones, that the app offers to somebody who embeds a figure."""
    return tuple(name for name in possible(page) if name in _OFTEN or name not in KNOBS)
