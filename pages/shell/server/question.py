"""The question of a browser to `/live`: which views of which screen. One text, whether it comes as GET or as POST."""

from dataclasses import dataclass, field
from typing import NoReturn
from urllib.parse import parse_qsl

from pages.shell.i18n import LANGUAGES

# Names that are no control: what remains of a question without them is the address of the screen.
RESERVED = frozenset(("view", "page", "language", "build", "before"))
# As Streamlit limits the addresses that it reads.
LONGEST, MOST_ARGUMENTS = 512 * 1024, 1000
MOST_VIEWS = 64
_Address = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Question:
    """A question that can be compared: two that ask for the same are equal, in whichever order their controls came.

    before: the address before the last change, where the browser told it. build: the one that the page came from; it
    decides how long the answer may be kept, and nothing in it. size: its bytes in memory,
    roughly.
    """

    page: str
    views: tuple[str, ...]
    parameters: _Address
    language: str
    before: _Address | None = None
    build: str = field(default="", compare=False)
    size: int = field(default=0, compare=False)

    def __str__(self) -> str:
        """Page and views, for the log: in the address may stand a visitor's own text."""
        return f"{self.page!r}, views {self.views}"[:200]

    @classmethod
    def of(cls, text: str) -> "Question":
        """The question that a query string holds. ValueError: a sentence that names what is wrong, and the choices."""
        arguments = _arguments("the question", text)
        given = dict(arguments)
        views = tuple(dict.fromkeys(value for name, value in arguments if name == "view"))
        if not 1 <= len(views) <= MOST_VIEWS:
            raise ValueError(f"view: a question names 1 to {MOST_VIEWS} views, this one {len(views)}")
        if not given.get("page"):
            _refuse("page", given.get("page"), "the name of a page")
        if given.get("language") not in LANGUAGES:
            _refuse("language", given.get("language"), " or ".join(LANGUAGES))
        before = given.get("before")
        parameters = _address(arguments)
        earlier = None if before is None else _address(_arguments("before", before))
        # Two strings and the pair of them are 200 bytes, beside what they say.
        size = len(text) + 200 * (len(parameters) + len(earlier or ()))
        return cls(given["page"], views, parameters, given["language"], earlier, given.get("build", ""), size)


def _arguments(what: str, text: str) -> list[tuple[str, str]]:
    try:
        # An empty text is a value: somebody has deleted the sentence.
        return parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_ARGUMENTS)
    except ValueError:
        raise ValueError(f"{what}: at most {MOST_ARGUMENTS} arguments, not {text.count('&') + 1}") from None


def _address(arguments: list[tuple[str, str]]) -> _Address:
    """The controls among the arguments, by name; of several values of one, the last."""
    return tuple(sorted((name, value) for name, value in dict(arguments).items() if name not in RESERVED))


def _refuse(name: str, came: str | None, choices: str) -> NoReturn:
    raise ValueError(f"{name}: {'missing' if came is None else repr(came[:40])}, where {choices} is asked for")
