"""The exact null, assembled."""

import math

import numpy as np
import pytest

from dpwilcoxon.errors import InvalidArgument
from dpwilcoxon.noise import DiscreteLaplace
from dpwilcoxon.nulls.exact import COUNTED_UP_TO, LARGEST_EXACT_N, TOP_POINTS, ExactRankNull
from dpwilcoxon.nulls.exact_counting import CountedTail
from dpwilcoxon.nulls.ladder import Ladder
from dpwilcoxon.nulls.normal_laplace import NormalLaplaceNull
from dpwilcoxon.parameters import Alternative


def exact(n, epsilon):
    """The exact null of the paper's test."""
    return ExactRankNull(n, DiscreteLaplace(4 * n / epsilon))


def test_one_pair_by_hand():
    """n = 1: T is +-2 with probability 1/2 each, so the tails are two noise tails averaged."""
    null = exact(1, 2.0)
    ratio = math.exp(-0.5)

    def noise_tail(k):
        return ratio**k / (1 + ratio) if k >= 0 else 1 - ratio ** (1 - k) / (1 + ratio)

    for t in (-7, -2, -1, 0, 1, 2, 3, 50):
        by_hand = (noise_tail(t - 2) + noise_tail(t + 2)) / 2
        assert null.sf(t) == pytest.approx(by_hand, rel=1e-14)


@pytest.mark.parametrize("n", [3, COUNTED_UP_TO + 1])
def test_tail_is_a_step_function(n):
    """Between integers P(T~ >= t) is that of the next integer."""
    null = exact(n, 1.0)
    t = np.array([-4.0, 0.0, 1.0, 17.0])
    for fraction in (0.25, 0.999):
        np.testing.assert_array_equal(null.logsf(t - fraction), null.logsf(t))
    assert np.all(null.logsf(t + 0.001) < null.logsf(t))


@pytest.mark.parametrize(("n", "epsilon"), [(300, 8.0), (600, 1.0), (1000, 15.0)])
def test_no_seam_between_the_computations(n, epsilon):
    """Contour, counting near the top and pure noise join into the fully counted law."""
    null = exact(n, epsilon)
    largest = n * (n + 1)
    seam = largest - 4 * TOP_POINTS
    t = np.concatenate(
        [
            np.round(np.linspace(1, largest + 50, 60)),
            np.arange(seam - 6.0, seam + 6.0),
            np.arange(largest - 6.0, largest + 6.0),
        ]
    )
    counted = CountedTail(Ladder(n, n, 2), null.noise).log_upper_tail(t)
    np.testing.assert_allclose(np.expm1(null.logsf(t) - counted), 0, atol=1e-10)


@pytest.mark.parametrize("n", [1, 30, 256, 257, 100_000])
@pytest.mark.parametrize("epsilon", [1e-6, 0.5, 20.0])
def test_quantiles_are_integers_and_inverses(n, epsilon):
    """At 30 random levels down to exp(-200), and ppf undoes cdf at integers."""
    null = exact(n, epsilon)
    level = -np.random.default_rng(n).exponential(20.0, 30)
    point = null.upper_point(level)
    np.testing.assert_array_equal(point, np.round(point))
    assert np.all((null.logsf(point) <= level) & (null.logsf(point - 1) > level))
    quantile = null.logppf(level)
    assert np.all((null.logcdf(quantile) >= level) & (null.logcdf(quantile - 1) < level))
    t = null.upper_point(np.log([0.9, 0.5, 0.2, 0.01]))
    np.testing.assert_array_equal(null.ppf(null.cdf(t)), t)


def test_level_that_is_attained_exactly():
    """The point of an attained level is the one that attains it, from above and from below."""
    null = exact(12, 1.0)
    t = np.array([-30.0, 0.0, 1.0, 25.0, 300.0])
    np.testing.assert_array_equal(null.upper_point(null.logsf(t)), t)
    np.testing.assert_array_equal(null.logppf(null.logcdf(t)), t)


def test_critical_value_of_the_paper():
    """n = 100, epsilon = 1, two-sided .05: w = 1271 in the paper, T = 2542 here."""
    critical = exact(100, 1.0).critical_value(0.05, Alternative.TWO_SIDED)
    assert critical / 2 == pytest.approx(1271, abs=2)


def test_closed_form_converges_to_the_exact_law():
    """The closed form's error at p = .001, epsilon = 1: 2% at n = 20, .01% at 100,000."""
    errors = {}
    for n in (20, 1_000, 10_000, 100_000):
        null = exact(n, 1.0)
        sigma = math.sqrt(4 * n * (n + 1) * (2 * n + 1) // 6)
        t = null.upper_point(math.log(0.001))
        errors[n] = float(NormalLaplaceNull(sigma, null.noise).sf(t) / null.sf(t) - 1)
    assert abs(errors[20]) < 0.03
    assert abs(errors[100_000]) < 1.1e-4
    assert errors[10_000] == pytest.approx(errors[1_000] / 10, rel=0.4)
    assert errors[100_000] == pytest.approx(errors[10_000] / 10, rel=0.2)


@pytest.mark.parametrize("n", [0, LARGEST_EXACT_N + 1])
def test_size_out_of_reach_is_refused(n):
    """The message names the limit, what was found, and the method to use instead."""
    with pytest.raises(InvalidArgument, match=rf"1\.\.100000; got {n}\. Use `method` 'normal-la"):
        ExactRankNull(n, DiscreteLaplace(1.0))
