"""How much epsilon a test needs, or how large an effect, to reach a power.

Answers are decimal numbers with three digits, which is how people write an epsilon down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, final

from dpwilcoxon.noise import LARGEST_CANONICAL_EPSILON
from dpwilcoxon.parameters import Alternative, Epsilon, Noise
from dpwilcoxon.studies.effort import Effort
from dpwilcoxon.studies.models import Population
from dpwilcoxon.studies.planned import PlannedTest
from dpwilcoxon.studies.rejection import Estimate
from dpwilcoxon.studies.required import affordable_replicates
from dpwilcoxon.studies.thresholds import Curve, Limits, find_threshold

PER_DECADE = 900  # 1.00, 1.01, ... 9.99
GUESS = Fraction(1, 2)
TOLERANCE = 0.01
# Five pairs can never have a two-sided p-value below 1/16, unless noise helps: for the smallest
# samples power falls again where epsilon is very large.
SCAN = 90


@final
@dataclass(frozen=True)
class DecimalGrid:
    """The numbers with three digits between two of them, by their place."""

    least: Fraction  # a power of ten
    largest: Fraction

    def value(self, place: int) -> Fraction:
        """The number at a place; the first place is 0."""
        decade, step = divmod(place, PER_DECADE)
        return self.least * Fraction(10) ** decade * Fraction(100 + step, 100)

    def place(self, value: Fraction) -> int:
        """The place of a number between `least` and `largest`, or of the next one below it."""
        decade = 0
        while self.least * Fraction(10) ** (decade + 1) <= value:
            decade += 1
        step = math.floor(100 * value / (self.least * Fraction(10) ** decade)) - 100
        return PER_DECADE * decade + step


EPSILONS: Final = DecimalGrid(Fraction(1, 10**6), Fraction(1000))
LEAST_EFFECT: Final = Fraction(1, 1000)


@final
@dataclass(frozen=True)
class RequiredValue:
    """The smallest epsilon or effect with which a test reaches a power, to three digits.

    Parameters
    ----------
    value
        The epsilon or effect; None if not even `largest` reaches the power.
    low, high
        Its 95% interval. The end away from zero is None where it lies beyond `largest`; both are
        None where there certainly is no answer.
    power
        The power at `value`, or at `largest`.
    largest
        Where the search ends.
    """

    value: Fraction | None
    low: Fraction | None
    high: Fraction | None
    power: Estimate
    largest: Fraction

    def mirrored(self) -> RequiredValue:
        """The same on the other side of zero."""
        value, low, high = (
            None if each is None else -each for each in (self.value, self.high, self.low)
        )
        return replace(self, value=value, low=low, high=high, largest=-self.largest)


def epsilons_of(test: PlannedTest) -> DecimalGrid:
    """Where the noise of a test is there, and an epsilon can be sought."""
    if test.noise is Noise.CANONICAL:
        return replace(EPSILONS, largest=Fraction(LARGEST_CANONICAL_EPSILON))
    return EPSILONS


def required_epsilon(
    population: Population, test: PlannedTest, n_pairs: int, effort: Effort
) -> RequiredValue:
    """Find the smallest epsilon with which a test of so many pairs reaches a power.

    The epsilon of `test` itself is ignored. The tolerance of `effort` is relative, by default one
    percent.
    """
    grid = epsilons_of(test)

    def curve(place: int, replicates: int) -> Estimate:
        spending = replace(test, epsilon=Epsilon(grid.value(place)))
        return effort.rate(population, n_pairs, spending(n_pairs), replicates)

    return _search(curve, grid, n_pairs, effort, scan=SCAN)


def required_effect(
    population: Population, test: PlannedTest, n_pairs: int, effort: Effort
) -> RequiredValue:
    """Find the smallest effect that a test of so many pairs detects with a given power.

    The effect of `population` itself is ignored; its sign is that of the alternative where the
    family has effects of either sign. The tolerance of `effort` is relative, by default one
    percent.
    """
    family = population.family
    grid = DecimalGrid(LEAST_EFFECT, Fraction(family.largest_effect))
    sign = -1 if test.alternative is Alternative.LESS and family.has_direction else 1
    rule = test(n_pairs)

    def curve(place: int, replicates: int) -> Estimate:
        changed = population.with_effect(sign * float(grid.value(place)))
        return effort.rate(changed, n_pairs, rule, replicates)

    found = _search(curve, grid, n_pairs, effort)
    return found.mirrored() if sign < 0 else found


def _search(
    curve: Curve, grid: DecimalGrid, n_pairs: int, effort: Effort, *, scan: int = 0
) -> RequiredValue:
    relative = TOLERANCE if effort.tolerance is None else effort.tolerance
    limits = Limits(
        first=0,
        last=grid.place(grid.largest),
        tolerance=lambda place: max(1.0, relative * (100 + place % PER_DECADE)),
        most_replicates=lambda _: affordable_replicates(n_pairs),
        scan=scan,
    )
    found = find_threshold(curve, effort.power, limits, guess=grid.place(min(GUESS, grid.largest)))
    value, low, high = (
        None if place is None else grid.value(place)
        for place in (found.place, found.low, found.high)
    )
    return RequiredValue(value, low, high, found.estimate, grid.largest)
