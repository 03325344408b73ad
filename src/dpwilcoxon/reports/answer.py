"""The result in words: what was found, how sure one can be, and what it does not say."""

from __future__ import annotations

import math

from dpwilcoxon.parameters import Alternative
from dpwilcoxon.plots.numerals import MINUS, plain
from dpwilcoxon.result import Interval, PrivateTestResult

CUSTOMARY_LEVELS = (0.05, 0.01, 0.001)
RARE = 1e-6  # rarer than that, a count of studies says nothing to anybody

_AS_EXTREME = {
    Alternative.TWO_SIDED: "at least this far from zero, on either side,",
    Alternative.GREATER: "at least this high",
    Alternative.LESS: "at least this low",
}
_QUESTION = {
    Alternative.TWO_SIDED: "Did the measurements change, in either direction?",
    Alternative.GREATER: "Did the measurements tend to increase?",
    Alternative.LESS: "Did the measurements tend to decrease?",
}
_FINDING = {
    Alternative.TWO_SIDED: "a change",
    Alternative.GREATER: "an increase",
    Alternative.LESS: "a decrease",
}


_SIDES = {
    Alternative.TWO_SIDED: "two-sided",
    Alternative.GREATER: "one-sided: increase",
    Alternative.LESS: "one-sided: decrease",
}


def sides(result: PrivateTestResult) -> str:
    """Name the alternative as statisticians do."""
    return _SIDES[result.alternative]


def question(result: PrivateTestResult) -> str:
    """Return the question this test was asked."""
    return _QUESTION[result.alternative]


def surprise(result: PrivateTestResult) -> str:
    """Say how often chance and noise alone would do as much."""
    return (
        f"If nothing had changed, a result {_AS_EXTREME[result.alternative]} would come up "
        f"{frequency(result.log_pvalue)}, privacy noise included."
    )


def frequency(log_p: float) -> str:
    """Write a probability as a count of studies."""
    probability = math.exp(log_p)
    if probability < RARE:
        return "in fewer than 1 of a million such studies"
    if probability < 0.1:  # noqa: PLR2004 - 1 of 10: above it, counts of 100 are easier to compare
        return f"in about 1 of {plain(float(f'{1.0 / probability:.2g}'), 0)} such studies"
    return f"in about {round(100 * probability)} of 100 such studies"


def significance(result: PrivateTestResult) -> str:
    """Place the p-value among the customary levels, without choosing one for the reader."""
    finding = _FINDING[result.alternative]
    passed = [level for level in CUSTOMARY_LEVELS if result.log_pvalue < math.log(level)]
    if not passed:
        return (
            f"The p-value is not below the customary level of 0.05: the release does not show "
            f"{finding}. Nor does it show that there was none: a true effect can stay hidden when "
            "there are few pairs or much noise."
        )
    levels = {
        1: "0.05, though not below 0.01",
        2: "0.05, and below 0.01",
        3: "0.05, and below 0.001",
    }
    return (
        f"The p-value is below the customary level of {levels[len(passed)]}. Whether that counts "
        f"as having shown {finding} depends on the level fixed before the test."
    )


def noise_interval(result: PrivateTestResult) -> str:
    """Say what the interval around the statistic means."""
    low, high = result.interval(0.95)
    text = (
        "The statistic carries random noise, added on purpose to protect the people in the data. "
        f"With 95% confidence, the statistic without noise lies between {plain(low)} and "
        f"{plain(high)}. This interval speaks of the privacy noise alone, not of the chance that "
        "brought these people rather than others into the study."
    )
    if abs(result.released) > result.largest:
        largest = plain(result.largest / result.lattice)
        text += (
            f" Here the noise has carried the released value beyond {MINUS}{largest} to {largest}, "
            "the range of any data of this size."
        )
    return text


def balance(result: PrivateTestResult) -> str:
    """Say in a few words which way the effect points."""
    if result.effect_size == 0.0:
        return "increases and decreases balance"
    if result.effect_size > 0.0:
        return "increases outweigh decreases"
    return "decreases outweigh increases"


def effect(result: PrivateTestResult) -> str:
    """Explain the effect size, and whether the noise alone could have set its sign."""
    low, high = effect_interval(result)
    shown = _distinct(low, high)
    scale = (
        f"The effect size is the released statistic as a share of the largest value possible, "
        f"from {MINUS}1 (every pair decreased) through 0 (increases and decreases balance) to "
        f"+1 (every pair increased). Without noise it lies between {shown[0]} and "
        f"{shown[1]}, with 95% confidence. "
    )
    if (low, high) == (-1.0, 1.0):
        return scale + "That is every possible value: the noise hides the effect completely."
    if low <= 0.0 <= high:
        return scale + "Zero is among these values: noise alone could have decided the direction."
    return (
        scale
        + "Zero is not among these values: the noise alone is unlikely to have set the direction."
    )


def effect_interval(result: PrivateTestResult) -> Interval:
    """Return the 95% noise interval on the scale of the effect size."""
    low, high = (end * result.lattice / result.largest for end in result.interval(0.95))
    return Interval(low, high)


def signed(value: float, decimals: int = 2) -> str:
    """Write an effect size with its sign, and more decimals where they would all be zeros."""
    if value == 0.0:
        return "0"
    decimals = max(decimals, 1 - math.floor(math.log10(abs(value))))
    return f"{value:+.{decimals}f}".replace("-", MINUS)


def _distinct(low: float, high: float) -> tuple[str, str]:
    """Write two ends with as many decimals as it takes to tell them apart."""
    decimals = 2
    if high > low:
        decimals = max(decimals, 1 - math.floor(math.log10(high - low)))
    return signed(low, decimals), signed(high, decimals)
