"""A whole lecture as one page to print: each question with its choices, where its figure is, and the answer."""

from urllib.parse import urlencode

from pages.shell.exports.document import document
from pages.shell.exports.html import Markup, joined, tag
from pages.shell.i18n import say
from pages.shell.lectures.format import LETTERS, Lecture, Stop, Text, in_language
from pages.shell.state.reader import LECTURES
from pages.shell.state.registry import default
from pages.shell.state.url import written

# The page that has no path of its own.
_AT_ROOT = "walkthrough"


def made(name: str, lecture: Lecture, language: str, base: str) -> str:
    """The page. name: by which a link knows the lecture; base: the address of the app, with a slash at its end."""
    title = in_language(lecture.title, language)
    stops = (
        _stop(number, stop, language, base + _link(name, number, stop)) for number, stop in enumerate(lecture.stops, 1)
    )
    lead = (tag("p", say("lecture.minutes_planned", language, minutes=lecture.minutes)),) if lecture.minutes else ()
    return document("handout", title, joined(tag("h1", title), *lead, *stops), language)


def _stop(number: int, stop: Stop, language: str, link: str) -> Markup:
    def said(text: Text) -> str:
        return in_language(text, language)

    page = say(f"page.{stop.page}.title", language)
    choices = (tag("li", f"({letter}) ", said(one)) for letter, one in zip(LETTERS, stop.choices, strict=False))
    letter = f"({stop.right}) " if stop.right else ""
    answer = (tag("p", tag("strong", say("lecture.answer", language), " ", letter), said(stop.answer)),)
    return tag(
        "article",
        tag("h2", f"{number}. ", said(stop.question) or page),
        *((tag("ol", *choices),) if stop.choices else ()),
        *(answer if stop.answer else ()),
        *((tag("p", said(stop.look)),) if stop.look else ()),
        tag("p", page, ": ", tag("a", link, href=link), class_="link"),
    )


def _link(name: str, number: int, stop: Stop) -> str:
    """Of a lecture that the app ships, the stop; of one's own, which no other browser has, its screen."""
    if name in LECTURES:
        return f"?{urlencode({'lecture': name, 'stop': number})}"
    screen = {name: written(value) for name, value in stop.screen.items() if value != default(name)}
    asked = screen | ({"cell": stop.cell} if stop.cell else {})
    page = "" if stop.page == _AT_ROOT else stop.page
    return f"{page}{'?' if asked else ''}{urlencode(asked)}"
