"""A player of steps as data, drawn by browser/player.js."""

from collections.abc import Callable

from pages.shell.component import mount
from pages.shell.component.strip import Told


def player(key: str, told: Told, on_choice: Callable[[], None]) -> None:
    """Draw back, play and next with a sentence under a fixed key.

    on_choice: called before the next run when a step was asked for, which then is `choice(key)["told"]`.
    """
    mount(key, {"player": {"at": told.at, "of": told.of, "text": told.text}}, on_choice_change=on_choice)
