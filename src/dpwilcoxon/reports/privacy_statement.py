"""The guarantee in plain words, for readers who did not study differential privacy."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, localcontext
from typing import NamedTuple

from dpwilcoxon.parameters import exact_text
from dpwilcoxon.plots.numerals import times_power_of_ten
from dpwilcoxon.result import (
    LARGEST_WRITTEN,
    PrivateTestResult,
    factor_bound,
    is_weak,
    largest_factor,
)

LARGEST_EPSILON = 1_000_000  # beyond it, the power of ten would itself need a power of ten
NEAR_CERTAINTY = 0.9999


class Statement(NamedTuple):
    """One point of the privacy statement."""

    heading: str
    text: str


def privacy_statement(result: PrivateTestResult) -> list[Statement]:
    """Return what is promised, to whom, and what is not."""
    return [
        Statement(
            "Who is protected",
            "Every person whose pair of measurements is in the data, on condition that no person "
            "has more than one row. The promise compares the data with what it would have been "
            "had any one row been replaced by any other, the number of rows staying the same.",
        ),
        Statement("How strongly", _strength(result)),
        Statement("What an onlooker can learn about one person", _certainty(result)),
        Statement(
            "What was taken from the data",
            "One number: the released statistic, with its noise. The p-value, the effect size, the "
            "interval and the picture are computed from that number and from public parameters; "
            "they reveal nothing further.",
        ),
        Statement(
            "What is treated as public",
            f"The number of pairs, {result.n:,}, and every other parameter in the table "
            "below. None of them may have been chosen by looking at the measurements.",
        ),
        Statement(
            "What adds up",
            "Every further release from the data of the same people weakens the promise: the ε of "
            "one release is added to the ε of the next. Running the same test again is a further "
            "release." + _budget(result),
        ),
        Statement(
            "What is not covered",
            "The data file itself and who has access to it; how long the computation took and "
            "other traces it leaves on a computer; error messages about faulty data, which are for "
            "the custodian only; and conclusions about people in general, which hold for a person "
            "whether or not they took part.",
        ),
    ]


def _budget(result: PrivateTestResult) -> str:
    receipt = result.receipt
    if receipt is None:
        return ""
    return (
        f" This release was charged to the budget {receipt.budget!r}, which allows "
        f"ε = {exact_text(receipt.total)} in total; {exact_text(receipt.remaining)} of it was left "
        "when this page was written."
    )


def _strength(result: PrivateTestResult) -> str:
    return (
        f"The privacy parameter is ε = {result.design.epsilon}; smaller is stronger. Had any one "
        "person's row been different, the probability of any possible result would have changed "
        f"by a factor of at most {probability_factor(result)}, which is e raised to the power ε."
    )


def probability_factor(result: PrivateTestResult) -> str:
    """Write e raised to the power epsilon, rounded up so that it remains a bound."""
    epsilon = result.design.epsilon
    if not math.log(LARGEST_WRITTEN) < epsilon.exact <= LARGEST_EPSILON:
        return largest_factor(epsilon)
    with localcontext(rounding=ROUND_CEILING):
        mantissa, exponent = f"{factor_bound(epsilon):.2e}".split("e")
    return times_power_of_ten(mantissa, int(exponent))


def _certainty(result: PrivateTestResult) -> str:
    certainty = 1.0 / (1.0 + math.exp(-result.epsilon))
    if certainty > NEAR_CERTAINTY:
        share = "more than 99.99%"
    else:
        share = f"at most {math.ceil(1000.0 * certainty) / 10.0:.1f}%"
    text = (
        "Suppose someone knows every other row, and two guesses about this person's row seem "
        f"equally likely to them. After reading this page they can be {share} sure of one of the "
        "two."
    )
    if is_weak(result.design.epsilon):
        text += (
            " That is a weak promise: treat this release as one that protects individuals little."
        )
    return text
