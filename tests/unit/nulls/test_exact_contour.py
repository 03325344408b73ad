"""The two computations of the exact law share nothing but the law, and agree."""

import math

import numpy as np
import pytest

from dpwilcoxon.noise import DiscreteLaplace
from dpwilcoxon.nulls.exact_contour import ContourTail
from dpwilcoxon.nulls.exact_counting import CountedTail
from dpwilcoxon.nulls.normal_laplace import upper_tail_point

LOG_1E_100 = -math.log(1e100)
EPSILONS = (1e-3, 0.03, 0.3, 1.0, 1.7, 3.0, 10.0, 50.0, 1e4)


def points(n, noise, log_level=LOG_1E_100, count=80):
    """Integers from 1 to where the closed form falls to 1e-100, with every residue mod 4."""
    sigma = math.sqrt(4 * n * (n + 1) * (2 * n + 1) / 6)
    furthest = float(upper_tail_point(log_level, sigma, noise.scale))
    spread = np.linspace(1, furthest, count) + np.arange(count) % 4
    return np.unique(np.round(np.concatenate([np.arange(1, 9), spread])))


@pytest.mark.parametrize("n", [1, 2, 5, 20, 21, 50, 100, 257, 500])
def test_contour_agrees_with_counting(n):
    """To 1e-11 absolutely, and to 1e-9 relatively down to tails of 1e-100, at nine epsilons.

    For n = 257 and 500, where a top of few negative signs is left to counting, it stops short of
    the last 2500 lattice points, and for n = 50 and 100 of the last tenth, where it is right but
    slow; for smaller n nothing is left out.
    """
    for epsilon in EPSILONS:
        noise = DiscreteLaplace(4 * n / epsilon)
        t = points(n, noise)
        if n >= 50:
            largest = n * (n + 1)
            t = t[(t < largest - min(10_000, largest / 10)) | (t > largest)]
        counted = CountedTail(n, noise).log_upper_tail(t)
        integrated = ContourTail(n, noise).log_upper_tail(t)
        assert np.abs(np.exp(integrated) - np.exp(counted)).max() < 1e-11
        deep = counted > LOG_1E_100
        assert np.abs(np.expm1(integrated - counted))[deep].max() < 1e-9


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 20.0])
def test_beyond_the_largest_statistic_the_tail_is_exponential(epsilon):
    """For t >= n(n+1) only noise can carry T~ there: each step costs exactly exp(-1/b)."""
    n = 1000
    noise = DiscreteLaplace(4 * n / epsilon)
    t = n * (n + 1) + np.array([0.0, 1.0, 2.0, 1e6])
    log_tail = ContourTail(n, noise).log_upper_tail(t)
    np.testing.assert_allclose(np.diff(log_tail), -np.diff(t) / noise.scale, rtol=1e-9)


@pytest.mark.parametrize("n", [2_000, 100_000])
@pytest.mark.parametrize("epsilon", [0.02, 1.0, 8.0])
def test_neighbouring_lines_agree(n, epsilon):
    """Where counting is out of reach: a tail does not depend on the line it is integrated along.

    Each t is integrated along the line chosen for it and along the two beside it, of which one
    may lie beyond the pole and use its residue.
    """
    noise = DiscreteLaplace(4 * n / epsilon)
    tail = ContourTail(n, noise)
    t = points(n, noise, log_level=-100.0, count=24)
    t = t[t < tail.residue_only]
    chosen = tail.log_upper_tail(t)
    log_residue = tail._log_residue_at_top - (t - tail._largest) * tail._pole
    means = np.array([line.mean for line in tail._lines])
    for index, mean in enumerate(means):
        near = np.abs(t - mean) < 2.5 * tail._lines[index].deviation
        if near.any():
            along = tail._on_line(index, t[near], log_residue[near])
            np.testing.assert_allclose(np.expm1(along - chosen[near]), 0, atol=1e-9)
