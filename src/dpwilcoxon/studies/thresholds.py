"""The first place at which a simulated curve reaches a target, and how certain that is.

Sample sizes, epsilons and effects are all found in this way. Places are integers, at each of which
the curve can be estimated from as many replicates as wanted. Replicates have the same luck at
neighbouring places, so that estimates of equal size rise nearly as smoothly as the curve itself,
and can be bisected. The search is repeated with more and more replicates, each time near where it
ended before, until the places at which the curve may reach the target, given the 95% interval of
its estimates, lie close enough together.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, final

from dpwilcoxon.studies.rejection import Estimate

FIRST_REPLICATES = 200
LEAST_GROWTH, MOST_GROWTH = 2.0, 64.0  # of the replicates, from one round to the next
MARGIN = 1.3  # more replicates than the last round's interval asks for, as it is an estimate too
STEPS_IN_TOLERANCE = 8  # bisection goes on to an eighth of the tolerance
COARSE = 4.0  # from this tolerance on, single places do not matter
STRAIGHT = 3.0  # tolerances over which the curve is as good as straight
OVERSHOOT = 1.25

Curve: TypeAlias = Callable[[int, int], Estimate]
"""Estimates the curve at a place from a number of replicates."""


@final
@dataclass(frozen=True)
class Limits:
    """Where to search, and how hard.

    Parameters
    ----------
    first, last
        The places between which the answer may lie.
    tolerance
        How far, at a given answer, the ends of its interval may lie from its middle.
    most_replicates
        How many may be simulated at a given place in one round.
    look_back
        How many places just before the one found are tried in turn: a curve with small teeth may
        reach the target more than once.
    scan
        How many places between `first` and `last` are tried before giving up: a curve may rise and
        fall again.
    """

    first: int
    last: int
    tolerance: Callable[[int], float]
    most_replicates: Callable[[int], int]
    look_back: int = 0
    scan: int = 0


@final
@dataclass(frozen=True)
class Threshold:
    """Where a curve reaches its target.

    Parameters
    ----------
    place
        The first place at which the estimated curve reaches the target; None if it does not.
    low, high
        The first places at which the upper and the lower end of the 95% interval of the curve
        reach it; None where an end never does.
    estimate
        The curve at `place`; where there is no answer, at the highest of the places tried.
    """

    place: int | None
    low: int | None
    high: int | None
    estimate: Estimate


class _Reading(NamedTuple):
    """What is read off an estimate: its middle or an end of its interval."""

    name: str
    of: Callable[[Estimate], float]


_UPPER = _Reading("upper", lambda estimate: estimate.interval()[1])
_MIDDLE = _Reading("middle", lambda estimate: estimate.probability)
_LOWER = _Reading("lower", lambda estimate: estimate.interval()[0])


def find_threshold(curve: Curve, target: float, limits: Limits, *, guess: int) -> Threshold:
    """Find the first place at which a curve reaches a target.

    Parameters
    ----------
    curve
        Estimates that rise with the place, apart from small steps down, and give the same again
        when asked again.
    target
        What the curve has to reach.
    limits
        Where to search, and how hard.
    guess
        Where to begin. A bad guess costs time and changes nothing else.
    """
    guess = min(max(guess, limits.first), limits.last)
    step = max(1, guess // 2)
    replicates = FIRST_REPLICATES
    while True:
        found = _Round(curve, target, limits, replicates).search(guess, step)
        most = limits.most_replicates(limits.last if found.place is None else found.place)
        wanted = _wanted_growth(found, limits)
        if wanted <= 1.0 or replicates >= most:
            return found
        replicates = min(most, math.ceil(replicates * wanted))
        if found.place is not None and found.low is not None:
            guess, step = found.place, max(1, found.place - found.low)


def _wanted_growth(found: Threshold, limits: Limits) -> float:
    """How many times the replicates are needed, as the interval shrinks with their root."""
    if found.place is None:  # certain at once, unless the interval still reaches the target
        return 1.0 if found.low is None else LEAST_GROWTH**2
    if found.low is None or found.high is None:
        return MOST_GROWTH
    tolerance = limits.tolerance(found.place)
    excess = (found.high - found.low) / (2.0 * tolerance)
    return 1.0 if excess <= 1.0 else min(max(MARGIN * excess**2, LEAST_GROWTH), MOST_GROWTH)


class _Round:
    """One search, all with the same number of replicates."""

    def __init__(self, curve: Curve, target: float, limits: Limits, replicates: int) -> None:
        self._curve, self._target, self._limits = curve, target, limits
        self._replicates = replicates
        self._known: dict[int, Estimate] = {}

    def search(self, guess: int, step: int) -> Threshold:
        """Find all three places."""
        place = self._first_reaching(_MIDDLE, guess, step)
        if place is None:
            reached = next(filter(self._is_reached, self._scanned()), None)
            place = None if reached is None else self._first_reaching(_MIDDLE, reached, 1)
        if place is None:
            return self._nowhere()
        low, high = (self._end(reading, place, step) for reading in (_UPPER, _LOWER))
        return Threshold(place, low, high, self._estimate(place))

    def _is_reached(self, place: int) -> bool:
        return self._excess(_MIDDLE, place) >= 0.0

    def _scanned(self) -> list[int]:
        first, last = self._limits.first, self._limits.last
        return [first + (last - first) * i // self._limits.scan for i in range(self._limits.scan)]

    def _nowhere(self) -> Threshold:
        highest = max(self._known, key=lambda place: self._known[place].probability)
        low = highest if self._excess(_UPPER, highest) >= 0.0 else None
        return Threshold(None, low, None, self._known[highest])

    def _estimate(self, place: int) -> Estimate:
        if place not in self._known:
            replicates = min(self._replicates, self._limits.most_replicates(place))
            self._known[place] = self._curve(place, replicates)
        return self._known[place]

    def _excess(self, reading: _Reading, place: int) -> float:
        """How far a reading lies above the target; below it before the first place."""
        if place < self._limits.first:
            return -self._target
        return reading.of(self._estimate(place)) - self._target

    def _first_reaching(self, reading: _Reading, start: int, step: int) -> int | None:
        """Find the place itself, to a fraction of the tolerance."""
        below, reached = self._bracket(reading, start, step)
        if reached is None:
            return None
        tolerance = self._limits.tolerance(reached)
        resolution = max(1, int(tolerance / STEPS_IN_TOLERANCE))
        _, reached = self._narrow(reading, below, reached, resolution)
        while tolerance < COARSE:
            earlier = range(max(self._limits.first, reached - self._limits.look_back), reached)
            reaching = [place for place in earlier if self._excess(reading, place) >= 0.0]
            if not reaching:
                break
            reached = reaching[0]
        return reached

    def _end(self, reading: _Reading, place: int, step: int) -> int | None:
        """Find an end of the interval; unless single places matter, on a line between two."""
        tolerance = self._limits.tolerance(place)
        if tolerance < COARSE:
            return self._first_reaching(reading, place, max(1, step // 4))
        below, reached = self._bracket(reading, place, self._distance(reading, place))
        if reached is None:
            return None
        below, reached = self._narrow(reading, below, reached, int(STRAIGHT * tolerance))
        return math.ceil(self._root(reading, below, reached))

    def _distance(self, reading: _Reading, place: int) -> int:
        """How far a reading is from the target, by the slope between the nearest known places."""
        near, far = sorted(self._known, key=lambda known: abs(known - place))[:2]
        slope = (self._excess(_MIDDLE, far) - self._excess(_MIDDLE, near)) / (far - near)
        tolerance = self._limits.tolerance(place)
        if slope <= 0.0:
            return math.ceil(tolerance)
        distance = OVERSHOOT * abs(self._excess(reading, place)) / slope
        return math.ceil(min(max(distance, tolerance / 4.0), 100.0 * tolerance))

    def _bracket(self, reading: _Reading, start: int, step: int) -> tuple[int, int | None]:
        """Go from `start` in growing steps until the target lies between two places."""
        first, last = self._limits.first, self._limits.last
        place = start
        if self._excess(reading, start) >= 0.0:
            while place >= first and self._excess(reading, place) >= 0.0:
                above, place, step = place, max(place - step, first - 1), 2 * step
            return place, above
        while self._excess(reading, place) < 0.0:
            if place == last:
                return place, None
            below, place, step = place, min(place + step, last), 2 * step
        return below, place

    def _narrow(
        self, reading: _Reading, below: int, reached: int, resolution: int
    ) -> tuple[int, int]:
        """Shrink a bracket: aim just beyond where a line through its ends meets the target.

        A good line catches the target between two points close together; after two bad ones the
        bracket is halved.
        """
        ambition, poor = 0, 0
        while reached - below > resolution:
            width = reached - below
            aim = round(self._root(reading, below, reached)) + ambition
            middle = (below + reached) // 2 if poor > 1 else min(max(aim, below + 1), reached - 1)
            if self._excess(reading, middle) >= 0.0:
                reached, ambition = middle, -resolution
            else:
                below, ambition = middle, resolution
            poor = poor + 1 if 2 * (reached - below) > width else 0
        return below, reached

    def _root(self, reading: _Reading, below: int, reached: int) -> float:
        """Where a line through both ends meets the target."""
        low, high = self._excess(reading, below), self._excess(reading, reached)
        return below + (reached - below) * low / (low - high)
