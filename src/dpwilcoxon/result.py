"""What a private test gives back: released numbers and what follows from them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import MIN_EMIN, ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from typing import Any, NamedTuple

from dpwilcoxon.noise import NoiseLaw
from dpwilcoxon.nulls.base import pvalue_of
from dpwilcoxon.parameters import (
    Alternative,
    Design,
    Epsilon,
    Method,
    Noise,
    exact_text,
    probability,
)

LARGEST_EXPONENT = 700.0  # exp(700) still is a float
LARGEST_WRITTEN = 1_000_000  # bounds beyond it are written as powers of e
FINEST_WRITTEN = -6  # the exponent of their last digit
PRECISION = 50  # digits of bounds before they are rounded
WEAK_ODDS = 99  # to 1: what an onlooker may come to believe before we call the promise weak


class Interval(NamedTuple):
    """A range on the scale of the statistic."""

    low: float
    high: float


@dataclass(frozen=True)
class Receipt:
    """What a release cost its budget, and where it is recorded; amounts are exact."""

    budget: str
    entry: int  # the number of the charge in the ledger
    recorded_at: str
    hash: str  # of the entry with the result; the chain of the ledger goes through it
    charged: Fraction
    remaining: Fraction
    total: Fraction
    outcomes: int = 1  # how many tests this one charge has paid for
    is_repeated: bool = False  # the recorded release was given again
    interrupted_before: int | None = None  # an identical charge for which nothing came out

    def to_dict(self) -> dict[str, Any]:
        """Return the receipt as plain values, ready for JSON."""
        return {
            "name": self.budget,
            "entry": self.entry,
            "recorded_at": self.recorded_at,
            "hash": self.hash,
            "charged": exact_text(self.charged),
            "remaining": exact_text(self.remaining),
            "total": exact_text(self.total),
            "repeated": self.is_repeated,
            "interrupted_before": self.interrupted_before,
        }

    def __str__(self) -> str:
        left = f"{exact_text(self.remaining)} of {exact_text(self.total)} left"
        if self.is_repeated:
            minute = self.recorded_at[:16].replace("T", " ")
            return f"{self.budget}: recorded on {minute} UTC, given again at no charge, {left}"
        together = f" for {self.outcomes} outcomes" if self.outcomes > 1 else ""
        return f"{self.budget}: charged {exact_text(self.charged)}{together}, {left}"


@dataclass(frozen=True, repr=False)
class PrivateTestResult:
    """The released statistic of one private signed-rank test, and its p-value.

    Everything here is a function of the released integer and of public parameters, so it may
    be published as it is. It unpacks like SciPy's results: ``statistic, pvalue = result``.

    Privacy
    -------
    Neighbouring data sets differ in one pair replaced by another; the number of pairs is
    public. The released statistic is epsilon-differentially private, and all else here is
    post-processing of it.

    Examples
    --------
    >>> import dpwilcoxon as dpw
    >>> result = dpw.wilcoxon([18, 11, 3, 10, 8], [9, 2, 3, 8, 9], epsilon=1)
    >>> result.n, result.noise_scale, result.method.value
    (5, 10.0, 'exact')
    >>> result.pvalue == dpw.pvalue(result.statistic, n=5, epsilon=1)
    True
    """

    released: int
    lattice: int
    largest: int
    log_pvalue: float
    design: Design
    alternative: Alternative
    procedure: str
    method: Method
    noise: NoiseLaw
    version: str
    receipt: Receipt | None = None  # of the budget it was charged to

    @property
    def statistic(self) -> float:
        """The noisy signed-rank sum, on the scale of the paper's w."""
        return self.released / self.lattice

    @property
    def pvalue(self) -> float:
        """The p-value, at least the smallest positive float; see `log_pvalue` for the tail."""
        return float(pvalue_of(self.log_pvalue))

    @property
    def n(self) -> int:
        """The number of pairs, which is public."""
        return self.design.n_pairs

    @property
    def epsilon(self) -> float:
        """The privacy parameter spent; exactly, it is ``design.epsilon.exact``."""
        return float(self.design.epsilon)

    @property
    def noise_scale(self) -> float:
        """The scale of the noise on the statistic: 2n / epsilon for the paper's test.

        The tails of the noise, Laplace or canonical, fall by a factor e over so much.
        """
        return self.noise.scale / self.lattice

    @property
    def noise_words(self) -> str:
        """The noise in words: its scale, and what it is if it is not the paper's."""
        kind = "" if self.design.noise is Noise.LAPLACE else f"{self.design.noise} "
        return f"{kind}noise scale {self.noise_scale:,.4g}"

    @property
    def cap(self) -> int | None:
        """The rank from which on all count the same, if the procedure caps ranks.

        A public number: it follows from the largest possible value of the statistic,
        cap * n - cap * (cap - 1) / 2, which is also known of recorded releases.
        """
        if self.procedure.partition(":")[0] != "capped":
            return None
        ends = 2 * self.n + 1
        return (ends - math.isqrt(ends**2 - 8 * self.largest // self.lattice)) // 2

    @property
    def effect_size(self) -> float:
        """The statistic over its largest possible value, clipped to [-1, 1].

        1 when every pair increased, -1 when every pair decreased, 0 when increases and
        decreases balance (the matched-pairs rank-biserial correlation, with noise).
        """
        return min(1.0, max(-1.0, self.released / self.largest))

    def interval(self, confidence: float = 0.95) -> Interval:
        """Where the statistic without noise lies, from the law of the noise alone.

        This speaks of the data in hand, not of the population it came from. It costs no
        privacy. Possible values of the statistic bound the interval.

        Examples
        --------
        >>> import dpwilcoxon as dpw
        >>> low, high = dpw.wilcoxon([3, 5, 8, 9], [1, 2, 3, 4], epsilon=50).interval(0.95)
        >>> low <= high
        True
        """
        half_width = self.noise.half_width(probability(confidence, "confidence"))
        low, high = (
            min(max(self.released + offset, -self.largest), self.largest) / self.lattice
            for offset in (-half_width, half_width)
        )
        return Interval(low, high)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values, ready for JSON."""
        return {
            "statistic": self.statistic,
            "pvalue": self.pvalue,
            "log_pvalue": self.log_pvalue,
            "n": self.n,
            "epsilon": self.epsilon,
            "epsilon_exact": str(self.design.epsilon),
            "alternative": str(self.alternative),
            "procedure": self.procedure,
            "cap": self.cap,
            "method": str(self.method),
            "noise": self.noise.family,
            "noise_scale": self.noise_scale,
            "effect_size": self.effect_size,
            "interval_95": list(self.interval(0.95)),
            "version": self.version,
            "budget": self.receipt.to_dict() if self.receipt else None,
        }

    def __iter__(self) -> Iterator[float]:
        yield self.statistic
        yield self.pvalue

    def __repr__(self) -> str:
        return (
            f"<PrivateTestResult: statistic {self.statistic:,.1f}, p-value "
            f"{format_pvalue(self.log_pvalue)}, n {self.n:,}, epsilon {self.design.epsilon}>"
        )

    def __str__(self) -> str:
        low, high = self.interval(0.95)
        cap = "" if self.procedure != "capped" else f" (cap {self.cap:,})"
        lines = {
            "p-value": f"{format_pvalue(self.log_pvalue)}  ({self.alternative})",
            "statistic": f"{self.statistic:,.1f}  (without noise: {low:,.1f} to {high:,.1f}, 95%)",
            "effect size": f"{self.effect_size:+.3f}  (-1 all decreased, +1 all increased)",
            "pairs": f"{self.n:,}",
            "epsilon": f"{self.design.epsilon}  ({self.noise_words})",
            "procedure": f"{self.procedure}{cap}, p-value method {self.method}",
            "private": "replacing any one pair changes the probability of any output "
            f"at most {largest_factor(self.design.epsilon)}-fold",
        }
        if self.receipt is not None:
            lines["budget"] = f"{self.receipt}  (entry {self.receipt.entry})"
        return "\n".join(
            ["Private Wilcoxon signed-rank test"]
            + [f"  {name:<12}{text}" for name, text in lines.items()]
        )


def is_weak(epsilon: Epsilon) -> bool:
    """Whether this protects individuals so little that people should be told.

    Examples
    --------
    >>> is_weak(Epsilon.parse(4)), is_weak(Epsilon.parse(5))
    (False, True)
    """
    return epsilon.exact > math.log(WEAK_ODDS)


def factor_bound(epsilon: Epsilon) -> Decimal:
    """The largest factor, e to the power epsilon, rounded up in its 50th digit."""
    with localcontext(prec=PRECISION, rounding=ROUND_CEILING):
        exponent = Decimal(epsilon.exact.numerator) / epsilon.exact.denominator
        return exponent.exp().next_plus()  # the exponential is rounded to the nearest


def largest_factor(epsilon: Epsilon) -> str:
    """Write e to the power epsilon, rounded up: a bound stays one, and never reads as 1.

    Examples
    --------
    >>> [largest_factor(Epsilon.parse(each)) for each in ("1e-9", "0.01", "0.1", "1", "10", "20")]
    ['1.000001', '1.011', '1.11', '2.72', '22,100', 'e^20']
    """
    if epsilon.exact > math.log(LARGEST_WRITTEN):
        return f"e^{epsilon}"
    factor = factor_bound(epsilon)
    last = min(factor.adjusted() - 2, (factor - 1).adjusted() - 1)  # of 3 digits, or 2 of the rest
    unit = Decimal(1).scaleb(max(last, FINEST_WRITTEN))
    return f"{factor.quantize(unit, ROUND_CEILING):,f}"


def format_pvalue(log_pvalue: float) -> str:
    """Write a p-value with three significant digits, however small it is.

    Examples
    --------
    >>> format_pvalue(-3.0)
    '0.0498'
    >>> format_pvalue(-2000.0)
    '2.58e-869'
    """
    if log_pvalue > -LARGEST_EXPONENT:
        return f"{math.exp(log_pvalue):.3g}"
    with localcontext(Emin=MIN_EMIN):
        return f"{Decimal(log_pvalue).exp():.2e}"
