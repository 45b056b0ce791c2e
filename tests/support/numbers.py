"""Numbers out of texts."""

import re


def numbers(text: str) -> list[float]:
    """All numbers of a text, NaN among them; without their signs."""
    found = re.findall(r"NaN|\d[\d,]*(?:\.\d+)?(?:e[+−-]\d+)?", text)
    return [float(number.replace(",", "").replace("−", "-")) for number in found]
