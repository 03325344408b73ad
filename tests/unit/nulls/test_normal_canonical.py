"""The closed form for canonical noise, against the same sum in forty digits."""

import math

import mpmath
import numpy as np
import pytest

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.noise import CanonicalNoise
from dpwilcoxon.nulls.closed_form import closed_form
from dpwilcoxon.nulls.normal_canonical import FAR, NormalCanonicalNull, log_loss
from dpwilcoxon.nulls.normal_laplace import log_upper_tail

CASES = [
    (13.0, 20, 1.0),
    (100.0, 40, 0.5),
    (400.0, 40, 2.0),
    (5.0, 4000, 0.1),
    (30.0, 4, 3.0),
    (50.0, 1000, 8.0),
    (150.0, 16, 5.0),
]


def loss(y):
    """Psi, in the precision that is set."""
    return mpmath.npdf(y) - y * mpmath.ncdf(-y)


def reference(t, sigma, noise):
    """Log of the sum over all edges that matter to twenty-five digits."""
    with mpmath.workdps(40):
        x, ratio = mpmath.mpf(t) - 0.5, mpmath.exp(-1 / mpmath.mpf(noise.step_scale))
        count = int((x + 15 * sigma) / noise.window + 60 * noise.step_scale) + 5
        edges = [noise.window * (k + mpmath.mpf(1) / 2) for k in range(count)]
        terms = (
            ratio**k * (loss((x - edge) / sigma) - loss((x + edge) / sigma))
            for k, edge in enumerate(edges)
        )
        factor = sigma / mpmath.mpf(noise.window) * (1 - ratio) ** 2 / (1 + ratio)
        return float(mpmath.log(factor * mpmath.fsum(terms)))


@pytest.mark.parametrize(("sigma", "window", "epsilon"), CASES)
def test_tail_agrees_with_forty_digits(sigma, window, epsilon):
    """Within 1e-12 of the logarithm, out to 60 standard deviations; noise or statistic large."""
    noise = CanonicalNoise(window, 1 / epsilon)
    null = NormalCanonicalNull(sigma, noise)
    spread = math.hypot(sigma, math.sqrt(noise.variance))
    for deviations in (0.0, 0.3, 1.0, 2.5, 8.0, 60.0):
        t = round(2 * deviations * spread + 1) / 2
        expected = reference(t, sigma, noise)
        assert float(null.logsf(t)) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_the_formula_is_that_of_the_sum():
    """Against 200,000 draws of the sum itself, Kolmogorov-Smirnov at 1e-6.

    The series could be computed well and be the wrong one: this has only the definition.
    """
    from scipy.stats import kstest

    rng = np.random.default_rng(4)
    noise = CanonicalNoise(30, 1.0)
    steps = rng.geometric(1 - noise.steps.ratio, 200_000) - rng.geometric(
        1 - noise.steps.ratio, 200_000
    )
    draws = rng.normal(0, 12.0, steps.size) + 30 * (steps + rng.random(steps.size) - 0.5)
    null = NormalCanonicalNull(12.0, noise)
    assert kstest(draws, lambda x: 1 - null.sf(x + 0.5)).pvalue > 1e-6
    off_by_a_tenth = NormalCanonicalNull(12.0, CanonicalNoise(30, 1.1))
    assert kstest(draws, lambda x: 1 - off_by_a_tenth.sf(x + 0.5)).pvalue < 1e-6


def test_with_little_epsilon_the_noise_is_laplace():
    """Windows are small against the tails then: within 1e-4 at epsilon .03."""
    noise = CanonicalNoise(400, 1 / 0.03)
    t = np.linspace(0, 60_000, 13)
    laplace = log_upper_tail(t - 0.5, 900.0, noise.scale)
    np.testing.assert_allclose(NormalCanonicalNull(900.0, noise).logsf(t), laplace, atol=1e-4)


@pytest.mark.parametrize("y", [-50.0, -9.0, -1e-9, 0.0, 1.0, 20.0, FAR - 1e-9, FAR, 300.0, 4000.0])
def test_loss_function(y):
    """Log psi on both sides of every seam, against sixty digits."""
    with mpmath.workdps(60):
        point = mpmath.mpf(y)
        mills = (
            mpmath.sqrt(mpmath.pi / 2)
            * mpmath.exp(point**2 / 2)
            * mpmath.erfc(point / mpmath.sqrt(2))
        )
        log_psi = -(point**2) / 2 - mpmath.log(2 * mpmath.pi) / 2 + mpmath.log(1 - point * mills)
    with np.errstate(all="ignore"):
        found = log_loss(np.array([y]))[0]
    assert found == pytest.approx(float(log_psi), rel=1e-13, abs=2e-13)


@pytest.mark.parametrize(("sigma", "window", "epsilon"), CASES)
def test_points_undo_tails(sigma, window, epsilon):
    """Both ways, on both sides of the median and at the ends."""
    null = closed_form(sigma, CanonicalNoise(window, 1 / epsilon))
    level = np.array([-1e-3, -0.5, -math.log(2), -3.0, -40.0, -700.0])
    np.testing.assert_allclose(null.logsf(null.upper_point(level)), level, rtol=1e-10)
    np.testing.assert_array_equal(null.upper_point([-np.inf, 0.0]), [np.inf, -np.inf])
    np.testing.assert_array_equal(null.logsf([np.inf, -np.inf]), [-np.inf, 0.0])
    assert np.isnan(null.logsf(np.nan))


@pytest.mark.parametrize("sigma", [0.0, -1.0, math.inf, math.nan])
def test_a_standard_deviation_is_positive_and_finite(sigma):
    """A law that is none cannot be made."""
    with pytest.raises(InvalidArgument, match="`sigma`"):
        NormalCanonicalNull(sigma, CanonicalNoise(2, 1.0))
