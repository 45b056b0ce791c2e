"""The data that the browser needs to ask for views (browser/live.js)."""

from functools import cache
from typing import Any

from pages.shell.i18n import say
from pages.shell.i18n.options import size_of_heads, word
from pages.shell.screen import VIEW
from pages.shell.state import beside_figures
from pages.shell.state.changes import NAMES, at_first
from pages.shell.state.config import AUTO
from pages.shell.state.fields import Choice
from pages.shell.state.reader import Reader
from pages.shell.state.registry import ALL_FIELDS, BY_PAGE, HOME, IN_BAR, OF_FIGURES


def context(page: str, language: str, build: str) -> dict[str, Any]:
    """The context of a page, in the form that `component.words` takes."""
    return {
        "page": page,
        "figures": page in BY_PAGE,
        "language": language,
        "build": build,
        "controls": {name: at_first(name, page) for name in sorted(NAMES)},
        "words": _words(language),
        "reader": list(Reader.knobs()),
        "looks": [*VIEW, *sorted(OF_FIGURES)],
        "explained": _explained(page, language),
        "beside": _beside(page, language),
    }


@cache
def _explained(page: str, language: str) -> dict[str, str]:
    """Explanations of the controls of the bar."""
    opens = {
        # On that page the sentence is typed in its figure, and the bar has the preset in its place.
        "more": say("bar.more_words_help", language) if page == HOME else say("bar.more_help", language),
        "words": say("bar.words_help", language),
        "pin": say("pin.help", language),
        "pin-go": say("pin.go_help", language),
        "kept": say("pin.kept_help", language),
    }
    return opens | {name: say(f"control.{name}.help", language) for name in IN_BAR}


@cache
def _beside(page: str, language: str) -> list[list[str]]:
    """The controls that a figure of a page can take along when it is embedded elsewhere: name and label."""
    names = beside_figures.offered(page) if page in BY_PAGE else ()
    return [[name, say(f"control.{name}.label", language)] for name in names]


@cache
def _words(language: str) -> dict[str, dict[str, str]]:
    """The setting that each word stands for, for sliders that show words."""
    sliders = {name: knob.options for name, knob in ALL_FIELDS.items() if isinstance(knob, Choice) and knob.ordered}
    shown = {name: {word(name, one, language): one for one in options} for name, options in sliders.items()}
    models = ALL_FIELDS["d_model"]
    assert isinstance(models, Choice)
    shown["d_k"] |= {size_of_heads(d_model, language): AUTO for d_model in models.options}
    return {name: words for name, words in shown.items() if any(word != one for word, one in words.items())}
