"""Values as text: how the URL writes them, and whether two spellings are one number."""

from typing import Any

from pages.shell.state.fields import number

_SWITCHES = {"1": "true", "0": "false"}


def written(value: Any) -> str:
    """A value as a bound widget writes it into the URL."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def means(raw: str, value: str) -> bool:
    """Whether the raw text is another spelling of the same number, or of the same switch."""
    read = number(raw)
    return _SWITCHES.get(raw) == value or (read is not None and read == number(value))
