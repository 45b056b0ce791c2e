"""Numbers formatted for readers."""

import math
from decimal import ROUND_HALF_UP, Decimal
from typing import SupportsFloat

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

_FRACTIONS = {1 / 4: "¼", 1 / 3: "⅓", 1 / 2: "½", 2 / 3: "⅔", 3 / 4: "¾"}


def digits(value: float, significant: int = 3) -> str:
    """A number with so many significant digits, a true minus and, if it is long, a power of ten."""
    if not math.isfinite(value):
        return {math.inf: "∞", -math.inf: "−∞"}.get(value, "–")
    # Adding 0 makes a negative zero positive.
    number, _, exponent = f"{value + 0.0:.{significant}g}".partition("e")
    if exponent and 0 <= int(exponent) < 6:
        number, exponent = f"{float(value):.0f}", ""
    return number.replace("-", "−") + _power(exponent)


def scientific(value: float, decimals: int = 1) -> str:
    """A number as a factor from 1 to 10 with so many decimals, times a power of ten: 7.1 · 10⁻⁶."""
    number, _, exponent = f"{value + 0.0:.{decimals}e}".partition("e")
    return number.replace("-", "−") + _power(exponent)


def _power(exponent: str) -> str:
    return f" · 10{str(int(exponent)).translate(_RAISED)}" if exponent else ""


def fixed(value: SupportsFloat, decimals: int = 2) -> str:
    """A number with so many decimals, a true minus and never a negative zero; halves are rounded away from 0, as people
    and browsers do."""
    number = float(value)
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    halves = number * 10**decimals * 2
    if halves % 2 == 1:
        # Check exactly whether the number is a half, since the product may have been rounded to one.
        number = float(Decimal(number).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP))
    return f"{round(number, decimals) + 0.0:.{decimals}f}".replace("-", "−")


def fraction(value: SupportsFloat) -> str:
    """The simple fraction that equals a number to two decimals, else the number with two decimals."""
    number = float(value)
    sign = "−" if number < 0 else ""
    return next((sign + glyph for part, glyph in _FRACTIONS.items() if abs(abs(number) - part) < 0.005), fixed(number))


def interval(low: str, high: str) -> str:
    """A range from low to high; one number if both are written alike."""
    return low if low == high else f"{low}–{high}"


def share(value: float) -> str:
    """A probability in per cent, with one decimal if it is near 0 or 1."""
    return f"{value:.0%}" if 0.1 <= value <= 0.9 or value in (0, 1) else f"{value:.1%}"


def percent(value: float) -> str:
    """A part in whole per cent. A part above 0 is never written as 0, nor one below 1 as 100."""
    written = f"{value:.0%}"
    if written == "0%" and value > 0:
        return "<1%"
    return ">99%" if written == "100%" and value < 1 else written


def binary(count: float) -> str:
    """Bytes in the largest unit of 1,024 in which the number is at least 1."""
    units = ("B", "KiB", "MiB", "GiB", "TiB")
    power = max(0, min(len(units) - 1, (int(count).bit_length() - 1) // 10))
    return f"{digits(count / 1024**power)} {units[power]}"


def decimal(count: float, unit: str) -> str:
    """A number of a unit with the largest prefix of 1,000 that leaves at least 1: 3.22 GFLOP."""
    prefixes = ("", "k", "M", "G", "T", "P", "E")
    power = max(0, min(len(prefixes) - 1, (len(str(int(count))) - 1) // 3))
    return f"{digits(count / 1000**power)} {prefixes[power]}{unit}"


def duration(seconds: float) -> str:
    """A time in the largest unit in which the number is at least 1: 3.2 ms."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{digits(seconds / size)} {unit}"
    return f"{digits(seconds * 1e6)} µs"


def apart(difference: SupportsFloat) -> str:
    """The difference of two computations: 0 is exact, rounding is a power of ten, anything larger is a number."""
    far = float(difference)
    return digits(far) if far == 0 or not far < 1e-3 else scientific(far)
