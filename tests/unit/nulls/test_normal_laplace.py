"""The closed form against high-precision arithmetic."""

import math

import mpmath
import numpy as np
import pytest

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.noise import DiscreteLaplace
from dpwilcoxon.nulls.exact import ExactRankNull
from dpwilcoxon.nulls.normal_laplace import (
    NormalLaplaceNull,
    log_density,
    log_upper_tail,
    upper_tail_point,
)

LOG_LEAST = math.log(1e-300)


def scales(n, epsilon):
    """Sigma of the doubled statistic and the scale of its noise."""
    return math.sqrt(4 * n * (n + 1) * (2 * n + 1) // 6), 4 * n / epsilon


def log_tail_in_60_digits(t, sigma, scale):
    """The textbook formula; no term cancels, and exponents are unbounded in mpmath."""
    with mpmath.workdps(60):
        z, k = mpmath.mpf(float(t)) / sigma, mpmath.mpf(sigma) / scale

        def phi(x):
            return mpmath.erfc(-x / mpmath.sqrt(2)) / 2

        middle = mpmath.exp(k * k / 2 - k * z) * phi(z - k) / 2
        mirrored = mpmath.exp(k * k / 2 + k * z) * phi(-z - k) / 2
        return mpmath.log(phi(-z) + middle - mirrored)


@pytest.mark.parametrize("n", [1, 2, 5, 30, 10**3, 10**5, 10**7, 10**9])
def test_ten_digits_down_to_1e_300(n):
    """The p-value has relative accuracy 1e-10 down to 1e-300, its log 1e-14 far beyond.

    Over epsilon in 1e-6..100, at levels from 0.999 to exp(-10^6), at t = 1, at negative t, and
    around t = sigma^2 / scale, where the formula changes branch.
    """
    levels = -np.array([1e-3, 0.2, 0.69, 0.7, 1.0, 2.5, 10, 40, 150, 400, 690, 5000, 1e6])
    for epsilon in (1e-6, 1e-4, 0.01, 0.1, 1, 3, 10, 100):
        sigma, scale = scales(n, epsilon)
        at_branch = sigma**2 / scale * (1 + np.array([-1e-3, -1e-9, 0, 1e-9, 1e-3]))
        tail = upper_tail_point(levels, sigma, scale)
        t = np.concatenate([tail, -tail[:6], at_branch, [1.0, -1.0, 0.5]])
        computed = log_upper_tail(t, sigma, scale)
        for value, at in zip(computed, t, strict=True):
            true = log_tail_in_60_digits(at, sigma, scale)
            error = abs(float(mpmath.mpf(float(value)) - true))
            assert error <= 1e-14 * abs(true)
            assert error <= 1e-10 or true < LOG_LEAST


@pytest.mark.parametrize(("sigma", "scale"), [(2.0, 5.0), (10.0, 1.0), (1.0, 300.0)])
def test_formula_is_the_convolution(sigma, scale):
    """The closed form is the integral it stands for: normal density times Laplace tail."""

    def laplace_tail(k):
        half = mpmath.exp(-abs(k) / scale) / 2
        return half if k > 0 else 1 - half

    for t in (-2.0 * sigma, 0.5, 1.7 * sigma, 4.0 * sigma):
        integral = mpmath.quad(
            lambda x, t=t: mpmath.npdf(x, 0, sigma) * laplace_tail(t - x),
            [-12 * sigma, -4 * sigma, t - sigma, t, t + sigma, 12 * sigma],
        )
        assert float(np.exp(log_upper_tail(t, sigma, scale))) == pytest.approx(
            float(integral), rel=1e-9
        )


def test_inverse_undoes_the_tail():
    """upper_tail_point solves for t at any level, whatever the ratio of noise to signal."""
    levels = -np.concatenate([np.geomspace(1e-12, 0.69, 30), np.geomspace(0.7, 1e7, 60)])
    for n in (1, 100, 10**9):
        for epsilon in (1e-6, 0.1, 1, 100):
            t = upper_tail_point(levels, *scales(n, epsilon))
            np.testing.assert_allclose(log_upper_tail(t, *scales(n, epsilon)), levels, rtol=1e-12)
    # near one half the log is flat, so compare the probability
    nearly_half = np.log(0.5) + np.array([-1e-9, -1e-15, 0, 1e-15, 1e-9])
    t = upper_tail_point(nearly_half, 3.0, 2.0)
    np.testing.assert_allclose(log_upper_tail(t, 3.0, 2.0), nearly_half, rtol=1e-15, atol=4e-16)


def test_infinite_arguments():
    """Infinite t and probabilities 0 and 1 answer each other without warnings."""
    np.testing.assert_array_equal(log_upper_tail([-np.inf, np.inf], 1.0, 1.0), [0.0, -np.inf])
    np.testing.assert_array_equal(upper_tail_point([-np.inf, 0.0], 1.0, 1.0), [np.inf, -np.inf])
    assert log_upper_tail(1e300, 1.0, 1.0) == -1e300


def test_density_is_the_slope_of_the_tail():
    """The density is minus the derivative of the tail, on either side of zero and far out."""
    for sigma, scale in ((2.0, 7.0), (30.0, 2.0)):
        t = np.array([-3.0, 0.7, 1.9, 6.0]) * sigma
        step = 1e-5 * sigma
        ends = np.exp(log_upper_tail([t - step, t + step], sigma, scale))
        slope = (ends[0] - ends[1]) / (2 * step)
        np.testing.assert_allclose(np.exp(log_density(t, sigma, scale)), slope, rtol=1e-6)
    assert np.ndim(log_density(0.0, 1.0, 1.0)) == 0


def test_continuity_correction_is_needed():
    """At n = 5, epsilon = 1 the null is within 1.1% of the truth, without it 3% off."""
    n, noise = 5, DiscreteLaplace(20.0)
    sigma = scales(n, 1)[0]
    t = np.arange(1.0, 400.0)
    exact = ExactRankNull(n, noise).sf(t)
    corrected = np.abs(NormalLaplaceNull(sigma, noise).sf(t) / exact - 1)
    uncorrected = np.abs(np.exp(log_upper_tail(t, sigma, noise.scale)) / exact - 1)
    assert corrected.max() < 0.011
    assert 0.03 < uncorrected.max() < 0.04
    assert np.all(uncorrected > corrected)


@pytest.mark.parametrize("sigma", [0.0, -1.0, math.inf, math.nan])
def test_impossible_sigma_is_refused(sigma):
    """A standard deviation must be positive and finite."""
    with pytest.raises(InvalidArgument, match="`sigma` must be positive and finite"):
        NormalLaplaceNull(sigma, DiscreteLaplace(1.0))
