"""Which questions are asked of a screen: those whose right answer, as it is written, is right there."""

from collections.abc import Callable
from dataclasses import replace

from pages.shell.state.config import DEFAULTS, Config

# Where one looks changes no number.
_LOOKED = ("sentence", "head", "device")


def opens_story(config: Config) -> bool:
    """The story as it opens: the numbers in its questions are those of its own positions, mask and scale."""
    kept = {name: getattr(DEFAULTS, name) for name in _LOOKED}
    return replace(config, **kept) == replace(DEFAULTS, preset="story")


def rows_sum_to_one(config: Config) -> bool:
    """A sink takes its share of every row."""
    return config.sink == DEFAULTS.sink


# By question; those that are not named here are asked of every screen.
_ASKED: dict[str, Callable[[Config], bool]] = {
    "sums": rows_sum_to_one,
    "creature": opens_story,
    "forest": opens_story,
}


def is_asked(question: str, config: Config) -> bool:
    return _ASKED.get(question, lambda _: True)(config)
