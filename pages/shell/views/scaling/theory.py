"""The theory of q·k with numbers, and the cases beyond a variance that grows as d_k."""

import itertools
from collections.abc import Iterator
from dataclasses import replace

import pandas as pd

from attention.experiments.distributions import distribution
from attention.experiments.dot_products import Pairs
from attention.explain.latex import number, signed
from pages.shell.i18n import listed, say
from pages.shell.i18n.numbers import digits
from pages.shell.screen import Screen
from pages.shell.state.page_controls import Laboratory
from pages.shell.views import blocks
from pages.shell.views.blocks import Block
from pages.shell.views.registry import named
from pages.shell.views.scaling import common, variance
from pages.shell.views.waiting import result


def formulas(pairs: Pairs, d: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The mean and the variance of q·k in lines of LaTeX: the terms that are not 0 here, their numbers, the result."""
    sigma_q, sigma_k = number(pairs.sigma_q), number(pairs.sigma_k)
    mu_q, mu_k, rho = signed(pairs.mu_q), signed(pairs.mu_k), signed(pairs.correlation)
    means = {
        r"\mu_q \mu_k": rf"{mu_q} \cdot {mu_k}" if pairs.mu_q * pairs.mu_k else "",
        r"\rho \sigma_q \sigma_k": rf"{rho} \cdot {sigma_q} \cdot {sigma_k}" if pairs.correlation else "",
    }
    spread, spread_of = r"\sigma_q^2 \sigma_k^2", rf"{sigma_q}^2 \cdot {sigma_k}^2"
    if pairs.correlation:
        symbol, value = _correlated(pairs.distribution, rho)
        spread, spread_of = rf"{spread} {symbol}", rf"{spread_of} \cdot {value}"
    variances = {
        spread: spread_of,
        r"\sigma_q^2 \mu_k^2": rf"{sigma_q}^2 \cdot {mu_k}^2" if pairs.mu_k else "",
        r"\sigma_k^2 \mu_q^2": rf"{sigma_k}^2 \cdot {mu_q}^2" if pairs.mu_q else "",
        r"2 \rho \sigma_q \sigma_k \mu_q \mu_k": r" \cdot ".join(("2", rho, sigma_q, sigma_k, mu_q, mu_k))
        if pairs.correlation * pairs.mu_q * pairs.mu_k
        else "",
    }
    return _formula("E", d, means, pairs.mean(d)), _formula("Var", d, variances, pairs.variance(d))


def _correlated(name: str, rho: str) -> tuple[str, str]:
    """The factor of a correlation, which depends on the kurtosis: 3 for normal entries."""
    kurtosis = distribution(name).kurtosis
    if kurtosis == 3:
        return r"(1 + \rho^2)", f"(1 + {rho}^2)"
    return r"(1 + \rho^2 (\kappa - 2))", rf"(1 + {rho}^2 \cdot ({number(kurtosis)} - 2))"


def _formula(what: str, d: int, terms: dict[str, str], result: float) -> tuple[str, ...]:
    there = {symbol: value for symbol, value in terms.items() if value}
    left = rf"\mathrm{{{what}}}\,q \cdot k"
    if not there:
        return (f"{left} = 0",)
    symbols, values = " + ".join(there), " + ".join(there.values())
    # With all terms, one line would be wider than the page.
    return rf"{left} = d_k \, ({symbols})", rf"= {d} \cdot ({values}) = {number(result)}"


@named("scaling.drift")
def drift(screen: Screen) -> Iterator[Block]:
    """The formulas, the mean after scaling, and the scores that softmax sees."""
    lab = screen.own(Laboratory)
    pairs, d = lab.pairs, int(lab.d)
    for line in itertools.chain(*formulas(pairs, d)):
        yield blocks.formula(line)
    if pairs.correlation and distribution(pairs.distribution).kurtosis != 3:
        kurtosis = digits(distribution(pairs.distribution).kurtosis)
        yield blocks.text(say("lab.variance.kurtosis", distribution=pairs.distribution, kurtosis=kurtosis))
    yield blocks.text(_mean(pairs, result(variance.drawn(lab)).variances))
    if pairs.mu_q or pairs.mu_k:
        yield blocks.text(_row(pairs, d))


def _mean(pairs: Pairs, table: pd.DataFrame) -> str:
    """The sentence on the mean. table: of `attention.experiments.variance.variances`."""
    if pairs.mean(1) == 0:
        return say("lab.variance.centred")
    last = common.D_KS[-1]
    scaled = table[table["scale"] == "sqrt_d_k"]
    mean, theory = (digits(common.value(scaled, column, d_k=last)) for column in ("mean", "mean_theory"))
    return say("lab.variance.drift", d=last, mean=mean, theory=theory)


def _row(pairs: Pairs, d: int) -> str:
    """The variance within a row, which has many keys, at most one of them correlated with the query."""
    pooled = replace(pairs, correlation=0.0).variance(d)
    said = [say("lab.variance.row", row=digits(pairs.row_variance(d)), pooled=digits(pooled), d=d)]
    if pairs.mu_k:
        said.append(say("lab.variance.key_mean"))
    if pairs.mu_q:
        said.append(say("lab.variance.query_mean"))
    return listed("sentence", said)
