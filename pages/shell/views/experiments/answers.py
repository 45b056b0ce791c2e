"""The answers to the question of an intervention, the right one, and the words of the verdict."""

from collections.abc import Mapping, Sequence

import torch

from pages.shell.i18n import listed, say, with_and
from pages.shell.state.page_controls import WhatIf
from pages.shell.views import naming
from pages.shell.views.experiments.after import After, ends_at

# The answers to each question, in the order in which they are offered. `moves`: the arcs change.
_ANSWERS: Mapping[str, Sequence[str]] = {
    "sentence": ("stays", "places", "moves", "differs"),
    "importance": ("stays", "less", "moves"),
    "tied": ("stays", "others", "moves", "differs"),
    "keys": ("nowhere", "stays", "moves"),
    "queries": ("nowhere", "stays", "moves"),
    "values": ("nowhere", "stays", "moves"),
    "mistakes": ("stays", "moves", "less"),
    "columns": ("stays", "numbers", "moves"),
    "basis": ("stays", "scores", "moves"),
}
# Questions about the end of each head's widest arc, with the answer for heads that no other answer fits.
_WHERE = {"tied": "others", "sentence": "moves"}
# The answer that counts if two fit a head: its arc ended at the word itself before, or its word has kept its place.
_FIRST = {"tied": "moves", "sentence": "stays"}


def question(chosen: WhatIf) -> str:
    """The question of the open experiment, by id."""
    return chosen.shifted if chosen.what_if == "bias" else chosen.what_if


def offered(asked: str) -> dict[str, str]:
    return {answer: say(f"what_if.answer.{asked}.{answer}") for answer in _ANSWERS[asked]}


def right(made: After, asked: str, guessed: str = "") -> str:
    """The id of the right answer. An answer about the ends of arcs must fit every head. If two do, the guessed one is
    right."""
    if asked in _WHERE:
        every = [answer for answer, heads in _ends(made, asked).items() if len(heads) == len(made.was)]
        return guessed if guessed in every else next(iter(every), "differs")
    return made.found or ("moves" if made.moves else "stays")


def so(made: After, asked: str, answer: str) -> str:
    """The sentence about the arcs: their ends or, if these are the same, that only the weights differ."""
    if asked in _WHERE and answer == "stays" and made.moves:
        return say("what_if.so.weights")
    return say(f"what_if.so.{asked}.{answer}", word=naming.quoted(made.run.labels["query"], made.query))


def by_head(made: After, asked: str, answer: str) -> str:
    """The ends of arcs by head, each head counted once; "" if one answer fits all heads."""
    if answer != "differs":
        return ""
    ends, first = _ends(made, asked), _FIRST[asked]
    ends = {
        one: heads if one == first else [head for head in heads if head not in ends[first]]
        for one, heads in ends.items()
    }
    return listed(
        "sentence",
        [
            say(
                f"what_if.by_head.{'one' if len(heads) == 1 else 'more'}",
                where=naming.opened(say(f"what_if.answer.{asked}.{one}")),
                count=len(heads),
                all=len(made.was),
                heads=with_and([str(head) for head in heads]),
            )
            for one, heads in ends.items()
            if heads
        ],
    )


def _ends(made: After, asked: str) -> dict[str, list[int]]:
    """For each answer, the heads (from 1) whose widest arc it fits."""
    places = made.was.argmax(-1)
    found = {"stays": ends_at(made.in_place, places)}
    if asked == "tied":
        found["moves"] = ends_at(made.in_place, torch.full_like(places, made.own))
    else:
        found["places"] = ends_at(made.now, places)
    found[_WHERE[asked]] = [not any(head) for head in zip(*found.values(), strict=True)]
    return {answer: [head for head, is_so in enumerate(found[answer], 1) if is_so] for answer in _ANSWERS[asked][:-1]}
