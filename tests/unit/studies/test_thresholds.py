"""Thresholds: where they are, how sure of it the search is, and that it ends."""

import math

import numpy as np
import pytest
from scipy.special import ndtr

from dpwilcoxon.studies.rejection import Estimate
from dpwilcoxon.studies.thresholds import FIRST_REPLICATES, Limits, find_threshold


def exactly(curve):
    """A curve that is known without error."""
    return lambda place, replicates: Estimate(float(curve(place)), 0.0, replicates)


def limits(last=100_000, tolerance=1.0, most=10**9, **more):
    """Search from 1 to `last`."""
    return Limits(1, last, lambda _: tolerance, lambda _: most, **more)


@pytest.mark.parametrize("truth", [1, 2, 7, 64, 1000, 99_999, 100_000])
@pytest.mark.parametrize("guess", [1, 16, 5000, 10**7])
def test_a_certain_curve(truth, guess):
    """Whatever the guess, the first place is found; with many replicates nothing is in doubt."""
    found = find_threshold(
        exactly(lambda place: 0.9 if place >= truth else 0.1),
        0.8,
        limits(),
        guess=guess,
    )
    assert (found.place, found.low, found.high) == (truth, truth, truth)


def test_the_interval_shrinks_to_the_tolerance():
    """Replicates grow until they suffice, and are not wasted beyond what the tolerance needs."""
    drawn = []

    def curve(place, replicates):
        drawn.append(replicates)
        return Estimate(float(ndtr((place - 700) / 300)), 0.4 / math.sqrt(replicates), replicates)

    widths = {}
    for tolerance in (40.0, 10.0, 3.0):
        found = find_threshold(curve, 0.5, limits(tolerance=tolerance), guess=1)
        assert found.low < found.place < found.high
        assert abs(found.place - 700) <= tolerance / 8
        widths[tolerance] = found.high - found.low
        assert widths[tolerance] <= 2 * tolerance
        enough = (1.96 * 0.4 / (tolerance * 0.3989 / 300)) ** 2
        assert max(drawn) < 3 * enough
    assert widths[3.0] < widths[10.0] < widths[40.0]


def test_saw_teeth():
    """Where the curve falls back after reaching the target, the first such place is found."""
    teeth = {19: 0.81, 20: 0.79, 21: 0.82, 22: 0.78, 23: 0.83}
    found = find_threshold(
        exactly(lambda place: teeth.get(place, 0.5 if place < 19 else 0.9)),
        0.8,
        limits(look_back=4),
        guess=100,
    )
    assert found.place == 19


def test_a_curve_that_falls_again():
    """A hump is found by looking at more places than a rising curve would need."""
    hump = exactly(lambda place: 0.9 if 3000 <= place < 5000 else 0.1)
    found = find_threshold(hump, 0.8, limits(scan=100), guess=50_000)
    assert found.place == 3000
    assert find_threshold(hump, 0.8, limits(), guess=50_000).place is None


def test_a_curve_that_never_gets_there():
    """No place, no interval, and the curve at the end as evidence."""
    found = find_threshold(
        exactly(lambda place: 0.8 - 1.0 / place), 0.9, limits(last=5000), guess=3
    )
    assert (found.place, found.low, found.high) == (None, None, None)
    assert found.estimate.probability == pytest.approx(0.7998)


def test_close_calls_are_told():
    """Where the target is within the error of the last place, the interval stays open."""
    almost = find_threshold(
        lambda place, replicates: Estimate(0.8 - 0.1 / place, 0.01, replicates),
        0.8,
        limits(last=500, most=FIRST_REPLICATES),
        guess=3,
    )
    assert almost.place is None
    assert almost.low is not None
    assert almost.high is None
    just = find_threshold(
        lambda place, replicates: Estimate(0.8 + 0.01 * place / 500, 0.01, replicates),
        0.805,
        limits(last=500, most=FIRST_REPLICATES),
        guess=3,
    )
    assert just.low < just.place
    assert just.high is None


def test_places_before_the_first_do_not_exist():
    """A curve that starts above the target is reached at once, and never asked before its start."""
    asked = set()

    def curve(place, replicates):
        asked.add(place)
        return Estimate(0.95, 0.0, replicates)

    assert find_threshold(curve, 0.8, limits(), guess=300).place == 1
    assert min(asked) == 1


def test_intervals_hold_the_truth():
    """In 95% of searches the interval holds the true place.

    400 searches on independent luck, each with common random numbers of its own; at a true
    coverage of 95% fewer than 365 hits happen once in 2,000 times. With tolerances of several
    places rounding adds little.
    """
    truth, hits = 250.0, 0
    for seed in range(400):
        luck = np.random.default_rng(seed).normal(size=300_000)

        def curve(place, replicates, luck=luck):
            rejects = luck[:replicates] < (place - truth) / 100
            return Estimate(
                float(rejects.mean()), float(rejects.std() / math.sqrt(replicates)), replicates
            )

        found = find_threshold(
            curve, 0.5, limits(last=2000, tolerance=10.0, most=300_000), guess=10
        )
        hits += found.low <= truth <= found.high
        assert found.high - found.low <= 20
    assert hits >= 365
