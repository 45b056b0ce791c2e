"""Numbers out of texts."""

import re

_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def exponents(text: str) -> str:
    """A text with its powers of ten as Python reads them."""
    return re.sub(" · 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda power: "e" + power[1].translate(_LOWERED), text)


def plain(text: str) -> str:
    """A text with its powers of ten and minus signs as Python reads them."""
    return exponents(text).replace("−", "-")


def numbers(text: str) -> list[float]:
    """All numbers of a text without their signs; NaN counts as a number."""
    found = re.findall(r"NaN|\d[\d,]*(?:\.\d+)?(?:e-?\d+)?", plain(text))
    return [float(number.replace(",", "")) for number in found]
