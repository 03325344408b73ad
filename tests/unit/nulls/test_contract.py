"""What every null promises, whichever way it is computed."""

import math

import numpy as np
import pytest

from dpwilcoxon.noise import CanonicalNoise, DiscreteLaplace
from dpwilcoxon.nulls.base import SymmetricNull
from dpwilcoxon.nulls.exact import ExactRankNull
from dpwilcoxon.nulls.monte_carlo import MonteCarloNull
from dpwilcoxon.nulls.normal_canonical import NormalCanonicalNull
from dpwilcoxon.nulls.normal_laplace import NormalLaplaceNull
from dpwilcoxon.parameters import Alternative

DESIGNS = [(1, 1.0), (5, 0.01), (20, 10.0), (256, 1.0), (300, 3.0), (5000, 0.1)]


def sigma_of(n):
    """Standard deviation of the doubled statistic of n pairs."""
    return math.sqrt(4 * n * (n + 1) * (2 * n + 1) // 6)


def build(kind, law, n, epsilon):
    """The null of the paper's test under either noise, computed in one of the three ways."""
    if law == "canonical":
        noise, closed = CanonicalNoise(4 * n, 1 / epsilon), NormalCanonicalNull
    else:
        noise, closed = DiscreteLaplace(4 * n / epsilon), NormalLaplaceNull
    if kind == "exact":
        return ExactRankNull(n, noise)
    if kind == "monte-carlo":
        return MonteCarloNull(sigma_of(n), noise, draws=20_000, rng=11)
    return closed(sigma_of(n), noise)


@pytest.fixture(params=["exact", "normal-laplace", "monte-carlo"])
def kind(request):
    """How the null is computed."""
    return request.param


@pytest.fixture(params=["laplace", "canonical"])
def law(request):
    """The noise."""
    return request.param


@pytest.fixture(params=DESIGNS, ids=lambda design: f"n={design[0]},epsilon={design[1]}")
def design(request):
    """Number of pairs and epsilon: noise alone, both, statistic alone; n on both sides of 256."""
    return request.param


@pytest.fixture
def null(kind, law, design):
    """The null under test."""
    return build(kind, law, *design)


@pytest.fixture
def points(design):
    """Integers and halves from -5 to 5 standard deviations of the noisy statistic."""
    n, epsilon = design
    spread = math.hypot(sigma_of(n), 4 * n / epsilon * math.sqrt(2))
    return np.round(np.linspace(-5 * spread, 5 * spread, 81) * 2) / 2


def just_below(kind, t):
    """The largest argument below t that the null can tell from t."""
    if kind == "exact":
        return t - 1.0
    if kind == "monte-carlo":
        return np.nextafter(t, -np.inf)
    return t - 1e-9 * (1.0 + np.abs(t))


def test_is_a_symmetric_null(null):
    """Every null is one, so procedures can return any of them."""
    assert isinstance(null, SymmetricNull)


def test_upper_tail_falls(null, points):
    """P(T~ >= t) does not increase with t, and runs from 1 to nearly 0."""
    tail = null.sf(np.sort(points))
    assert np.all(np.diff(tail) <= 1e-15)
    assert tail[0] > 0.99
    assert tail[-1] < 0.01


def test_lower_tail_mirrors_the_upper(null, points):
    """The law is symmetric: P(T~ <= t) = P(T~ >= -t), for the logarithms too."""
    np.testing.assert_allclose(null.cdf(points), null.sf(-points), rtol=1e-14)
    np.testing.assert_allclose(null.logcdf(points), null.logsf(-points), rtol=1e-14)


def test_tails_overlap_in_the_point_itself(null, kind, points):
    """At an integer both tails contain it: cdf(t) + sf(t) = 1 + P(T~ = t)."""
    t = np.round(points)
    overlap = null.cdf(t) + null.sf(t) - 1.0
    assert np.all(overlap > (-0.03 if kind == "monte-carlo" else 0.0))
    if kind != "monte-carlo":
        here = null.sf(t) - null.sf(t + 1.0)
        np.testing.assert_allclose(overlap, here, rtol=1e-6, atol=1e-14)


def test_one_value_or_many(null, points):
    """A vector of statistics gives what they give one at a time, in the vector's shape."""
    chosen = points[::20]
    together = null.logsf(chosen.reshape(1, -1))
    assert together.shape == (1, chosen.size)
    np.testing.assert_allclose(together[0], [null.logsf(t) for t in chosen], rtol=1e-12)
    assert np.ndim(null.pvalue(3, Alternative.TWO_SIDED)) == 0
    assert np.ndim(null.critical_value(0.05, Alternative.TWO_SIDED)) == 0


def test_upper_point_is_the_least_that_reaches_the_level(null, kind):
    """At the upper point the level is reached, just below it it is not."""
    level = np.log([0.9, 0.6, 0.5, 0.3, 0.1, 0.05, 0.01, 0.001])
    point = null.upper_point(level)
    assert np.all(null.logsf(point) <= level * (1 - 1e-12))
    assert np.all(null.logsf(just_below(kind, point)) > level)


def test_quantile_is_the_least_that_reaches_its_probability(null, kind):
    """At the quantile the lower tail reaches q, just below it it does not."""
    log_q = np.log([0.001, 0.02, 0.3, 0.5, 0.7, 0.99])
    point = null.logppf(log_q)
    assert np.all(null.logcdf(point) >= log_q * (1 + 1e-12))
    assert np.all(null.logcdf(just_below(kind, point)) < log_q)
    np.testing.assert_allclose(null.ppf(np.exp(log_q)), point, rtol=1e-9, atol=1e-9)


def test_certain_and_impossible_levels(null, kind):
    """Probability 0 and 1 lie at infinity (c draws know 1 in finite space); none warns."""
    assert null.upper_point(0.0) == -np.inf
    assert null.upper_point(-np.inf) == np.inf
    assert null.ppf(0.0) == -np.inf
    assert null.ppf(1.0) == np.inf or kind == "monte-carlo"
    for undefined in (null.logsf(np.nan), null.upper_point(np.nan), null.logppf(np.nan)):
        assert np.isnan(undefined)


@pytest.mark.parametrize("alternative", list(Alternative))
def test_pvalues_are_probabilities(null, alternative, points):
    """A p-value lies in (0, 1], however extreme the statistic."""
    p = null.pvalue(np.append(points, [1e18, -1e18]), alternative)
    assert np.all((p > 0) & (p <= 1))


def test_two_sided_pvalue(null, points):
    """It is 1 at zero, the same for t and -t, and at most twice the smaller one-sided one."""
    assert null.pvalue(0, Alternative.TWO_SIDED) == 1.0
    p = null.pvalue(points, Alternative.TWO_SIDED)
    np.testing.assert_allclose(p, null.pvalue(-points, Alternative.TWO_SIDED), rtol=1e-14)


@pytest.mark.parametrize("alternative", list(Alternative))
def test_critical_value_is_where_rejection_begins(null, kind, alternative):
    """The p-value is at most alpha at the critical value and above it nearer to zero."""
    alpha = np.array([0.2, 0.05, 0.01])
    critical = null.critical_value(alpha, alternative)
    sign = -1.0 if alternative is Alternative.LESS else 1.0
    nearer = sign * just_below(kind, sign * critical)
    assert np.all(null.pvalue(critical, alternative) <= alpha * (1 + 1e-12))
    assert np.all(null.pvalue(nearer, alternative) > alpha)


def test_the_three_nulls_agree():
    """At n = 256, epsilon = 1 exact, closed form and 200,000 draws give one p-value.

    The closed form is within 3%, the simulation within five of its standard errors.
    """
    n, noise = 256, DiscreteLaplace(1024.0)
    exact = ExactRankNull(n, noise)
    t = np.array([100, 5000, 10_000, 15_000])
    p = exact.pvalue(t, Alternative.TWO_SIDED)
    closed = NormalLaplaceNull(sigma_of(n), noise).pvalue(t, Alternative.TWO_SIDED)
    np.testing.assert_allclose(closed, p, rtol=0.03)
    simulated = MonteCarloNull(sigma_of(n), noise, 200_000, 5).pvalue(t, Alternative.TWO_SIDED)
    assert np.all(np.abs(simulated - p) < 5 * np.sqrt(p * (1 - p) / 200_000) + 0.03 * p)
