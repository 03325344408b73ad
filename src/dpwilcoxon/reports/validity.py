"""How far the p-value can be trusted: only what has been checked is claimed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import final

from dpwilcoxon.parameters import Method, Noise
from dpwilcoxon.result import PrivateTestResult

ENUMERATED_PAIRS = 8  # up to so many, every pattern of ties and zeros has been enumerated
# Where the closed form has been compared with the exact law, on a grid of n and p.
COMPARED_EPSILON = Fraction(1)
MANY_PAIRS = 10_000


@final
@dataclass(frozen=True)
class Evidence:
    """What was checked of one kind of test, in the words of a report."""

    enumerated_epsilon: Fraction  # up to here every pattern of ties and zeros was enumerated
    enumerated: str
    beyond: str  # an example at an epsilon too large to have been enumerated, where there is one
    few_pairs: int  # with fewer, the approximations reject too often
    too_often: str
    agreement: str  # of closed form and exact law, at epsilon up to COMPARED_EPSILON
    agreement_of_many: str  # from MANY_PAIRS on


_OF_RANKS = Evidence(
    enumerated_epsilon=Fraction(2),
    enumerated="at two-sided levels up to 0.2 none rejects more often than its level, and at "
    "one-sided levels one does, by 0.03% of the level.",
    beyond="1.7 times as large in one example with 4 pairs, one of them unchanged, and ε = 30.",
    few_pairs=10,
    too_often="by up to 3% more than a two-sided level promises at ε up to 2, by up to 6% more "
    "than a one-sided one, and by much more at larger ε (by 84% in one example with 3 pairs and "
    "ε = 30).",
    agreement="3% down to p = 0.01, within 6% down to p = 0.001 and within 18% down to one in a "
    "million.",
    agreement_of_many="1%",
)
_OF_CAPPED_RANKS = Evidence(
    enumerated_epsilon=Fraction(2),
    enumerated="under any cap, none rejects more often than a level up to 0.2 at ε up to 1.25; at "
    "ε up to 2, two-sided levels are exceeded by at most 0.4% of themselves and one-sided levels "
    "by at most 1.6%.",
    beyond="twice as large in one example of the sign test with 4 pairs, one of them unchanged, "
    "and ε = 30.",
    few_pairs=100,
    too_often="by up to 10% more than a two-sided level promises at ε up to 2, by up to 12% more "
    "than a one-sided one, and by much more at larger ε (more than twice as often in one example "
    "with 3 pairs and ε = 30).",
    agreement="7% down to p = 0.01, within 12% down to p = 0.001 and within 34% down to one in a "
    "million.",
    agreement_of_many="3%",
)
# The windows of canonical noise blur ties and zeros at any epsilon it is drawn for.
_CANONICAL_OF_RANKS = Evidence(
    enumerated_epsilon=Fraction(10),
    enumerated="no level up to 0.2, two-sided or one-sided, is exceeded.",
    beyond="",
    few_pairs=100,
    too_often="by up to 14% more than a two-sided level promises at ε up to 2, by up to 16% more "
    "than a one-sided one, and by up to a third more at ε up to 10.",
    agreement="12% down to p = 0.01, within 16% down to p = 0.001 and within 34% down to one in a "
    "million.",
    agreement_of_many="1%",
)
_CANONICAL_OF_CAPPED_RANKS = replace(
    _CANONICAL_OF_RANKS,
    enumerated="under any cap, levels up to 0.2, two-sided or one-sided, are exceeded by at most "
    "0.4% of themselves.",
)
_OF_KIND = {
    Noise.LAPLACE: {"pratt": _OF_RANKS, "capped": _OF_CAPPED_RANKS, "sign": _OF_CAPPED_RANKS},
    Noise.CANONICAL: {
        "pratt": _CANONICAL_OF_RANKS,
        "capped": _CANONICAL_OF_CAPPED_RANKS,
        "sign": _CANONICAL_OF_CAPPED_RANKS,
    },
}
_UNCHECKED = (
    "How far p-values of this test can be trusted with ties, zeros or few pairs has not been "
    "checked."
)
_NOISE = {Noise.LAPLACE: "Laplace", Noise.CANONICAL: "canonical noise"}

_SOURCE = {
    Method.EXACT: (
        "The p-value compares the released statistic with the exact distribution it has when "
        "nothing changed, privacy noise included. It is exact when no two changes have the same "
        "size and none is zero."
    ),
    Method.NORMAL_LAPLACE: (
        "The p-value comes from a formula, the sum of a normal and a {noise} distribution, which "
        "approximates the exact distribution the released statistic has when nothing changed."
    ),
    Method.MONTE_CARLO: (
        "The p-value was simulated, so that another simulation gives a slightly different number. "
        "Simulated was the sum of a normal and a {noise} distribution, which approximates the "
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


def evidence(result: PrivateTestResult) -> Evidence | None:
    """Return what was checked of the test that gave this result; None of a test that is new."""
    kind, _, _ = result.procedure.partition(":")
    return _OF_KIND[result.design.noise].get(kind)


def validity(result: PrivateTestResult) -> list[str]:
    """Return what supports the p-value, in paragraphs."""
    source = _SOURCE[result.method].format(noise=_NOISE[result.design.noise])
    checked = evidence(result)
    if checked is None:
        return [source, _TIES, _ASSUMPTIONS]
    return [source + _accuracy(result, checked), _ties(result, checked), _ASSUMPTIONS]


def cautions(result: PrivateTestResult) -> list[str]:
    """Return what a reader has to be warned of at this design; often nothing."""
    found, checked = [], evidence(result)
    if checked is None:
        return [_UNCHECKED]
    if result.design.epsilon.exact > checked.enumerated_epsilon:
        found.append(
            f"ε = {result.design.epsilon} is outside the range checked for ties and zeros (ε up to "
            f"{checked.enumerated_epsilon}). With a large ε, and the more so the fewer pairs there "
            "are, the true p-value of data with unchanged pairs can be larger than the one stated: "
            f"{checked.beyond}"
        )
    if result.method is not Method.EXACT and result.n < checked.few_pairs:
        found.append(
            f"With fewer than {checked.few_pairs} pairs the approximation used here can reject too "
            f"often: {checked.too_often} The exact method does better."
        )
    return found


def _accuracy(result: PrivateTestResult, checked: Evidence) -> str:
    """How far the closed form, simulated or not, is from the exact law: as measured."""
    if result.method is Method.EXACT:
        return ""
    simulated = result.method is Method.MONTE_CARLO
    agree = (
        "the two agree" + (", the error of the simulation aside," if simulated else "") + " within"
    )
    if result.n >= MANY_PAIRS:
        return (
            f" With as many pairs as here {agree} {checked.agreement_of_many}, down to "
            "p-values of one in a million."
        )
    if result.design.epsilon.exact <= COMPARED_EPSILON:
        return f" At ε up to {COMPARED_EPSILON} {agree} {checked.agreement}"
    return (
        f" At ε above {COMPARED_EPSILON} and with fewer than {MANY_PAIRS:,} pairs, small p-values "
        "can differ severalfold; the approximation then is usually the larger, and so the more "
        "cautious."
    )


def _ties(result: PrivateTestResult, checked: Evidence) -> str:
    largest = checked.enumerated_epsilon
    if result.method is not Method.EXACT or result.design.epsilon.exact > largest:
        return _TIES
    enumerated = (
        f" For up to {ENUMERATED_PAIRS} pairs and ε up to {largest} every pattern of "
        f"equal and zero changes has been enumerated: {checked.enumerated}"
    )
    if result.n > ENUMERATED_PAIRS:
        enumerated += " With more pairs, as here, the patterns are too many to enumerate."
    return _TIES + enumerated
