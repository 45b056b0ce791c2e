"""A sentence of one's own: typed in the place of the one that is shown, and where else it can be read."""

from collections.abc import Iterator, Mapping
from urllib.parse import urlencode

from attention.inputs.grammar import CLASSES
from pages.shell.i18n import listed, say
from pages.shell.runs.learned import sentences
from pages.shell.runs.run import Run
from pages.shell.screen import Screen
from pages.shell.state.config import KNOBS, LEARNED, RANDOM
from pages.shell.state.fields import Text
from pages.shell.state.page_controls import Models
from pages.shell.views import blocks
from pages.shell.views.blocks import Block

_KINDS = ("opener", "noun", "adjective", "verb")


def editing(run: Run) -> Mapping[str, object] | None:
    """What the browser needs to let somebody type over the sentence; None where a preset fixes the words, or there are
    several sentences: these are typed behind *Sentence*, a line each."""
    config = run.config
    if config.preset not in (LEARNED, RANDOM) or len(run.inputs.tokens) > 1:
        return None
    words = {kind: listed("comma", CLASSES[kind]) for kind in _KINDS}
    hint = say("own.grammar", **words) if config.preset == LEARNED else say("own.random")
    return typed("text", KNOBS["text"], config.text or config.sentence_of_preset, hint)


def typed(control: str, asked: object, text: str, hint: str) -> Mapping[str, object]:
    """A sentence that is typed over, and the words around it. control: what it sets, which asked describes; text: the
    sentence that is shown; hint: what can be typed."""
    assert isinstance(asked, Text)
    return {
        "sets": control,
        "text": text.strip(),
        "most": asked.most,
        "hint": hint,
        "edit": say("own.edit"),
        "label": say("own.label"),
        "keep": say("own.keep"),
        "leave": say("own.leave"),
    }


def elsewhere(screen: Screen) -> Iterator[Block]:
    """Outside the grammar: ways to models that are made for other sentences, or that claim to understand none."""
    run = screen.run
    if run.config.preset != LEARNED or not any(one.fault for one in sentences(run.inputs.tokens)):
        return
    text, most = screen.config.text, Models.knobs()["model_text"]
    assert isinstance(most, Text)
    language = {"lang": screen.parameters["lang"]} if "lang" in screen.parameters else {}
    models = urlencode({**language, "model_text": " ".join(text.split())[: most.most]})
    # The mask stays as it is: the preset of random weights would bring one of its own.
    drawn = urlencode({**language, "mask": screen.config.used_mask, "preset": RANDOM, "text": text})
    yield blocks.text(say("own.elsewhere", models=f"./models?{models}", random=f"./?{drawn}"))
