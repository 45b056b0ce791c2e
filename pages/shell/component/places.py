"""Two words on a line of places as data, dragged singly or both together: drawn by browser/places.js."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pages.shell.component.payload import sent


@dataclass(frozen=True)
class Places:
    """A query and a key at two of the places from 0 to `most`.

    labels: `query`, `key` and `both`, the names of what is held; `at`, a place in words with a hole `place`;
    `distance`, with a hole `places`; `kind` and `keys`, the kind of the figure and its use by keyboard. note: as in a
    `Chart`.
    """

    id: str
    title: str
    query: int
    key: int
    most: int
    labels: Mapping[str, str]
    note: str

    def sent(self) -> dict[str, Any]:
        """The data for the browser."""
        drawn = {"at": [self.query, self.key], "most": self.most}
        return sent(self.id, self.title, "", self.note, "places", drawn) | {"labels": dict(self.labels)}
