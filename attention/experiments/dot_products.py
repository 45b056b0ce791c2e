"""The theory of q.k: mean, variance, and the exact standard errors of a measured variance.

Vaswani et al. 2017, footnote 4, has the case of mean 0 and variance 1; the rest follows from the cumulants of a sum of
d_k independent products.
"""

import math
from dataclasses import dataclass

from torch import Generator, Tensor

from attention import checks
from attention.experiments.distributions import Distribution, distribution

Polynomial = dict[tuple[int, int], float]


@dataclass(frozen=True)
class Pairs:
    """Pairs (q, k): q = mu_q + sigma_q a and k = mu_k + sigma_k b, coordinate by coordinate.

    The coordinates are independent of each other. a has the distribution (mean 0, variance 1), and
    b = rho a + sqrt(1 - rho^2) a', where a' is an independent copy of a: their correlation is rho, and b has a's
    distribution where rho is 0, or where that distribution is normal.
    ValueError: an unknown distribution, a sigma that is not above 0, a mu that is not finite, |correlation| above 1.
    """

    distribution: str = "normal"
    sigma_q: float = 1.0
    sigma_k: float = 1.0
    mu_q: float = 0.0
    mu_k: float = 0.0
    correlation: float = 0.0

    def __post_init__(self) -> None:
        distribution(self.distribution)
        checks.above_zero("sigma_q", self.sigma_q)
        checks.above_zero("sigma_k", self.sigma_k)
        checks.finite("mu_q", self.mu_q)
        checks.finite("mu_k", self.mu_k)
        checks.between("correlation", self.correlation, -1, 1)

    def fill(self, q: Tensor, k: Tensor, generator: Generator) -> None:
        """Draw entries of q and k, float32 tensors, in place; of one shape where there is a correlation."""
        z = distribution(self.distribution)
        z.fill(q, generator)
        z.fill(k, generator)
        if self.correlation:
            k.mul_(math.sqrt(1 - self.correlation**2)).add_(q, alpha=self.correlation)
        q.mul_(self.sigma_q).add_(self.mu_q)
        k.mul_(self.sigma_k).add_(self.mu_k)

    def mean(self, d_k: int) -> float:
        """E q.k = d_k (mu_q mu_k + rho sigma_q sigma_k): with correlation the mean grows as d_k."""
        return d_k * (self.mu_q * self.mu_k + self.correlation * self.sigma_q * self.sigma_k)

    def variance(self, d_k: int) -> float:
        """Var q.k; for rho = 0 it is d_k (sigma_q^2 sigma_k^2 + sigma_q^2 mu_k^2 + sigma_k^2 mu_q^2).

        With rho and means 0 it is d_k sigma_q^2 sigma_k^2 (1 + rho^2 (kurtosis - 2)): d_k (1 + rho^2) for normal ones.
        """
        rho, kurtosis = self.correlation, distribution(self.distribution).kurtosis
        alpha, beta, gamma = self._coefficients()
        return d_k * (alpha**2 + beta**2 + gamma**2 * (1 + rho**2 * (kurtosis - 2)) + 2 * rho * alpha * beta)

    def row_variance(self, d_k: int) -> float:
        """The variance among the scores of one query and independent keys, averaged over queries: what matters to
        softmax.

        d_k sigma_k^2 (sigma_q^2 + mu_q^2): a mean of the keys shifts all scores of a row alike, and cancels.
        """
        return d_k * self.sigma_k**2 * (self.sigma_q**2 + self.mu_q**2)

    def standard_error(self, d_k: int, samples: int) -> float:
        """The exact standard error of the sample variance (divisor samples - 1) of q.k over independent pairs.

        sqrt(c4 / samples + 2 Var^2 / (samples - 1)), where c4, the fourth cumulant, is d_k times that of one product:
        nearly Var sqrt((2 + 6/d_k) / samples) for normal ones. Infinite for t5 with correlation, as the fourth moment.
        """
        checks.positive(d_k=d_k)
        checks.at_least(2, samples=samples)
        among = 2 * self.variance(d_k) ** 2 / (samples - 1)
        return math.sqrt(max(0.0, d_k * self._fourth_cumulant() / samples + among))

    def matrix_standard_error(self, d_k: int, queries: int, keys: int) -> float:
        """The exact standard error of the mean square about the known mean, for a matrix of scores of independent
        queries and keys.

        Scores in one row share a query, and scores in one column a key. For normal ones of mean 0 it is
        Var sqrt((2 + 6/d_k + 2 (queries + keys - 2) / d_k) / (queries keys)). `correlation` must be 0 (ValueError):
        it is a property of pairs.
        """
        checks.positive(d_k=d_k, queries=queries, keys=keys)
        self.require_uncorrelated()
        alpha, beta, gamma = self._coefficients()
        own = d_k * self._fourth_cumulant() + 2 * self.variance(d_k) ** 2
        row, column = self._shared(d_k, alpha, beta, gamma), self._shared(d_k, beta, alpha, gamma)
        return math.sqrt(max(0.0, own + (keys - 1) * row + (queries - 1) * column) / (queries * keys))

    def require_uncorrelated(self) -> None:
        if self.correlation:
            raise ValueError(f"correlation must be 0 in a matrix of scores, which has no pairs, got {self.correlation}")

    def _coefficients(self) -> tuple[float, float, float]:
        """alpha, beta and gamma in q_i k_i = constant + alpha a + beta b + gamma a b."""
        return self.mu_k * self.sigma_q, self.mu_q * self.sigma_k, self.sigma_q * self.sigma_k

    def _shared(self, d_k: int, alpha: float, beta: float, gamma: float) -> float:
        """The covariance of two squared scores (about their mean) that share the side whose coefficient is alpha.

        Given that side a, a square is expected at alpha^2 (sum a)^2 + sum (beta + gamma a)^2; this is its variance.
        """
        excess = distribution(self.distribution).kurtosis - 3
        total = alpha**4 * (d_k * excess + 2 * d_k**2)
        squares = d_k * (4 * beta**2 * gamma**2 + gamma**4 * (excess + 2))
        return total + squares + 2 * alpha**2 * gamma**2 * d_k * (excess + 2)

    def _fourth_cumulant(self) -> float:
        """The coefficients of one product q_i k_i as a polynomial in the independent a and a'."""
        rho = self.correlation
        rest = math.sqrt(1 - rho**2)
        alpha, beta, gamma = self._coefficients()
        centred = {
            (0, 0): -gamma * rho,
            (1, 0): alpha + beta * rho,
            (0, 1): beta * rest,
            (2, 0): gamma * rho,
            (1, 1): gamma * rest,
        }
        return _moment(centred, 4, distribution(self.distribution)) - 3 * self.variance(1) ** 2


def _moment(polynomial: Polynomial, order: int, z: Distribution) -> float:
    """E of the polynomial (exponents of a and a' to coefficient) to the power of order."""
    power: Polynomial = {(0, 0): 1.0}
    for _ in range(order):
        power = _product(power, polynomial)
    terms = [(c, z.moment(i) * z.moment(j)) for (i, j), c in power.items() if c]
    # One infinite term makes the result infinite; a sum with negative coefficients would give NaN.
    return math.inf if any(moment == math.inf for _, moment in terms) else sum(c * moment for c, moment in terms)


def _product(left: Polynomial, right: Polynomial) -> Polynomial:
    product: Polynomial = {}
    for (i, j), c in left.items():
        for (k, l), e in right.items():
            product[i + k, j + l] = product.get((i + k, j + l), 0.0) + c * e
    return product
