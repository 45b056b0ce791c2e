"""From sentences to tokens to embeddings, the input of attention."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from attention.inputs.nested_normal import normal

PAD = "[PAD]"
# Characters of scripts without spaces between words: Chinese ones, hiragana and katakana, and those that change the one
# before them (the voicing marks of kana, variation selectors).
_HAN = "々〇\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9d"
_CHARACTER = f"[{_HAN}{_KANA}][\u3099\u309a\uff9e\uff9f\ufe00-\ufe0f\U000e0100-\U000e01ef]*"
_LETTER = rf"[^\W{_HAN}{_KANA}]"
_TOKEN = re.compile(rf"\[PAD\]|{_CHARACTER}|{_LETTER}+(?:['’-]{_LETTER}+)*|[^\w\s]")
_DIVIDED = re.compile(rf"{_CHARACTER}\w|{_LETTER}{_CHARACTER}")


@dataclass(frozen=True)
class Inputs:
    """A batch of sentences: tokens (batch of n strings, padded), their lengths, and x (batch, n, d_model)."""

    tokens: tuple[tuple[str, ...], ...]
    lengths: tuple[int, ...]
    x: Tensor


def tokenize(text: str) -> tuple[tuple[str, ...], ...]:
    """Split a text: one sentence per line, its words and punctuation marks are tokens; empty lines do not count.

    Chinese characters, hiragana and katakana are written without spaces: each character is a token, also beside Latin
    words ('GPT模型好' becomes GPT, 模, 型, 好). ValueError: a text without a token.
    """
    sentences = tuple(tuple(_TOKEN.findall(line)) for line in text.splitlines())
    sentences = tuple(sentence for sentence in sentences if sentence)
    if not sentences:
        raise ValueError("the text has no token; write at least one word")
    return sentences


def divided(text: str) -> bool:
    """Whether `tokenize` splits a text without spaces into characters."""
    return _DIVIDED.search(text) is not None


def pad(sentences: Sequence[Sequence[str]]) -> tuple[tuple[tuple[str, ...], ...], tuple[int, ...]]:
    """Sentences of different length as one batch: the padded tokens and the lengths before padding."""
    lengths = tuple(len(sentence) for sentence in sentences)
    longest = max(lengths)
    return tuple((*sentence, *[PAD] * (longest - len(sentence))) for sentence in sentences), lengths


def embedding(token: str, d_model: int, seed: int) -> Tensor:
    """The vector (d_model,), N(0, 1), of a token: it depends on the token and the seed alone.

    A larger d_model appends features; the first ones stay, bit for bit.
    """
    return normal(f"{seed}/{token}", d_model)


def position_vectors(n: int, d_model: int, seed: int) -> Tensor:
    """The vectors (n, d_model) added to the tokens at n positions, N(0, 1): a table of learned positions before any
    training. More positions, or features, leave the earlier ones as they are."""
    # No token contains a space, so no token has one of these seeds.
    return torch.stack([normal(f"{seed}/position {place}", d_model) for place in range(n)])


def embed(sentences: Sequence[Sequence[str]], d_model: int, seed: int) -> Inputs:
    """Tokenized sentences as one batch of embedded tokens, without positions."""
    tokens, lengths = pad(sentences)
    vectors = {token: embedding(token, d_model, seed) for sentence in tokens for token in sentence}
    x = torch.stack([torch.stack([vectors[token] for token in sentence]) for sentence in tokens])
    return Inputs(tokens, lengths, x)
