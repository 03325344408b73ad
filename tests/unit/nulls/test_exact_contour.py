"""The two computations of the exact law share nothing but the law, and agree."""

import math

import numpy as np
import pytest

from dpwilcoxon.noise import CanonicalNoise, DiscreteLaplace
from dpwilcoxon.nulls.canonical_counting import CanonicalCountedTail
from dpwilcoxon.nulls.exact_contour import ContourTail
from dpwilcoxon.nulls.exact_counting import CountedTail
from dpwilcoxon.nulls.ladder import Ladder
from dpwilcoxon.nulls.normal_laplace import upper_tail_point

LOG_1E_100 = -math.log(1e100)
CANONICAL_EPSILONS = (1e-3, 0.3, 1.0, 3.0, 6.0, 10.0)
EPSILONS = (1e-3, 0.03, 0.3, 1.0, 1.7, 3.0, 10.0, 50.0, 1e4)


def noise_of(ladder, epsilon):
    """The noise of a test with these scores."""
    return DiscreteLaplace(2 * ladder.unit * ladder.cap / epsilon)


def canonical(ladder, epsilon):
    """The canonical noise of a test with these scores."""
    return CanonicalNoise(ladder.step * ladder.cap, 1 / epsilon)


def points(ladder, noise, log_level=LOG_1E_100, count=80):
    """Integers from 1 to where the closed form falls to 1e-100, with every residue mod 4."""
    furthest = float(upper_tail_point(log_level, ladder.deviation, noise.scale))
    spread = np.linspace(1, furthest, count) + np.arange(count) % 4
    return np.unique(np.round(np.concatenate([np.arange(1, 9), spread])))


def largest_differences(ladder, noise, t):
    """How far the two computations are apart, absolutely and, down to 1e-100, relatively."""
    counting = CanonicalCountedTail if isinstance(noise, CanonicalNoise) else CountedTail
    counted = counting(ladder, noise).log_upper_tail(t)
    integrated = ContourTail(ladder, noise).log_upper_tail(t)
    relative = np.abs(np.expm1(integrated - counted))[counted > LOG_1E_100]
    return np.abs(np.exp(integrated) - np.exp(counted)).max(), relative.max()


@pytest.mark.parametrize("n", [1, 2, 5, 20, 21, 50, 100, 257, 500])
def test_contour_agrees_with_counting(n):
    """To 1e-11 absolutely, and to 1e-9 relatively down to tails of 1e-100, at nine epsilons.

    For n = 257 and 500, where a top of few negative signs is left to counting, it stops short of
    the last 2500 lattice points, and for n = 50 and 100 of the last tenth, where it is right but
    slow; for smaller n nothing is left out.
    """
    ladder = Ladder(n, n, 2)
    for epsilon in EPSILONS:
        noise = noise_of(ladder, epsilon)
        t = points(ladder, noise)
        if n >= 50:
            largest = ladder.largest
            t = t[(t < largest - min(10_000, largest / 10)) | (t > largest)]
        absolute, relative = largest_differences(ladder, noise, t)
        assert absolute < 1e-11
        assert relative < 1e-9


@pytest.mark.parametrize(
    "ladder",
    [
        *(Ladder(5, cap, 2) for cap in (1, 2, 3, 4)),
        *(Ladder(257, cap, unit) for cap, unit in ((1, 1), (2, 1), (3, 2), (5, 128), (8, 2))),
        *(Ladder(500, cap, 2) for cap in (1, 4, 20, 47, 70, 90)),
        Ladder(1000, 30, 128),
    ],
    ids=str,
)
def test_contour_agrees_with_counting_under_a_low_cap(ladder):
    """Signs, and caps so low that lobes of the transform count: to the same 1e-11 and 1e-9.

    Nothing is left out at the top: below a cap of 128 no counting takes over there.
    """
    for epsilon in EPSILONS:
        noise = noise_of(ladder, epsilon)
        absolute, relative = largest_differences(ladder, noise, points(ladder, noise))
        assert absolute < 1e-11
        assert relative < 1e-9


@pytest.mark.parametrize("cap", [128, 300, 499])
def test_contour_agrees_with_counting_under_a_high_cap(cap):
    """To 1e-11 and 1e-9 again, up to the 2500 points at the top that are counted, at n = 500."""
    ladder = Ladder(500, cap, 2)
    for epsilon in (1e-3, 0.3, 1.0, 3.0, 10.0):
        noise = noise_of(ladder, epsilon)
        t = points(ladder, noise, count=40)
        t = t[(t < ladder.largest - 2500 * ladder.step) | (t > ladder.largest)]
        absolute, relative = largest_differences(ladder, noise, t)
        assert absolute < 1e-11
        assert relative < 1e-9


