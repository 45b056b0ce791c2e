"""The question of a browser about a screen, for figures (`/live`) or for a file (`/file`): one text, as GET or POST."""

from dataclasses import dataclass, field
from http import HTTPStatus
from typing import NoReturn
from urllib.parse import parse_qsl

from starlette.requests import Request

from pages.shell.i18n import LANGUAGES
from pages.shell.server.body import read

# Names of a question that are no controls; the other arguments are the address of the screen.
RESERVED = frozenset(("view", "page", "language", "build", "before", "file", "app", "sheets"))
# Streamlit's own limits of an address.
LONGEST, MOST_ARGUMENTS = 512 * 1024, 1000
MOST_VIEWS = 64
FORM = "application/x-www-form-urlencoded"
_Address = tuple[tuple[str, str], ...]


class RefusedError(Exception):
    """A request that holds no question, with the status and the sentence that its sender gets."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


async def text_of(request: Request) -> str:
    """The text of a question: the query string or, if it is long or was typed by hand, the body of a form."""
    if request.method == "POST":
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != FORM:
            said = f"content-type: {kind[:40]!r}, where {FORM} is asked for"
            raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, said)
        asked = await read(request, LONGEST)
    else:
        asked = request.scope["query_string"]
    if asked is None or len(asked) > LONGEST:
        raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a question has at most {LONGEST} characters")
    return asked.decode("latin-1")


@dataclass(frozen=True)
class Shown:
    """The screen of a question: a page, its settings by name, a language."""

    page: str
    parameters: _Address
    language: str

    @classmethod
    def of(cls, arguments: list[tuple[str, str]]) -> "Shown":
        """The screen of a question's arguments. ValueError: a sentence that names what is wrong, and the choices."""
        given = dict(arguments)
        if not given.get("page"):
            _refuse("page", given.get("page"), "the name of a page")
        if given.get("language") not in LANGUAGES:
            _refuse("language", given.get("language"), " or ".join(LANGUAGES))
        return cls(given["page"], _address(arguments), given["language"])


@dataclass(frozen=True)
class Question:
    """A question for figures. Two questions for the same are equal, in whichever order their controls came.

    before: the address before the last change, if the browser tells it. build: the build of the page that asks, which
    decides how long the answer may be kept and nothing else. size: roughly the bytes of the question in memory.
    """

    shown: Shown
    views: tuple[str, ...]
    before: _Address | None = None
    build: str = field(default="", compare=False)
    size: int = field(default=0, compare=False)

    @property
    def names_a_file(self) -> bool:
        """Whether the screen shows a visitor's own file, now or before the last change; its answer may not be kept."""
        return any(name == "tensors" for name, _ in (*self.shown.parameters, *(self.before or ())))

    def __str__(self) -> str:
        """Page and views, for the log, without the address, which may hold a visitor's own text."""
        return f"{self.shown.page!r}, views {self.views}"[:200]

    @classmethod
    def of(cls, text: str) -> "Question":
        """The question that a text holds. ValueError: a sentence that names what is wrong, and the choices."""
        arguments = arguments_of(text)
        given = dict(arguments)
        views = tuple(dict.fromkeys(value for name, value in arguments if name == "view"))
        if not 1 <= len(views) <= MOST_VIEWS:
            raise ValueError(f"view: a question names 1 to {MOST_VIEWS} views, this one {len(views)}")
        before = given.get("before")
        shown = Shown.of(arguments)
        earlier = None if before is None else _address(arguments_of(before, "before"))
        # Two strings and their pair take 200 bytes beside their characters.
        size = len(text) + 200 * (len(shown.parameters) + len(earlier or ()))
        return cls(shown, views, earlier, given.get("build", ""), size)


def arguments_of(text: str, what: str = "the question") -> list[tuple[str, str]]:
    try:
        # An empty value counts, as when a visitor has deleted the sentence.
        return parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_ARGUMENTS)
    except ValueError:
        raise ValueError(f"{what}: at most {MOST_ARGUMENTS} arguments, not {text.count('&') + 1}") from None


def _address(arguments: list[tuple[str, str]]) -> _Address:
    """The controls among the arguments, sorted by name; the last value of a repeated one counts."""
    return tuple(sorted((name, value) for name, value in dict(arguments).items() if name not in RESERVED))


def _refuse(name: str, came: str | None, choices: str) -> NoReturn:
    raise ValueError(f"{name}: {'missing' if came is None else repr(came[:40])}, where {choices} is asked for")
