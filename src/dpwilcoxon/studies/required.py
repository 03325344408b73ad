"""How many pairs a test needs to reach a power."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, final

from dpwilcoxon.procedures.base import RejectionRule
from dpwilcoxon.studies.effort import Effort
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.rejection import Estimate
from dpwilcoxon.studies.thresholds import Limits, find_threshold

MOST_PAIRS = 1_000_000
FIRST_GUESS = 16
LOOK_BACK = 4  # the power of a discrete test can fall when a pair is added
LEAST_REPLICATES = 100
MOST_REPLICATES = 1_000_000
MOST_VALUES = 1 << 28  # differences simulated for one estimate: some seconds

TestOfSize: TypeAlias = Callable[[int], RejectionRule]
"""A test of any number of pairs, such as a `PlannedTest`."""


@final
@dataclass(frozen=True)
class RequiredPairs:
    """The smallest number of pairs with which a test reaches a power.

    Parameters
    ----------
    n
        The number; None if not even `most_pairs` reach the power.
    low, high
        The 95% interval of `n`. `high` is None where it lies beyond `most_pairs`; both are None
        where there certainly is no answer.
    power
        The power at `n`, or at `most_pairs`.
    most_pairs
        Where the search ends.
    """

    n: int | None
    low: int | None
    high: int | None
    power: Estimate
    most_pairs: int


def required_pairs(
    population: Population,
    test: TestOfSize,
    effort: Effort,
    *,
    guess: int = FIRST_GUESS,
    most_pairs: int = MOST_PAIRS,
) -> RequiredPairs:
    """Find the smallest number of pairs with which a test reaches a power.

    Parameters
    ----------
    population
        Where the samples come from.
    test
        A rejection rule for any number of pairs: a `PlannedTest`, or any function of n.
    effort
        What is wanted. The tolerance is by default one pair, and half a percent of the answer where
        that is more. It may not be attained: no estimate draws more than `MOST_REPLICATES` samples,
        nor more than `MOST_VALUES` differences. The interval says what was.
    guess
        Where to begin; a bad guess only costs time.
    most_pairs
        Where to give up.
    """
    tolerance = effort.tolerance

    def estimate(n: int, replicates: int) -> Estimate:
        return effort.rate(population, n, test(n), replicates)

    limits = Limits(
        first=1,
        last=most_pairs,
        tolerance=lambda n: max(1.0, n / 200.0) if tolerance is None else tolerance,
        most_replicates=affordable_replicates,
        look_back=LOOK_BACK,
    )
    found = find_threshold(estimate, effort.power, limits, guess=guess)
    return RequiredPairs(found.place, found.low, found.high, found.estimate, most_pairs)


def affordable_replicates(n: int) -> int:
    """How many samples of this size may be drawn for one estimate."""
    return min(MOST_REPLICATES, max(LEAST_REPLICATES, MOST_VALUES // n))