@pytest.mark.parametrize(
    "ladder",
    [
        *(Ladder(n, n, 2) for n in (1, 2, 30, 257)),
        *(Ladder(120, cap, 128) for cap in (1, 2, 7, 8, 60)),
        *(Ladder(500, cap, 128) for cap in (1, 4, 47, 90, 300)),
    ],
    ids=str,
)
def test_contour_agrees_with_counting_under_canonical_noise(ladder):
    """To 1e-11 and 1e-9 at six epsilons, for ranks, signs and caps; nothing is left out.

    Also around the largest T and a window beyond, where all that is left is the sum of residues.
    """
    for epsilon in CANONICAL_EPSILONS:
        noise = canonical(ladder, epsilon)
        around = ladder.largest + np.round(noise.window * np.linspace(-1.0, 2.0, 25))
        t = np.concatenate([points(ladder, noise, count=40), around[around >= 1]])
        absolute, relative = largest_differences(ladder, noise, t)
        assert absolute < 1e-11
        assert relative < 1e-9


@pytest.mark.parametrize("n", [257, 1_000, 100_000])
def test_signs_are_binomial(n):
    """The exact law of signs is the binomial law convolved with the noise, term by term."""
    from scipy.stats import binom

    ladder = Ladder(n, 1, 1)
    positive = np.arange(n + 1)
    log_pmf = binom.logpmf(positive, n, 0.5)
    for epsilon in (0.1, 1.0, 5.0):
        noise = noise_of(ladder, epsilon)
        t = points(ladder, noise, log_level=-60.0, count=12)
        needed = t[:, np.newaxis] - (2 * positive - n)
        far = -np.maximum(needed, 1.0) / noise.scale - math.log1p(noise.ratio)
        with np.errstate(divide="ignore"):
            log_noise = np.where(needed >= 1.0, far, np.log(noise.sf(np.minimum(needed, 0.0))))
        expected = np.logaddexp.reduce(log_noise + log_pmf, axis=1)
        integrated = ContourTail(ladder, noise).log_upper_tail(t)
        np.testing.assert_allclose(np.expm1(integrated - expected), 0, atol=1e-9)


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 20.0])
def test_beyond_the_largest_statistic_the_tail_is_exponential(epsilon):
    """For t >= n(n+1) only noise can carry T~ there: each step costs exactly exp(-1/b)."""
    ladder = Ladder(1000, 1000, 2)
    noise = noise_of(ladder, epsilon)
    t = ladder.largest + np.array([0.0, 1.0, 2.0, 1e6])
    log_tail = ContourTail(ladder, noise).log_upper_tail(t)
    np.testing.assert_allclose(np.diff(log_tail), -np.diff(t) / noise.scale, rtol=1e-9)


@pytest.mark.parametrize(
    "ladder",
    [
        *(Ladder(n, n, 2) for n in (2_000, 100_000)),
        *(Ladder(100_000, cap, 128) for cap in (1, 2, 5, 40, 70, 200, 600, 5_000, 99_000)),
    ],
    ids=str,
)
@pytest.mark.parametrize("law", [noise_of, canonical])
@pytest.mark.parametrize("epsilon", [0.02, 1.0, 8.0])
def test_neighbouring_lines_agree(ladder, epsilon, law):
    """Where counting is out of reach: a tail does not depend on the line it is integrated along.

    Each t is integrated along the line chosen for it and along the two beside it, of which one
    may lie beyond the pole and use its residue.
    """
    noise = law(ladder, epsilon)
    tail = ContourTail(ladder, noise)
    t = points(ladder, noise, log_level=-100.0, count=24)
    t = t[t < tail.residue_only]
    chosen = tail.log_upper_tail(t)
    log_residue = tail._kernel.log_residue(t)
    means = np.array([line.mean for line in tail._lines])
    for index, mean in enumerate(means):
        near = np.abs(t - mean) < 2.5 * tail._lines[index].deviation
        if near.any():
            along = tail._on_line(index, t[near], log_residue[near])
            np.testing.assert_allclose(np.expm1(along - chosen[near]), 0, atol=1e-9)
