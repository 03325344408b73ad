"""How far the p-value can be trusted: only what has been checked is claimed."""

from __future__ import annotations

from fractions import Fraction

from dpwilcoxon.parameters import Method
from dpwilcoxon.result import PrivateTestResult

# The range in which every pattern of ties and zeros has been enumerated.
ENUMERATED_EPSILON = Fraction(2)
ENUMERATED_PAIRS = 8
FEW_PAIRS = 10  # with fewer, the approximations reject too often
# Where the closed form has been compared with the exact law, on a grid of n and p.
COMPARED_EPSILON = Fraction(1)
MANY_PAIRS = 10_000

_SOURCE = {
    Method.EXACT: (
        "The p-value compares the released statistic with the exact distribution it has when "
        "nothing changed, privacy noise included. It is exact when no two changes have the same "
        "size and none is zero."
    ),
    Method.NORMAL_LAPLACE: (
        "The p-value comes from a formula, the sum of a normal and a Laplace distribution, which "
        "approximates the exact distribution the released statistic has when nothing changed."
    ),
    Method.MONTE_CARLO: (
        "The p-value was simulated, so that another simulation gives a slightly different number. "
        "Simulated was the sum of a normal and a Laplace distribution, which approximates the "
        "exact distribution the released statistic has when nothing changed."
    ),
}
_TIES = (
    "Pairs without a change, and changes of equal size, make the distribution narrower than the "
    "one used here, so as a rule the p-value errs on the side of caution."
)
_ASSUMPTIONS = (
    "As in any signed-rank test, the pairs must be independent of one another, and “nothing "
    "changed” means that increases and decreases of the same size are equally likely."
)


def validity(result: PrivateTestResult) -> list[str]:
    """Return what supports the p-value, in paragraphs."""
    return [_SOURCE[result.method] + _accuracy(result), _ties(result), _ASSUMPTIONS]


def cautions(result: PrivateTestResult) -> list[str]:
    """Return what a reader has to be warned of at this design; often nothing."""
    found = []
    if result.design.epsilon.exact > ENUMERATED_EPSILON:
        found.append(
            f"ε = {result.design.epsilon} is outside the range checked for ties and zeros (ε up to "
            f"{ENUMERATED_EPSILON}). With a large ε and few pairs, the true p-value of data with "
            "unchanged pairs can be larger than the one stated: 1.7 times as large in one example "
            "with 4 pairs, one of them unchanged, and ε = 30."
        )
    if result.method is not Method.EXACT and result.n < FEW_PAIRS:
        found.append(
            f"With fewer than {FEW_PAIRS} pairs the approximation used here can reject too often: "
            "by up to 3% more than the level promises at ε up to 2, and by much more at larger ε "
            "(by 84% in one example with 3 pairs and ε = 30). The exact method does better."
        )
    return found


def _accuracy(result: PrivateTestResult) -> str:
    """How far the closed form, simulated or not, is from the exact law: as measured."""
    if result.method is Method.EXACT:
        return ""
    simulated = result.method is Method.MONTE_CARLO
    agree = (
        "the two agree" + (", the error of the simulation aside," if simulated else "") + " within"
    )
    if result.n >= MANY_PAIRS:
        return f" With as many pairs as here {agree} 1%, down to p-values of one in a million."
    if result.design.epsilon.exact <= COMPARED_EPSILON:
        return (
            f" At ε up to 1 {agree} 3% down to p = 0.01, within 6% down to p = 0.001 and within "
            "18% down to one in a million."
        )
    return (
        f" At ε above 1 and with fewer than {MANY_PAIRS:,} pairs, small p-values can differ "
        "severalfold; the approximation then is usually the larger, and so the more cautious."
    )


def _ties(result: PrivateTestResult) -> str:
    if result.method is not Method.EXACT or result.design.epsilon.exact > ENUMERATED_EPSILON:
        return _TIES
    enumerated = (
        f" For up to {ENUMERATED_PAIRS} pairs and ε up to {ENUMERATED_EPSILON} every pattern of "
        "equal and zero changes has been enumerated: at two-sided levels up to 0.2 none rejects "
        "more often than its level, and at one-sided levels one does, by 0.03% of the level."
    )
    if result.n > ENUMERATED_PAIRS:
        enumerated += " With more pairs, as here, the patterns are too many to enumerate."
    return _TIES + enumerated
