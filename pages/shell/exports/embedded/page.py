"""The page of a figure: all that its first picture needs, except the script and styles that all figures share."""

import json
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import urlencode

from pages.shell.exports.embedded.controls import described
from pages.shell.exports.embedded.figure import OWN, Figure
from pages.shell.exports.embedded.palettes import styles
from pages.shell.exports.embedded.picture import composed, svg
from pages.shell.exports.html import Markup, joined, tag
from pages.shell.i18n import say
from pages.shell.i18n.vocabulary import words
from pages.shell.views.context import context
from pages.shell.views.prose import html

_PAGE = Template(Path(__file__).with_suffix(".html").read_text(encoding="utf-8"))


def made(figure: Figure, build: str, links: Markup) -> str:
    """The page. build: the name of the sources behind the answer; links: further elements of its head."""
    page, language = figure.screen.page, figure.language
    said = []
    if "pending" in figure.view:
        said.append(tag("p", say("figure.computing", language), id="att-computing", role="status"))
    elif not figure.blocks:
        said.append(tag("div", tag("p", say("figure.empty", language)), class_="att-prose att-notice"))
    if figure.note:
        said.append(tag("div", Markup(html(figure.note)), class_="att-prose att-notice", role="status"))
    asked = [*sorted(figure.settings.items()), ("page", page), ("language", language), ("build", build)]
    return _PAGE.substitute(
        language=joined(say("app.language", language)),
        theme=figure.theme,
        title=joined(figure.title),
        sentence=joined(figure.sentence),
        styles=styles(),
        links=links,
        first=_first(figure),
        said=joined(*said),
        full=joined(figure.full),
        full_label=joined(say("figure.full", language, page=say(f"page.{page}.title", language))),
        asked=joined(urlencode([*asked, ("view", figure.name)])),
        answer=_json({"views": {figure.name: figure.view}}),
        given=_json(_given(figure, build)),
    )


def _first(figure: Figure) -> Markup:
    """A picture until plotly.js arrives, which is ten times as large as everything else."""
    if not any("chart" in card for card in figure.cards):
        return Markup("")
    drawing = composed.drawn(figure)
    picture = Markup(svg.written(drawing, figure.title, figure.sentence, say("app.language", figure.language)))
    return tag("div", picture, id="att-first")


def _given(figure: Figure, build: str) -> dict[str, Any]:
    """The data with which the browser's script starts (browser/alone.js)."""
    page, language = figure.screen.page, figure.language
    told = context(page, language, build)
    # These parameters change nothing in a view.
    told["reader"] = [*told["reader"], *OWN]
    return {
        "view": figure.name,
        "words": words(language),
        "context": told,
        "controls": [described(name, figure.screen) for name in figure.controls],
    }


def _json(data: object) -> str:
    """Data as JSON inside a script; no text in it can end the script."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
