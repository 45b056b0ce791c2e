"""A small dictionary: sentences of the grammar word by word in Portuguese, and the place of each word's counterpart.

In Portuguese an adjective follows its noun, and one word, `à` or `ao`, stands for two, `to the`: so a translation has
another order and another length than its sentence.
"""

from collections.abc import Sequence
from typing import NamedTuple

from attention.inputs.grammar import NOT_ASKED, VOCABULARY, read

# English noun to the Portuguese one, and whether it is feminine.
_NOUNS = {
    "fox": ("raposa", True),
    "owl": ("coruja", True),
    "hen": ("galinha", True),
    "cat": ("gato", False),
    "dog": ("cão", False),
    "bear": ("urso", False),
    "mouse": ("rato", False),
    "frog": ("rã", True),
}
# English adjective to the masculine and the feminine form.
_ADJECTIVES = {
    "red": ("vermelho", "vermelha"),
    "old": ("velho", "velha"),
    "shy": ("tímido", "tímida"),
    "big": ("grande", "grande"),
    "tiny": ("minúsculo", "minúscula"),
    "wise": ("sábio", "sábia"),
    "lazy": ("preguiçoso", "preguiçosa"),
}
_OTHERS = {"brings": "traz", "shows": "mostra", "sends": "envia", "leads": "leva", "today": "hoje", "then": "depois"}
_ARTICLES, _TO_THE = ("o", "a"), ("ao", "à")
# English word to every word that can stand for it in a translation.
MEANINGS: dict[str, tuple[str, ...]] = {
    **{noun: (there,) for noun, (there, _) in _NOUNS.items()},
    **{adjective: tuple(dict.fromkeys(forms)) for adjective, forms in _ADJECTIVES.items()},
    **{word: (there,) for word, there in _OTHERS.items()},
    "the": (*_ARTICLES, *_TO_THE),
    "to": _TO_THE,
}
FOREIGN = tuple(dict.fromkeys(word for words in MEANINGS.values() for word in words))
# The words of a layer that learned the dictionary: both languages, English first.
BOTH = (*VOCABULARY, *FOREIGN)


class Translation(NamedTuple):
    """The words of a translation; for each word of the sentence, the place, from 0, of its counterpart."""

    words: tuple[str, ...]
    targets: tuple[int, ...]


def translated(words: Sequence[str]) -> Translation:
    """A sentence of the grammar in Portuguese. A word without a translation stays as it is.

    ValueError: a sentence outside the grammar, or the name of what is wrong with it."""
    sentence = read(words)
    if sentence.fault:
        raise ValueError(f"{' '.join(words)!r} is no sentence of the grammar: {sentence.fault}")
    there: list[str] = []
    targets = [NOT_ASKED] * len(sentence.words)
    nouns = [at for at, name in enumerate(sentence.classes) if name == "noun"]
    for at, (word, name) in enumerate(zip(sentence.words, sentence.classes, strict=True)):
        if name in ("adjective", "to"):
            continue
        targets[at] = len(there)
        noun = next((place for place in nouns if place >= at), nouns[-1])
        feminine = _NOUNS.get(sentence.words[noun], ("", False))[1]
        if name == "the":
            fused = at > 0 and sentence.classes[at - 1] == "to"
            there.append((_TO_THE if fused else _ARTICLES)[feminine])
            if fused:
                targets[at - 1] = targets[at]
        elif name == "noun":
            there.append(_NOUNS.get(word, (word, False))[0])
            if sentence.classes[at - 1] == "adjective":
                targets[at - 1] = len(there)
                adjective = sentence.words[at - 1]
                there.append(_ADJECTIVES.get(adjective, (adjective, adjective))[feminine])
        else:
            there.append(_OTHERS.get(word, word))
    return Translation(tuple(there), tuple(targets))


def found(words: Sequence[str], context: Sequence[str]) -> tuple[int, ...]:
    """For each word, the place in the context, from 0, of the same word or of one with its meaning.

    A repeated word gets the places in order, if the context has as many of them; otherwise, and without one in the
    context, the place is NOT_ASKED. If the context has as many words for `to the` as there are `the` behind `to`, these
    are theirs, wherever they stand.
    """
    known, there = ([word.lower() for word in of] for of in (words, context))
    behind_to = [at > 0 and known[at - 1 : at + 1] == ["to", "the"] for at in range(len(known))]
    fused = [word in _TO_THE for word in there]
    is_paired = sum(behind_to) == sum(fused)
    targets = []
    for at, word in enumerate(known):
        places = [place for place, other in enumerate(there) if other == word or other in MEANINGS.get(word, ())]
        same = [place for place, other in enumerate(known) if other == word]
        if word == "the" and is_paired:
            places = [place for place in places if fused[place] == behind_to[at]]
            same = [place for place in same if behind_to[place] == behind_to[at]]
        targets.append(places[same.index(at)] if len(places) == len(same) else NOT_ASKED)
    return tuple(targets)


def gloss(word: str) -> str:
    """A word of the translations in English; "" for any other word."""
    meant = [english for english, there in MEANINGS.items() if word.lower() in there]
    # One word stands for these two in Portuguese, in this order.
    return " ".join(sorted(meant, key=("to", "the").index)) if len(meant) > 1 else "".join(meant)
