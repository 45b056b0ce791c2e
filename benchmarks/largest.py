"""The largest screen that the controls allow: 8 sentences of 64 tokens, 16 heads, d_model 512."""

import urllib.parse

WORDS = "\n".join(" ".join(f"word{sentence}x{token}" for token in range(64)) for sentence in range(8))
LARGEST = {"preset": "random", "d_model": 512, "heads": 16, "text": WORDS, "dropout": 0.1}


def address(base: str, **parameters: object) -> str:
    return f"{base}/?{urllib.parse.urlencode(parameters)}"
