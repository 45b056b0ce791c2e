"""A small grammar in which nearly every word asks a question that one other word answers.

`[today|then] the [adj] NOUN VERB the [adj] NOUN to the [adj] NOUN`: 8 to 12 words, three different nouns. The verb
asks who, whom and to whom, a noun each; `the`, adjectives and `to` ask whose, the next noun; a noun asks what it is
like, the word before it; openers ask nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import torch
from torch import Generator, Tensor

CLASSES: dict[str, tuple[str, ...]] = {
    "noun": ("fox", "owl", "hen", "cat", "dog", "bear", "mouse", "frog"),
    "adjective": ("red", "old", "shy", "big", "tiny", "wise", "lazy"),
    "verb": ("brings", "shows", "sends", "leads"),
    "opener": ("today", "then"),
    "the": ("the",),
    "to": ("to",),
}
VOCABULARY = tuple(word for words in CLASSES.values() for word in words)
QUESTIONS = ("who", "whom", "to_whom", "whose", "like")
# The possible answers of each question; the last one of `like` means that there is no adjective.
NOTHING = "-"
ANSWERS = (*[CLASSES["noun"]] * 4, (*CLASSES["adjective"], NOTHING))
EXAMPLE = "today the old fox brings the owl to the shy hen"
LENGTHS = range(8, 13)
NOT_ASKED = -1

_CLASS = {word: name for name, words in CLASSES.items() for word in words}
_INDEX = {word: index for index, word in enumerate(VOCABULARY)}
# (Question, id of the answering word) to the index of the answer; any other word gives NOTHING.
_ANSWER = torch.tensor(
    [[of.index(word) if word in of else len(of) - 1 for word in VOCABULARY] for of in ANSWERS], dtype=torch.long
)
# A sentence as one letter per word: the first letter of its class, T for "the".
_LETTERS = {"noun": "n", "adjective": "a", "verb": "v", "opener": "o", "the": "T", "to": "t", "": "?"}
_SENTENCE = re.compile("o?Ta?nvTa?ntTa?n")
_NOUN, _UNKNOWN = re.compile("n"), re.compile(r"(?<=[Ta])\?")


class Asked(NamedTuple):
    """The word at `place` asks a question (an index of QUESTIONS); the word at `target` answers it. All from 0."""

    place: int
    question: int
    target: int


@dataclass(frozen=True)
class Sentence:
    """Words with their classes ("" for a word without one) and their questions; no questions outside the grammar.

    strange: the words that are not in the vocabulary; fault: an id that says why the sentence is outside, or "".
    """

    words: tuple[str, ...]
    classes: tuple[str, ...]
    asked: tuple[Asked, ...]
    strange: tuple[str, ...] = ()
    fault: str = ""

    @property
    def verb(self) -> int:
        """The place of the verb, -1 without one."""
        return self.classes.index("verb") if "verb" in self.classes else -1


@dataclass(frozen=True)
class Pool:
    """Sentences of one length n: ids (count, n); answers and targets, (count, n, questions), NOT_ASKED for the rest."""

    ids: Tensor
    answers: Tensor
    targets: Tensor


def read(words: Sequence[str]) -> Sentence:
    """A typed sentence. A word that is not in the vocabulary has the class of its place: after `the` or an adjective
    it is an adjective if such a word or a noun follows, else a noun; anywhere else it has none."""
    return _read(tuple(words))


# Cached, because an answer of the app asks for its few sentences two dozen times.
@lru_cache(maxsize=64)
def _read(words: tuple[str, ...]) -> Sentence:
    known = tuple(word.lower() for word in words)
    letters = "".join(_LETTERS[_CLASS.get(word, "")] for word in known)
    while unknown := _UNKNOWN.search(letters):
        at = unknown.start()
        letter = "a" if letters[at + 1 : at + 2] in ("n", "?") else "n"
        letters = letters[:at] + letter + letters[at + 1 :]
    names = {letter: name for name, letter in _LETTERS.items()}
    classes = tuple(names[letter] for letter in letters)
    strange = tuple(dict.fromkeys(word for word in known if word not in _CLASS))
    nouns = [word for word, letter in zip(known, letters, strict=True) if letter == "n"]
    fault = ""
    if "?" in letters:
        fault = "class"
    elif not _SENTENCE.fullmatch(letters):
        fault = "order"
    elif len(set(nouns)) < len(nouns):
        fault = "nouns"
    return Sentence(known, classes, () if fault else tuple(_asks(letters)), strange, fault)


def _asks(letters: str) -> Iterator[Asked]:
    nouns = [found.start() for found in _NOUN.finditer(letters)]
    for place, letter in enumerate(letters):
        if letter == "v":
            yield from (Asked(place, question, noun) for question, noun in enumerate(nouns))
        elif letter in "Tat":
            yield Asked(place, QUESTIONS.index("whose"), min(noun for noun in nouns if noun > place))
        elif letter == "n":
            yield Asked(place, QUESTIONS.index("like"), place - 1)


def answers(sentence: Sentence) -> Tensor:
    """The right answers (n, questions), NOT_ASKED where nothing is asked or the answer is not in the vocabulary."""
    found = torch.full((len(sentence.words), len(QUESTIONS)), NOT_ASKED)
    for place, question, target in sentence.asked:
        if sentence.words[target] in _INDEX:
            found[place, question] = _ANSWER[question][_INDEX[sentence.words[target]]]
    return found


def vectors(sentence: Sentence, words: Tensor) -> Tensor:
    """The vector of each word (n, d_model), from `words` (vocabulary, d_model); a word that is not in the vocabulary
    gets the mean of its class, or zero if it has none."""
    means = {name: words[[_INDEX[word] for word in of]].mean(0) for name, of in CLASSES.items()}
    return torch.stack(
        [
            words[_INDEX[word]] if word in _INDEX else means.get(name, torch.zeros_like(words[0]))
            for word, name in zip(sentence.words, sentence.classes, strict=True)
        ]
    )


def pools(each: int, generator: Generator) -> tuple[Pool, ...]:
    """`each` drawn sentences of each length: a batch of one length needs no padding. ValueError: no sentence at all."""
    if each < 1:
        raise ValueError(f"each must be at least 1, got {each}")
    made = []
    for length in LENGTHS:
        shapes = [extras for extras in product((False, True), repeat=4) if sum(extras) == length - LENGTHS[0]]
        counts = torch.randint(len(shapes), (each,), generator=generator).bincount(minlength=len(shapes)).tolist()
        drawn = [_drawn(extras, count, generator) for extras, count in zip(shapes, counts, strict=True) if count]
        parts = zip(*((pool.ids, pool.answers, pool.targets) for pool in drawn), strict=True)
        made.append(Pool(*(torch.cat(part) for part in parts)))
    return tuple(made)


def _drawn(extras: tuple[bool, ...], count: int, generator: Generator) -> Pool:
    """Sentences of one shape. extras: whether there is an opener, and an adjective for each noun."""
    opener, *adjectives = extras
    adjective = ["a" * one for one in adjectives]
    letters = f"{'o' * opener}T{adjective[0]}nvT{adjective[1]}ntT{adjective[2]}n"
    nouns = torch.rand(count, len(CLASSES["noun"]), generator=generator).argsort(-1)
    names, columns, noun = {letter: name for name, letter in _LETTERS.items()}, [], 0
    for letter in letters:
        of = CLASSES[names[letter]]
        index = torch.randint(len(of), (count,), generator=generator)
        if letter == "n":
            index, noun = nouns[:, noun], noun + 1
        columns.append(index + _INDEX[of[0]])
    ids = torch.stack(columns, -1)
    answers = torch.full((count, len(letters), len(QUESTIONS)), NOT_ASKED)
    targets = answers.clone()
    for place, question, target in _asks(letters):
        targets[:, place, question] = target
        answers[:, place, question] = _ANSWER[question][ids[:, target]]
    return Pool(ids, answers, targets)
