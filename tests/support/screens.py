"""Screens of every kind, by name, and the walkthrough as it opens each of them."""

from functools import cache

import numpy as np

from pages.shell.screen import Screen
from tests.support.app import Sent, decoded, edited, figures, linked, payloads

SENTENCES = "one two three four five six\nseven, eight\n[PAD]\nnine"


# Sizes are pairwise distinct, so that no matrix fits in the place of another.
PRIMES = {"preset": "random", "text": SENTENCES, "heads": 3, "d_model": 33, "d_k": 13, "d_v": 7}


TYPED = ((0, 1, 2, 3.0), (1, 2, 12, -0.3), (2, 7, 5, 1000.0))


LINKS = {
    "default": {},
    "learned, masked": {"mask": "causal", "heads_off": "2,3"},
    "learned, trained with a mask": {"mask": "causal", "trained": True},
    "another draw": {"dropout": 0.3, "draw": 5, "heads": 2},
    "story": {"preset": "story"},
    "story without positions": {"preset": "story", "positions": "none"},
    "story with sinusoids, full": {"preset": "story", "positions": "sinusoidal", "mask": "full"},
    "notebook": {"preset": "notebook", "mask": "full"},
    "token by token": {"preset": "token_by_token", "mask": "full", "last": 1},
    "random": {"preset": "random"},
    "every step": PRIMES | {"bias": True, "dropout": 0.3, "last": 5, "scale": "d_k", "head": 2},
    "second sentence, third head": PRIMES | {"sentence": 2, "head": 3},
    "padding in sight": PRIMES | {"padding": False, "mask": "full", "sentence": 4},
    "padding hidden, no other mask": PRIMES | {"mask": "full", "sentence": 2},
    "rows that see nothing": PRIMES | {"mask": "window", "width": 1, "sentence": 2},
    "upper left corner": PRIMES | {"last": 3},
    "lower right corner": PRIMES | {"last": 3, "corner": "lower_right"},
    "prefix": PRIMES | {"mask": "prefix", "length": 3},
    "sliding window": PRIMES | {"mask": "causal & window", "width": 3},
    "painted": PRIMES | {"painted": "ABBABBCA"},
    "painted over nothing": PRIMES | {"mask": "full", "painted": "ABCD__"},
    "typed over": PRIMES | {"bias": True, "head": 2, "edited": edited(x=TYPED, w_q=TYPED, b_k=((1, 0, 3, 2.5),))},
    "the story typed over": {
        "preset": "story",
        "edited": edited("story", x=((0, 3, 7, -2.5),), w_o=((0, 2, 13, 0.1),)),
    },
    "nothing of it is there": {"preset": "notebook", "edited": edited("notebook", x=((0, 15, 15, 1.0),))},
    "variants of today": PRIMES
    | {"positions": "rotary", "d_k": 6, "kv_heads": "1", "qk_norm": True, "softcap": "1", "sink": "1", "last": 3},
    "linear biases": PRIMES | {"positions": "alibi"},
    "a file that nobody has open": {"preset": "file", "tensors": "0123456789abcdef" * 2},
    "a cache": PRIMES | {"positions": "learned", "kv_cache": "2", "sentence": 2},
    "unscaled": PRIMES | {"scale": "none"},
    "the common bug": PRIMES | {"scale": "sqrt_d_model"},
    "inference": PRIMES | {"dropout": 0.5, "mode": "inference"},
    "much dropout": PRIMES | {"dropout": 0.9, "seed": 3},
    "heads that do not divide": {"preset": "random", "d_model": 17, "heads": 5, "d_out": 7},
    "more heads than features": {"preset": "random", "d_model": 1, "heads": 16},
    "a single token": {"preset": "random", "text": "alone"},
    "no token": {"preset": "random", "text": "   "},
    "large": {"preset": "random", "text": "\n".join([" ".join(map(str, range(64)))] * 8), "d_model": 512, "heads": 16},
    "wide": {"preset": "random", "d_model": 512, "d_k": 320, "d_v": 384, "heads": 2, "bias": True},
    "too many": {"preset": "random", "text": "\n".join([" ".join(map(str, range(70)))] * 9), "mask": "full"},
}


@cache
def opened(link: str) -> Screen:
    """The walkthrough as a link opens it."""
    return linked(**LINKS[link])


def drawn(at, id: str) -> np.ndarray:
    return np.nan_to_num(figures(at)[id].z)


def apart(at) -> dict[str, Sent]:
    """The figures without a chapter; several rows of a page may have none."""
    rows = (sent for sent in payloads(at) if sent.get("chapter") == "")
    return {card["id"]: Sent(decoded(card), card) for sent in rows for card in sent["cards"] if "z" in card}
