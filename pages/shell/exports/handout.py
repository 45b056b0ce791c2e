"""A whole lecture as one page to print: each question with its choices, its figure, a link to it, and the answer."""

import base64
from urllib.parse import urlencode

from pages.shell.exports import qr_code, stop_picture
from pages.shell.exports.document import document
from pages.shell.exports.html import Markup, joined, tag
from pages.shell.i18n import say
from pages.shell.lectures.format import LETTERS, Lecture, Stop, Text, in_language
from pages.shell.runs import brought
from pages.shell.state.changes import at_first
from pages.shell.state.config import FILE
from pages.shell.state.reader import LECTURES
from pages.shell.state.url import written

# The page that has no path of its own.
_AT_ROOT = "walkthrough"
# A picture may take a second; a visitor's own lecture has up to 99 stops.
MOST_PICTURES = 30


def made(name: str, lecture: Lecture, language: str, base: str, *, answers: bool = True) -> str:
    """The page. name: the lecture's name in links; base: the address of the app, with a slash at its end.

    answers: whether answers follow their questions; without them, figures that a stop covers are left out, too."""
    title = in_language(lecture.title, language)
    stops = (
        _stop(number, stop, language, base + _link(name, number, stop), answers)
        for number, stop in enumerate(lecture.stops, 1)
    )
    lead = (tag("p", say("lecture.minutes_planned", language, minutes=lecture.minutes)),) if lecture.minutes else ()
    return document("handout", title, joined(tag("h1", title), *lead, *stops), language, pictures=True)


def _stop(number: int, stop: Stop, language: str, link: str, answers: bool) -> Markup:
    def said(text: Text) -> str:
        return in_language(text, language)

    page = say(f"page.{stop.page}.title", language)
    choices = (tag("li", f"({letter}) ", said(one)) for letter, one in zip(LETTERS, stop.choices, strict=False))
    letter = f"({stop.right}) " if stop.right else ""
    answer = (
        *(
            (tag("p", tag("strong", say("lecture.answer", language), " ", letter), said(stop.answer)),)
            * bool(stop.answer)
        ),
        *((tag("p", said(stop.look)),) * bool(stop.look)),
    )
    return tag(
        "article",
        _code(link, say("ui.share_picture", language)),
        tag("h2", f"{number}. ", said(stop.question) or page),
        *((tag("ol", *choices),) if stop.choices else ()),
        *(_picture(stop, language) if number <= MOST_PICTURES and (answers or not stop.cover) else ()),
        *((tag("p", say("lecture.of_file", language)),) * (stop.screen.get("preset") == FILE)),
        *(answer if answers else (tag("div", "", class_="room"),)),
        tag("p", page, ": ", tag("a", link, href=link), class_="link"),
    )


def _code(link: str, alt: str) -> Markup:
    sent = link.encode()
    # A code is useless without an address of the app.
    return (
        _image(qr_code.picture(sent), alt, "code")
        if link.startswith("http") and len(sent) <= qr_code.MOST
        else Markup()
    )


def _picture(stop: Stop, language: str) -> tuple[Markup, ...]:
    # Without its file the screen would show another layer.
    if stop.screen.get("preset") == FILE and brought.found(str(stop.screen.get("tensors"))) is None:
        return ()
    picture = stop_picture.drawn(stop, language)
    return () if picture is None else (_image(picture.svg.encode(), picture.sentence, "picture"),)


def _image(svg: bytes, alt: str, kind: str) -> Markup:
    data = base64.b64encode(svg).decode()
    return tag("img", src=f"data:image/svg+xml;base64,{data}", alt=alt, class_=kind)


def _link(name: str, number: int, stop: Stop) -> str:
    """The link to a stop of a shipped lecture, or to the screen of a visitor's own, which no other browser has."""
    if name in LECTURES:
        return f"?{urlencode({'lecture': name, 'stop': number})}"
    texts = {name: written(value) for name, value in stop.screen.items()}
    screen = {name: text for name, text in texts.items() if text != at_first(name, stop.page)}
    asked = screen | ({"cell": stop.cell} if stop.cell else {})
    page = "" if stop.page == _AT_ROOT else stop.page
    return f"{page}{'?' if asked else ''}{urlencode(asked)}"
