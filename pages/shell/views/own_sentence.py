"""A visitor's own sentence: typed in place of the shown one, and links to pages that can read others."""

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlencode

from attention.inputs.grammar import CLASSES, EXAMPLE
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
    """The data with which the browser lets a visitor type over the sentence; None if a preset fixes the words, or if
    there are several sentences: these are typed behind *Sentence*, one a line."""
    config = run.config
    if config.preset not in (LEARNED, RANDOM) or len(run.inputs.tokens) > 1:
        return None
    words = {kind: listed("comma", CLASSES[kind]) for kind in _KINDS}
    hint = say("own.grammar", **words) if config.preset == LEARNED else say("own.random")
    return typed("text", KNOBS["text"], config.text or config.sentence_of_preset, hint)


def typed(control: str, asked: object, text: str, hint: str) -> Mapping[str, object]:
    """A sentence that can be typed over, and its labels. control: the control that it sets, which asked describes;
    text: the shown sentence; hint: what can be typed."""
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


def nearest(words: Sequence[str]) -> str:
    """A sentence of the grammar with as many of the given words as fit into it."""
    of = [next((name for name, known in CLASSES.items() if word in known), "") for word in words]
    example = EXAMPLE.split()
    nouns = [word for word, name in zip(words, of, strict=True) if name == "noun"]
    nouns = list(dict.fromkeys([*nouns, *(word for word in example if word in CLASSES["noun"])]))[:3]
    # An adjective stays before its noun.
    pairs = zip(words, words[1:], of, of[1:], strict=False)
    like = {noun: word for word, noun, *names in pairs if names == ["adjective", "noun"]}
    named = [" ".join(filter(None, ("the", like.get(noun), noun))) for noun in nouns]
    verb = next((word for word, name in zip([*words, "brings"], [*of, "verb"], strict=True) if name == "verb"))
    opener = [words[0]] if of[:1] == ["opener"] else []
    return " ".join([*opener, named[0], verb, named[1], "to", named[2]])


def elsewhere(screen: Screen) -> Iterator[Block]:
    """For a sentence outside the grammar: one in words of the layer, and links to models that are made for other
    sentences, or that claim to understand none."""
    run = screen.run
    read = sentences(run.inputs.tokens) if run.config.preset == LEARNED else ()
    if not any(one.fault for one in read):
        return
    lines = [nearest(one.words) if one.fault else " ".join(one.words) for one in read]
    first = next(line for line, one in zip(lines, read, strict=True) if one.fault)
    known = say("own.known", nouns=listed("comma", CLASSES["noun"]), verbs=listed("comma", CLASSES["verb"]))
    yield blocks.buttons((first, None, {"text": "\n".join(lines), "cell": ""}), said=known)
    text, most = screen.config.text, Models.knobs()["model_text"]
    assert isinstance(most, Text)
    language = {"lang": screen.parameters["lang"]} if "lang" in screen.parameters else {}
    models = urlencode({**language, "model_text": " ".join(text.split())[: most.most]})
    # The link names the mask, because the preset of random weights would bring its own.
    drawn = urlencode({**language, "mask": screen.config.used_mask, "preset": RANDOM, "text": text})
    yield blocks.text(say("own.elsewhere", models=f"./models?{models}", random=f"./?{drawn}"))
