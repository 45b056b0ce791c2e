"""The value of a LaTeX formula of numbers, and how far the digits that it leaves out may change the value."""

import math
import re
from collections.abc import Callable

Rule = Callable[[list[float]], float]

_TOKEN = re.compile(r"\d+(?:\.\d+)?|\\[A-Za-z]+|\S")
_SPACES = re.compile(r"\\(?:left|right|textstyle|[,; ])(?![A-Za-z])")
_FUNCTIONS = {r"\cos": math.cos, r"\sin": math.sin, r"\tanh": math.tanh, r"\sqrt": math.sqrt}
_FUNCTIONS |= {r"\sigma": lambda x: 1 / (1 + math.exp(-x))}
_OPENING = {"(": ")", "{": "}", "|": "|"}


class NoNumbersError(ValueError):
    """The formula has a letter or dots, and cannot be computed."""


class _Reader:
    """expression: term ± term; term: factors with a dot or nothing between them; factor: atom, or one to a power."""

    def __init__(self, latex: str) -> None:
        self.left = _TOKEN.findall(_SPACES.sub(" ", latex))
        self.numbers: list[float] = []

    def next(self, wanted: str = "") -> str:
        if not self.left or (wanted and self.left[0] != wanted):
            raise NoNumbersError(f"{wanted} at {' '.join(self.left)}")
        return self.left.pop(0)

    def is_at(self, *tokens: str) -> bool:
        return bool(self.left) and self.left[0] in tokens

    def expression(self) -> Rule:
        terms = [self.term()]
        while self.is_at("+", "-"):
            sign, term = self.next(), self.term()
            terms.append(term if sign == "+" else lambda x, term=term: -term(x))
        return lambda x: sum(term(x) for term in terms)

    def term(self) -> Rule:
        factors = [self.factor()]
        while self.is_at(r"\cdot", "(", r"\frac", *_FUNCTIONS):
            if self.is_at(r"\cdot"):
                self.next()
            factors.append(self.factor())
        return lambda x: math.prod(factor(x) for factor in factors)

    def factor(self) -> Rule:
        if self.is_at("-"):
            self.next()
            inner = self.factor()
            return lambda x: -inner(x)
        base = self.atom()
        if not self.is_at("^"):
            return base
        self.next()
        power = self.power()
        return lambda x: base(x) ** power

    def power(self) -> int:
        """An exponent, which is whole and exact; the exponent of e is read by `atom` like other numbers."""
        if not self.is_at("{"):
            return int(self.next())
        at = self.left.index("}")
        digits, self.left = self.left[1:at], self.left[at + 1 :]
        return int("".join(digits))

    def atom(self) -> Rule:
        token = self.next()
        if token[0].isdigit():
            place = len(self.numbers)
            self.numbers.append(float(token))
            return lambda x: x[place]
        if token in _OPENING:
            inner = self.expression()
            self.next(_OPENING[token])
            return (lambda x: abs(inner(x))) if token == "|" else inner
        if token == r"\frac":
            above, below = self.atom(), self.atom()
            return lambda x: above(x) / below(x)
        if token in _FUNCTIONS:
            inner = self.factor()
            return lambda x: _FUNCTIONS[token](inner(x))
        if token == "e":
            self.next("^")
            exponent = self.atom()
            return lambda x: math.exp(exponent(x))
        if token == r"\infty":
            return lambda x: math.inf
        if token == r"\max":
            self.next("(")
            found = [self.expression()]
            while self.is_at(","):
                self.next()
                found.append(self.expression())
            self.next(")")
            return lambda x: max(one(x) for one in found)
        raise NoNumbersError(token)


def computed(latex: str) -> tuple[float, float]:
    """The value of a formula, and how far it may change if each number is replaced by one with the same four digits.

    NoNumbersError: the formula has letters or dots.
    """
    reader = _Reader(latex)
    rule = reader.expression()
    if reader.left:
        raise NoNumbersError(" ".join(reader.left))
    numbers = reader.numbers
    result, bound = rule(numbers), 1e-9
    for place, number in enumerate(numbers):
        half = 0.5 * 10.0 ** (math.floor(math.log10(number)) - 3) if number else 0.0
        other = rule([*numbers[:place], number + half, *numbers[place + 1 :]])
        bound += abs(other - result) if math.isfinite(other) else 0.0
    return result, 2 * bound
