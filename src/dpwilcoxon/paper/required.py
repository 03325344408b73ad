"""The sample sizes that the paper prints: pairs for 80% power."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from dpwilcoxon.paper import printed
from dpwilcoxon.paper.comparison import Comparison, Printed, Reading
from dpwilcoxon.paper.power_study import Point
from dpwilcoxon.paper.session import Session
from dpwilcoxon.studies.planned import PlannedTest

HALF_PAIR = 0.5
POWER = 0.8
SPREAD = 0.1  # of the two sizes between which a slope is taken, relative


def compared_pairs(
    session: Session,
    key: str,
    name: str,
    size: int,
    readings: Sequence[tuple[str, PlannedTest]],
    *,
    of: str,
    asides: Sequence[tuple[str, PlannedTest, int]] = (),
) -> Comparison:
    """Set a printed number of pairs beside the number needed under each reading.

    Parameters
    ----------
    session
        How to simulate.
    key
        The key of the comparison.
    name
        The quantity in words.
    size
        The printed number.
    readings
        Conventions in words, each with its test; the first is the text's.
    of
        The item this belongs to.
    asides
        Further tests that throw light on the number but are not what the paper says, and about
        how many pairs they need.
    """
    found = tuple(pairs_needed(session, words, test, of=of, near=size) for words, test in readings)
    beside = tuple(
        replace(pairs_needed(session, words, test, of=of, near=near), aside=True)
        for words, test, near in asides
    )
    error = print_error(session, round(found[0].measured), readings[0][1], of=of)
    return Comparison(key, name, Printed(float(size), HALF_PAIR, error), (*found, *beside))


def pairs_needed(session: Session, words: str, test: PlannedTest, *, of: str, near: int) -> Reading:
    """The pairs for 80% power, with the 95% interval of the search."""
    population = Point(near).population
    found = session.pairs_for_power(population, test, of=of, near=near, label=f"{of}: {words}")
    n, low, high = (
        float(found.most_pairs if each is None else each)
        for each in (found.n, found.low, found.high)
    )
    return Reading(words, n, low, high)


def print_error(session: Session, n: int, test: PlannedTest, *, of: str) -> float:
    """Standard error, in pairs, of a size read off a curve of the published precision.

    The published curves rest on 5,000 samples per point, each a yes or no, and rise with the
    slope that is measured here.
    """
    step = max(1, round(SPREAD * n))
    ends = [n - step, n + step]
    low, high = (
        session.rates(Point(each).population, each, [test], of=of)[0].probability for each in ends
    )
    slope = (high - low) / (ends[1] - ends[0])
    if slope <= 0.0:  # a few replicates cannot tell
        return float(n)
    return math.sqrt(POWER * (1.0 - POWER) / printed.CURVE_REPLICATES) / slope
